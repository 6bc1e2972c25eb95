// The way of one foot through the air: quintic in the plane, re-planned to the moving foothold until it is locked; a bell in height.
//
//   xy: c0 + c1 t + ... + c5 t^5 from the present (p, v, a) to (target, 0, 0) in the time that is left
//   z:  z0 + (z1 - z0) (10 s^3 - 15 s^4 + 6 s^5) + apex 64 s^3 (1 - s)^3,   s = phase of the swing; both C2
//
// Reference: Leziart et al. 2021. Everything in world axes.
#pragma once

#include <Eigen/Core>

namespace tread {

struct SwingConfig {
  double apex = 0.05;  // [m] too low: the foot stumbles over bumps; too high: light legs throw the base about
  double lock = 0.04;  // [s] before touch-down the target is taken as final
};

struct FootReference {
  Eigen::Vector3d p = Eigen::Vector3d::Zero(), v = Eigen::Vector3d::Zero(), a = Eigen::Vector3d::Zero();
};

class Swing {
 public:
  explicit Swing(const SwingConfig& config = {}) : config_(config) {}
  void LiftOff(const Eigen::Vector3d& p);  // starts at rest at p
  // One tick further: elapsed, of duration [s], and the foothold as it is now planned.
  const FootReference& Update(double elapsed, double duration, double tick, const Eigen::Vector3d& target);
  const FootReference& reference() const { return reference_; }

 private:
  SwingConfig config_;
  FootReference reference_;
  double start_height_ = 0;
  Eigen::Vector3d target_ = Eigen::Vector3d::Zero();
};

}  // namespace tread
