#include "control/wbc.h"

#include <Eigen/Dense>
#include <algorithm>
#include <chrono>
#include <cmath>

namespace tread {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// Inverse of a leg's Jacobian, damped where the leg is nearly stretched: J' (J J' + d^2 I)^-1 with d growing from zero below 2 cm.
Matrix3d DampedInverse(const Matrix3d& J) {
  const double det = std::abs(J.determinant()), floor = 3e-4;  // m^3; 0.16^2 sin(knee) x 0.25 at work
  if (det > floor) return J.inverse();
  const double d = 0.02 * (1 - det / floor);
  return J.transpose() * (J * J.transpose() + d * d * Matrix3d::Identity()).inverse();
}

}  // namespace

Wbc::Wbc(const WbcConfig& config, const Robot& robot) : config_(config), solver_(MakeProxQp(config.solver)) {
  for (std::size_t i = 0; i < 4; ++i) {
    const Body& body = robot.bodies()[static_cast<std::size_t>(robot.feet()[i].body)];
    legs_[i].dof = body.chain.back() - 2;
    report_.forces[i].setZero();
  }
  M_.setZero();
}

void Wbc::UpdateLeg(const Robot& robot, const WbcTarget& target, std::size_t i) {
  Leg& leg = legs_[i];
  const Frame& foot = robot.feet()[i];
  const auto body = static_cast<std::size_t>(foot.body);
  leg.p = robot.poses()[body] * foot.placement.p;
  leg.v =
      robot.velocities()[body].linear + robot.velocities()[body].angular.cross(leg.p - robot.poses()[body].p);
  const auto column = [&](int k) -> Vector3d {
    const auto j = robot.J_world().col(k);
    return j.head<3>() + Vector3d(j.tail<3>()).cross(leg.p);
  };
  for (int k = 0; k < 6; ++k) leg.Jb.col(k) = column(k);
  for (int k = 0; k < 3; ++k) leg.Jl.col(k) = column(leg.dof + k);
  leg.Jl_inverse = DampedInverse(leg.Jl);
  Vector3d a;
  if (target.stance[i]) {
    a = -config_.kd_contact * leg.v;
  } else {
    const FootReference& r = target.feet[i];
    a = r.a + config_.kp_swing * (r.p - leg.p) + config_.kd_swing * (r.v - leg.v);
  }
  leg.c = leg.Jl_inverse * (a - robot.BiasAcceleration(foot.body, leg.p));
  leg.A = leg.Jl_inverse * leg.Jb;
}

// In the base's generalised coordinates: linear spatial acceleration and angular acceleration, base axes.
Wbc::Vector6 Wbc::WantedBaseAcceleration(const Robot& robot, const WbcTarget& target) const {
  const Pose& base = robot.poses()[0];
  const BodyVelocity& v = robot.velocities()[0];
  Vector3d linear = config_.kd_velocity * (target.velocity - v.linear);
  const double wish = linear.head<2>().norm();
  if (wish > config_.max_acceleration) linear.head<2>() *= config_.max_acceleration / wish;
  linear.z() = config_.kp_height * (target.height - base.p.z()) - config_.kd_height * v.linear.z();
  const Vector3d rate(0, 0, target.yaw_rate);
  const Vector3d angular = config_.kp_angle * target.rpy + config_.kd_angle * (rate - v.angular);
  Vector6 a;
  a.head<3>() = base.R.transpose() * (linear - v.angular.cross(v.linear));
  a.tail<3>() = base.R.transpose() * angular;
  return a;
}

void Wbc::BuildQp(const WbcTarget& target, const Vector6& wanted) {
  const bool reactive = config_.type == "reactive";
  Eigen::Matrix<double, 6, 6> S = M_.topLeftCorner<6, 6>();
  Vector6 rest = -h_.head<6>();
  for (const Leg& leg : legs_) {
    const auto Mbl = M_.block<6, 3>(0, leg.dof);
    rest -= Mbl * leg.c;
    if (reactive) {
      rest += Mbl * (leg.A * wanted);
    } else {
      S -= Mbl * leg.A;
    }
  }
  const Eigen::PartialPivLU<Eigen::Matrix<double, 6, 6>> factor(S);
  p_ = factor.solve(rest);
  int n = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    column_[i] = target.stance[i] ? 3 * n++ : -1;
    if (column_[i] >= 0) P_.middleCols<3>(column_[i]) = factor.solve(legs_[i].Jb.transpose());
  }
  DenseQp& qp = qp_[n];
  const int rows = reactive ? 5 : 8;
  if (qp.H.rows() != 3 * n || qp.C.rows() != rows * n) {
    qp.H.setZero(3 * n, 3 * n);
    qp.g.setZero(3 * n);
    qp.C.setZero(rows * n, 3 * n);
    qp.l.setZero(rows * n);
    qp.u.setZero(rows * n);
  }
  const auto P = P_.leftCols(3 * n);
  Vector6 weight = Vector6::Constant(config_.base_weight);
  weight.tail<3>() *= config_.angular_weight;
  qp.H.noalias() = P.transpose() * weight.asDiagonal() * P;
  qp.H.diagonal().array() += config_.force_weight;
  qp.g.noalias() = P.transpose() * weight.cwiseProduct(p_ - wanted);
  const double mu = config_.friction;
  for (std::size_t i = 0; i < 4; ++i) {
    if (column_[i] < 0) continue;
    const int c = column_[i], r = c / 3 * rows;
    qp.g.segment<3>(c) -= config_.force_weight * target.forces[i];
    qp.C.block<5, 3>(r, c) << 1, 0, -mu, 1, 0, mu, 0, 1, -mu, 0, 1, mu, 0, 0, 1;
    qp.l.segment<5>(r) << -kUnbounded, 0, -kUnbounded, 0, 0;
    qp.u.segment<5>(r) << 0, kUnbounded, 0, kUnbounded, config_.max_force;
    if (reactive) continue;
    const Leg& leg = legs_[i];
    const Matrix3d Mll = M_.block<3, 3>(leg.dof, leg.dof);
    const Eigen::Matrix<double, 3, 6> D =
        M_.block<3, 6>(leg.dof, 0) - Mll * leg.A;  // tau = D a_b + Mll c + h - Jl' f
    const Vector3d constant = D * p_ + Mll * leg.c + h_.segment<3>(leg.dof);
    qp.C.middleRows<3>(r + 5).noalias() = D * P;
    qp.C.block<3, 3>(r + 5, c) -= leg.Jl.transpose();
    qp.l.segment<3>(r + 5) = -Vector3d::Constant(config_.max_torque) - constant;
    qp.u.segment<3>(r + 5) = Vector3d::Constant(config_.max_torque) - constant;
  }
}

void Wbc::WriteCommand(const State& state, const WbcTarget& target, JointCommand* command) {
  const bool reactive = config_.type == "reactive";
  Vector6 a_b = p_;
  for (std::size_t i = 0; i < 4; ++i) {
    if (column_[i] >= 0) a_b += P_.middleCols<3>(column_[i]) * report_.forces[i];
  }
  const Eigen::Index q0 = state.q.size() - 12;
  for (std::size_t i = 0; i < 4; ++i) {
    const Leg& leg = legs_[i];
    const int j = leg.dof - 6;
    const Vector3d a_l = leg.c - leg.A * (reactive ? wanted_ : a_b);
    Vector3d tau =
        M_.block<3, 6>(leg.dof, 0) * a_b + M_.block<3, 3>(leg.dof, leg.dof) * a_l + h_.segment<3>(leg.dof);
    Vector3d foot_velocity = Vector3d::Zero(), error = Vector3d::Zero();
    if (column_[i] >= 0) {
      tau -= leg.Jl.transpose() * report_.forces[i];
    } else {
      error = target.feet[i].p - leg.p;
      if (error.norm() > 0.03) error *= 0.03 / error.norm();
      foot_velocity = target.feet[i].v;
    }
    command->tau.segment<3>(j) = tau;
    command->q.segment<3>(j) = state.q.segment<3>(q0 + j) + leg.Jl_inverse * error;
    command->v.segment<3>(j) = leg.Jl_inverse * (foot_velocity - leg.Jb * state.v.head<6>());
  }
  command->kp.setConstant(config_.kp_joint);
  command->kd.setConstant(config_.kd_joint);
}

void Wbc::Compute(const Robot& robot, const State& state, const WbcTarget& target, JointCommand* command) {
  const auto start = std::chrono::steady_clock::now();
  M_ = robot.M().selfadjointView<Eigen::Upper>();
  h_ = robot.h();
  for (std::size_t i = 0; i < 4; ++i) UpdateLeg(robot, target, i);
  wanted_ = WantedBaseAcceleration(robot, target);
  BuildQp(target, wanted_);
  const auto n = static_cast<std::size_t>(std::count(target.stance.begin(), target.stance.end(), 1));
  QpResult& result = results_[n];
  report_.status = QpStatus::kSolved;
  report_.iterations = 0;
  if (n > 0) {
    if (!shortcut_[n].Solve(qp_[n], &result)) solver_->Solve(qp_[n], &result);
    report_.status = result.status;
    report_.iterations = result.iterations;
  }
  const bool failed = n > 0 && (result.status == QpStatus::kFailed || !result.x.allFinite());
  if (failed) {
    ++report_.failures;
    result.x.resize(0);
  }
  for (std::size_t i = 0; i < 4; ++i) {
    if (column_[i] < 0) {
      report_.forces[i].setZero();
    } else {
      report_.forces[i] = failed ? target.forces[i] : Vector3d(result.x.segment<3>(column_[i]));
    }
  }
  WriteCommand(state, target, command);
  report_.time_us =
      std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace tread
