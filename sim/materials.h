// What two surfaces do to each other: friction, restitution, compliance, per pair of materials.
//
// A pair that is listed has the values given there; values not given, and pairs not listed, follow the combination rule
//   mu = sqrt(mu1 mu2),   e = max(e1, e2),   k and b of the softer of the two
// (0 stands for a rigid surface, which is the harder of any two), so that equal surfaces give their own values. A rigid pair has no damping
// (a damper without a spring would sink for ever), a compliant one no restitution: its damping decides.
// Stiffness and damping belong to a pair of touching shapes, not to a point: a box resting on n corners has k/n, b/n at each,
// so that it sinks by m g / k however many points the collision detection finds.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace tread {

struct MaterialConfig {
  double friction = 0.9;
  double restitution = 0;  // 1: no energy lost in an impact
  double stiffness = 0;    // [N/m]; 0: rigid
  double damping = 0;      // [N s/m], with a stiffness only
};

// Negative: by the combination rule.
struct PairConfig {
  std::string first = "default", second = "ground";
  double friction = -1, restitution = -1, stiffness = -1, damping = -1;
};

struct Surface {  // of a pair
  double mu = 0, restitution = 0, stiffness = 0, damping = 0;
  bool compliant() const { return stiffness > 0; }
};

class MaterialTable {
 public:
  MaterialTable() = default;
  // Throws std::invalid_argument when a pair names a material that is not there.
  MaterialTable(const std::map<std::string, MaterialConfig>& materials, const std::vector<PairConfig>& pairs);

  int Find(const std::string& name) const;  // throws std::invalid_argument with the names there are
  int size() const { return static_cast<int>(names_.size()); }
  const Surface& operator()(int first, int second) const {
    return table_[static_cast<std::size_t>(first * size() + second)];
  }

 private:
  std::vector<std::string> names_;
  std::vector<Surface> table_;
};

}  // namespace tread
