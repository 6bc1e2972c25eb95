// What follows from the terms M, h, J of any Robot; they come from robot_dynamics.cc and free_body.cc.
#include "robots/robot.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "robots/nearest.h"
#include "robots/skew.h"

namespace tread {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// w_g of I (w_g - w) + dt w_g x I w_g = 0, by Newton from w. Newton's error squares with each step, so the step from a
// relative residual of 1e-9 is the last.
Vector3d ImplicitSpin(const Matrix3d& I, const Vector3d& w, double dt) {
  const Vector3d start = I * w;
  Vector3d w_g = w, momentum = start;
  for (int iteration = 0; iteration < 20; ++iteration) {
    const Vector3d residual = momentum - start + dt * w_g.cross(momentum);
    const Matrix3d slope = I + dt * (Skew(w_g) * I - Skew(momentum));
    w_g -= slope.inverse() * residual;
    if (residual.squaredNorm() <= 1e-18 * start.squaredNorm()) break;
    momentum.noalias() = I * w_g;
  }
  return w_g;
}

}  // namespace

void Robot::AddGeometries(const RobotSpec& spec) {
  for (const auto& [link, local] : spec.link_geometries) {
    const Frame frame = FindFrame(link);
    geometries_.push_back(local);
    geometries_.back().body = frame.body;
    geometries_.back().placement = frame.placement * local.placement;
  }
}

void Robot::SetHome(const RobotSpec& spec) {
  q_home_.setZero(nq_);
  if (floating_) q_home_[6] = 1;
  auto joints = q_home_.tail(na_);
  for (const auto& [joint, value] : spec.home) joints[FindJoint(joint)] = value;
  joints = joints.cwiseMax(q_min_).cwiseMin(q_max_).eval();
  ComputeTerms(q_home_, Eigen::VectorXd::Zero(nv_));
  double lowest = std::numeric_limits<double>::infinity();
  for (const Geometry& geometry : geometries_) {
    if (geometry.shape.type != ShapeType::kSphere) continue;
    const Pose& pose = poses_[static_cast<std::size_t>(geometry.body)];
    lowest = std::min(lowest, (pose * geometry.placement.p)[2] - geometry.shape.size[0]);
  }
  if (!floating_ || !std::isfinite(lowest)) return;
  q_home_[2] = -lowest;
  ComputeTerms(q_home_, Eigen::VectorXd::Zero(nv_));
}

const Frame& Robot::FindFrame(const std::string& link) const {
  std::vector<std::string> names;
  for (const Frame& frame : links_) {
    if (frame.name == link) return frame;
    names.push_back(frame.name);
  }
  throw std::invalid_argument(name_ + ": no link '" + link + "'" + DidYouMean(link, names));
}

int Robot::FindBody(const std::string& joint_or_link) const {
  std::vector<std::string> names;
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    if (bodies_[b].name == joint_or_link) return static_cast<int>(b);
    names.push_back(bodies_[b].name);
  }
  for (const Frame& frame : links_) {
    if (frame.name == joint_or_link) return frame.body;
    names.push_back(frame.name);
  }
  throw std::invalid_argument(name_ + ": no joint or link '" + joint_or_link + "'" +
                              DidYouMean(joint_or_link, names));
}

int Robot::FindJoint(const std::string& joint) const {
  const auto found = std::find(joint_names_.begin(), joint_names_.end(), joint);
  if (found != joint_names_.end()) return static_cast<int>(found - joint_names_.begin());
  throw std::invalid_argument(name_ + ": no actuated joint '" + joint + "'" +
                              DidYouMean(joint, joint_names_));
}

void Robot::AddPointForce(int body, const Vector3d& point_W, const Vector3d& force_W,
                          const Vector3d& torque_W, Eigen::Ref<Eigen::VectorXd> tau) const {
  const Vector3d moment = torque_W + point_W.cross(force_W);  // about the world origin
  for (const int k : bodies_[static_cast<std::size_t>(body)].chain) {
    tau[k] += J_->col(k).head<3>().dot(force_W) + J_->col(k).tail<3>().dot(moment);
  }
}

void Robot::ComputeFreeAcceleration(double dt, const Eigen::Ref<const Eigen::VectorXd>& tau,
                                    Eigen::Ref<Eigen::VectorXd> a) const {
  a = tau - *h_;
  if (!floating_) return factor_.SolveInPlace(a);
  const Vector3d w = v_.segment<3>(3), linear = v_.head<3>();
  Matrix3d I = M_->block<3, 3>(3, 3);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < i; ++j) I(i, j) = I(j, i);
  }
  const Vector3d w_g = ImplicitSpin(I, w, dt);
  const Vector3d momentum = I * w;
  a.segment<3>(3) += w.cross(momentum) + I * (w_g - w) / dt;
  factor_.SolveInPlace(a);
  a.head<3>() += w.cross(linear);
}

void Robot::Integrate(double dt, Eigen::Ref<Eigen::VectorXd> q, Eigen::Ref<Eigen::VectorXd> v) const {
  q.tail(na_) += dt * v.tail(na_);
  if (!floating_) return;
  Eigen::Quaterniond R(q[6], q[3], q[4], q[5]);
  const Vector3d turn = dt * v.segment<3>(3), linear = v.head<3>();
  const double angle = turn.norm();
  const double scale = angle > 1e-8 ? std::sin(angle / 2) / angle : 0.5;  // error below 1e-17
  Eigen::Quaterniond step;
  step.w() = std::cos(angle / 2);
  step.vec() = scale * turn;
  q.head<3>() += dt * (R * linear);
  R = R * step;
  R.normalize();
  q.segment<4>(3) = R.coeffs();  // x y z w
  v.head<3>() = step.conjugate() * linear;
}

double Robot::KineticEnergy(const Eigen::Ref<const Eigen::VectorXd>& v) const {
  double energy = 0;
  for (int k = 0; k < nv_; ++k) {
    energy += v[k] * (0.5 * (*M_)(k, k) * v[k] + M_->col(k).head(k).dot(v.head(k)));
  }
  return energy;
}

double Robot::PotentialEnergy() const {
  return -total_mass_ * gravity_.dot(CenterOfMass());
}

Eigen::Vector3d Robot::CenterOfMass() const {
  if (floating_) {  // M(0:3, 3:6) = -m Skew(c), c in base axes
    const Vector3d c((*M_)(1, 5), (*M_)(2, 3), (*M_)(0, 4));
    return poses_[0] * (c / total_mass_);
  }
  Vector3d sum = Vector3d::Zero();
  for (std::size_t b = 1; b < bodies_.size(); ++b) sum += bodies_[b].mass * (poses_[b] * bodies_[b].center);
  return sum / total_mass_;
}

// A floating base's rows of M v are the momentum, about its origin and in its axes.
Eigen::Vector3d Robot::LinearMomentum() const {
  if (floating_) return poses_[0].R * BaseRows(0);
  Vector3d sum = Vector3d::Zero();
  for (std::size_t b = 1; b < bodies_.size(); ++b) sum += BodyMomentum(b);
  return sum;
}

Eigen::Vector3d Robot::AngularMomentum() const {
  if (floating_) return poses_[0].R * BaseRows(3) + poses_[0].p.cross(LinearMomentum());
  Vector3d sum = Vector3d::Zero();
  for (std::size_t b = 1; b < bodies_.size(); ++b) {
    const Pose& pose = poses_[b];
    sum += (pose * bodies_[b].center).cross(BodyMomentum(b)) +
           pose.R * (bodies_[b].inertia * (pose.R.transpose() * velocities_[b].angular));
  }
  return sum;
}

Eigen::Vector3d Robot::BaseRows(int row) const {
  Vector3d sum = M_->middleRows<3>(row).rightCols(na_) * v_.tail(na_);
  const Eigen::Matrix<double, 6, 6> base = M_->topLeftCorner<6, 6>().selfadjointView<Eigen::Upper>();
  return sum + base.middleRows<3>(row) * v_.head<6>();
}

Eigen::Vector3d Robot::BodyMomentum(std::size_t b) const {
  const BodyVelocity& velocity = velocities_[b];
  return bodies_[b].mass * (velocity.linear + velocity.angular.cross(poses_[b].R * bodies_[b].center));
}

}  // namespace tread
