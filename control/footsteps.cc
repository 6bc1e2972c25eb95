#include "control/footsteps.h"

#include <algorithm>
#include <cmath>

namespace tread {

Eigen::Vector2d TwistDisplacement(const Eigen::Vector3d& twist, double t) {
  const double w = twist[2], angle = w * t;
  if (std::abs(angle) < 1e-6) return twist.head<2>() * t;
  const double s = std::sin(angle) / w, c = (1 - std::cos(angle)) / w;
  return {twist[0] * s - twist[1] * c, twist[1] * s + twist[0] * c};
}

Eigen::Vector2d PlanFootstep(const FootstepConfig& config, const FootstepQuery& query) {
  const Eigen::Vector2d v_ref = query.command.head<2>();
  const double w = query.command[2], centrifugal = 0.5 * std::sqrt(query.height / 9.81);
  Eigen::Vector2d relative =
      0.5 * query.stance_duration * query.velocity + config.feedback * (query.velocity - v_ref);
  relative += centrifugal * Eigen::Vector2d(query.velocity.y() * w, -query.velocity.x() * w);
  relative = relative.cwiseMax(-config.reach).cwiseMin(config.reach);
  const double angle = w * query.time_to_touchdown, c = std::cos(angle), s = std::sin(angle);
  const Eigen::Vector2d at = relative + query.shoulder;
  return Eigen::Vector2d(c * at.x() - s * at.y(), s * at.x() + c * at.y()) +
         TwistDisplacement(query.command, query.time_to_touchdown);
}

}  // namespace tread
