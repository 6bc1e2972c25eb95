// What velocity is asked of the robot, over time.
//
//   v(t) = v0 + (v1 - v0) (3 s^2 - 2 s^3),  s = (t - t0) / (t1 - t0)   between two knots: cubic with zero slope at both
//
// Velocities are in heading axes (x forward, z up, yaw only). Before the first knot and after the last the value stands still. Without knots
// there are two: zero at start, (vx, vy, wz) at start + ramp. A file has one knot a line, `t vx vy wz`; # begins a comment.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

namespace tread {

struct CommandKnot {
  double t = 0;                   // [s]
  double vx = 0, vy = 0, wz = 0;  // [m/s], [rad/s]
};

struct CommandConfig {
  double vx = 0, vy = 0, wz = 0;   // [m/s], [rad/s]
  double start = 1.0;              // [s] until then the robot stands
  double ramp = 1.0;               // [s]
  std::vector<CommandKnot> knots;  // instead of the five above, in order of time
  std::string file;                // knots from a file, instead of all these
};

class VelocityCommand {
 public:
  // Throws std::invalid_argument "command.file = ...: remedy" for a file it cannot use.
  explicit VelocityCommand(const CommandConfig& config);
  Eigen::Vector3d At(double t) const;  // vx, vy, wz
  double start() const { return knots_.front().t; }
  double steady_from() const { return knots_[last_change_].t + 1.0; }  // a second after the last change

 private:
  std::vector<CommandKnot> knots_;
  std::size_t last_change_ = 0;
};

}  // namespace tread
