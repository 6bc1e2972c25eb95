#include "control/horizon.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace tread {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

Matrix3d Rz(double angle) {
  return Eigen::AngleAxisd(angle, Vector3d::UnitZ()).toRotationMatrix();
}

// About the centre of mass, world axes: the base block of M less what the centre's offset adds.
Matrix3d CentralInertia(const Robot& robot) {
  const Pose& base = robot.poses()[0];
  const Matrix3d upper = robot.M().block<3, 3>(3, 3);
  const Matrix3d about_base = base.R * Matrix3d(upper.selfadjointView<Eigen::Upper>()) * base.R.transpose();
  const Vector3d r = robot.CenterOfMass() - base.p;
  return about_base - robot.total_mass() * (r.squaredNorm() * Matrix3d::Identity() - r * r.transpose());
}

}  // namespace

void FillHorizon(const HorizonInput& in, CentroidalProblem* p) {
  const Robot& robot = *in.robot;
  const Pose& base = robot.poses()[0];
  const Matrix3d heading = Rz(in.yaw);
  const Vector3d origin(base.p.x(), base.p.y(), 0);
  const auto local = [&](const Vector3d& x) -> Vector3d { return heading.transpose() * (x - origin); };
  p->mass = robot.total_mass();
  p->gravity = -robot.gravity().z();

  const Vector3d center = local(robot.CenterOfMass());
  const Matrix3d R = heading.transpose() * base.R;
  p->x0 << center, std::atan2(R(2, 1), R(2, 2)), -std::asin(std::clamp(R(2, 0), -1.0, 1.0)), 0,
      heading.transpose() * robot.LinearMomentum() / p->mass,
      heading.transpose() * robot.velocities()[0].angular;
  const Matrix3d inverse = (heading.transpose() * CentralInertia(robot) * heading).inverse();

  std::array<Vector3d, 4> places;
  std::array<char, 4> stood = in.standing;
  for (std::size_t i = 0; i < 4; ++i) places[i] = local(in.standing[i] ? in.feet[i] : in.targets[i]);
  for (int k = 0; k < p->nodes; ++k) {
    const auto node = static_cast<std::size_t>(k);
    const double t = k * p->dt, turn = in.command[2] * t;
    const long tick = in.tick + static_cast<long>(k) * in.ticks_per_node;
    const Eigen::Vector2d moved = TwistDisplacement(in.command, t);
    const Vector3d center_now(center.x() + moved.x(), center.y() + moved.y(), in.center_height);
    const Matrix3d Rk = Rz(turn);
    p->inverse_inertia[node] = Rk * inverse * Rk.transpose();
    for (std::size_t i = 0; i < 4; ++i) {
      const int foot = static_cast<int>(i);
      const bool waiting = in.early[i] && tick < in.tick + in.gait->TicksToTouchdown(foot, in.tick);
      const bool stands = in.gait->Stance(foot, tick) || waiting;
      if (stands && !stood[i] && (in.standing[i] || k > 0) &&
          tick - in.tick > in.gait->TicksToTouchdown(foot, in.tick)) {
        const Eigen::Vector2d step = PlanFootstep(in.footsteps, {in.shoulders[i], in.velocity, in.command, t,
                                                                 in.gait->stance_duration(), in.base_height});
        places[i].head<2>() = step;
      }
      stood[i] = stands;
      p->stance[node][i] = stands;
      p->lever_arms[node][i] = places[i] - center_now;
    }
    const double ahead = t + p->dt, angle = in.command[2] * ahead;
    const Eigen::Vector2d there = TwistDisplacement(in.command, ahead);
    p->reference[node] << center.x() + there.x(), center.y() + there.y(), in.center_height, 0, 0,
        in.yaw_error + angle, Rz(angle) * Vector3d(in.command[0], in.command[1], 0), 0, 0, in.command[2];
  }
}

}  // namespace tread
