#include "control/velocity_command.h"

namespace tread {

VelocityCommand::VelocityCommand(const CommandConfig& config) : knots_(config.knots) {
  if (knots_.empty()) {
    knots_ = {{config.start, 0, 0, 0}, {config.start + config.ramp, config.vx, config.vy, config.wz}};
  }
  last_change_ = knots_.size() - 1;
}

Eigen::Vector3d VelocityCommand::At(double t) const {
  const auto value = [](const CommandKnot& k) { return Eigen::Vector3d(k.vx, k.vy, k.wz); };
  if (t <= knots_.front().t) return value(knots_.front());
  for (std::size_t i = 1; i < knots_.size(); ++i) {
    if (t >= knots_[i].t) continue;
    const double s = (t - knots_[i - 1].t) / (knots_[i].t - knots_[i - 1].t);
    const Eigen::Vector3d from = value(knots_[i - 1]);
    return from + (value(knots_[i]) - from) * (s * s * (3 - 2 * s));
  }
  return value(knots_.back());
}

}  // namespace tread
