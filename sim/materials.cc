#include "sim/materials.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "robots/nearest.h"

namespace tread {
namespace {

Surface Combine(const MaterialConfig& a, const MaterialConfig& b) {
  Surface s;
  s.mu = std::sqrt(a.friction * b.friction);
  s.restitution = std::max(a.restitution, b.restitution);
  const auto hardness = [](const MaterialConfig& m) {
    return m.stiffness > 0 ? m.stiffness : std::numeric_limits<double>::infinity();
  };
  const MaterialConfig& softer = hardness(b) < hardness(a) ? b : a;
  s.stiffness = softer.stiffness;
  s.damping = softer.stiffness > 0 ? softer.damping : std::max(a.damping, b.damping);
  return s;
}

}  // namespace

MaterialTable::MaterialTable(const std::map<std::string, MaterialConfig>& materials,
                             const std::vector<PairConfig>& pairs) {
  for (const auto& entry : materials) names_.push_back(entry.first);
  for (const auto& a : materials) {
    for (const auto& b : materials) table_.push_back(Combine(a.second, b.second));
  }
  for (const PairConfig& pair : pairs) {
    const int first = Find(pair.first), second = Find(pair.second);
    for (const int place : {first * size() + second, second * size() + first}) {
      Surface& s = table_[static_cast<std::size_t>(place)];
      if (pair.friction >= 0) s.mu = pair.friction;
      if (pair.restitution >= 0) s.restitution = pair.restitution;
      if (pair.stiffness >= 0) s.stiffness = pair.stiffness;
      if (pair.damping >= 0) s.damping = pair.damping;
    }
  }
}

int MaterialTable::Find(const std::string& name) const {
  const auto found = std::find(names_.begin(), names_.end(), name);
  if (found != names_.end()) return static_cast<int>(found - names_.begin());
  std::string known;
  for (const std::string& n : names_) known += (known.empty() ? "" : ", ") + n;
  const std::string near = Nearest(name, names_);
  throw std::invalid_argument("material '" + name + "': unknown; one of " + known +
                              (near.empty() ? "" : " (did you mean '" + near + "'?)"));
}

}  // namespace tread
