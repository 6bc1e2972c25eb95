#include "robots/robot.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/rnea.hpp>
#include <pinocchio/multibody/data.hpp>
#include <pinocchio/multibody/model.hpp>
#include <pinocchio/parsers/urdf.hpp>
#include <stdexcept>

namespace tread {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

Pose ToPose(const pinocchio::SE3& placement) {
  return {placement.rotation(), placement.translation()};
}

Matrix3d Skew(const Vector3d& x) {
  Matrix3d S;
  S << 0, -x[2], x[1], x[2], 0, -x[0], -x[1], x[0], 0;
  return S;
}

// Principal moments of a solid of uniform density about its centre.
Vector3d Inertia(const Shape& shape, double mass) {
  const Vector3d& s = shape.size;
  if (shape.type == ShapeType::kSphere) return Vector3d::Constant(0.4 * mass * s[0] * s[0]);
  if (shape.type == ShapeType::kBox) {
    const Vector3d squares = s.cwiseAbs2();
    return mass / 3 * (Vector3d::Constant(squares.sum()) - squares);
  }
  const double r = s[0], half = s[1];
  const double cylinder =
      mass * half / (half + 2 * r / 3);  // its part of the volume 2 pi r² (half + 2 r / 3)
  const double caps = mass - cylinder;
  const double side =
      cylinder * (r * r / 4 + half * half / 3) + caps * (0.4 * r * r + half * half + 0.75 * half * r);
  return {side, side, r * r * (cylinder / 2 + 0.4 * caps)};
}

double Bound(double value, double sign) {
  return std::abs(value) < 1e30 ? value : sign * std::numeric_limits<double>::infinity();
}

// w_g of I (w_g - w) + dt w_g x I w_g = 0, by Newton from w.
Vector3d ImplicitSpin(const Matrix3d& I, const Vector3d& w, double dt) {
  Vector3d w_g = w;
  for (int iteration = 0; iteration < 5; ++iteration) {
    const Vector3d momentum = I * w_g;
    const Vector3d residual = momentum - I * w + dt * w_g.cross(momentum);
    if (residual.norm() <= 1e-15 * momentum.norm()) break;
    const Matrix3d slope = I + dt * (Skew(w_g) * I - Skew(momentum));
    w_g -= slope.inverse() * residual;
  }
  return w_g;
}

}  // namespace

struct Robot::Data {
  pinocchio::Model model;
  pinocchio::Data data;
};

Robot::~Robot() = default;

Robot::Robot(const RobotSpec& spec)
    : name_(spec.name), floating_(spec.floating_base), data_(std::make_unique<Data>()) {
  pinocchio::Model& model = data_->model;
  if (floating_) {
    pinocchio::urdf::buildModelFromXML(spec.urdf, pinocchio::JointModelFreeFlyer(), model);
  } else {
    pinocchio::urdf::buildModelFromXML(spec.urdf, model);
  }
  data_->data = pinocchio::Data(model);
  nq_ = model.nq;
  nv_ = model.nv;
  na_ = floating_ ? nv_ - 6 : nv_;
  J_ = &data_->data.J;
  M_ = &data_->data.M;
  h_ = &data_->data.nle;

  q_min_.resize(na_);
  q_max_.resize(na_);
  velocity_limit_.resize(na_);
  effort_limit_.resize(na_);
  std::vector<int> parents(static_cast<std::size_t>(nv_), -1);
  std::size_t known_limits = 0;
  for (pinocchio::JointIndex j = floating_ ? 1 : 0; j < static_cast<std::size_t>(model.njoints); ++j) {
    Body body{model.names[j], model.inertias[j].mass(), {}};
    if (j > 0) {
      const bool is_base = floating_ && j == 1;
      const int dof = model.idx_vs[j];
      if (!is_base && (model.nvs[j] != 1 || model.nqs[j] != 1)) {
        throw std::invalid_argument(name_ + ": joint '" + body.name + "' is neither revolute nor prismatic");
      }
      if (const pinocchio::JointIndex parent = model.parents[j]; parent > 0) {
        body.chain = bodies_[parent - (floating_ ? 1 : 0)].chain;
      }
      for (int k = dof; k < dof + model.nvs[j]; ++k) {
        parents[static_cast<std::size_t>(k)] = body.chain.empty() ? -1 : body.chain.back();
        body.chain.push_back(k);
      }
      if (!is_base) {
        const int q = model.idx_qs[j], i = dof - first_actuated();
        JointLimits limits{model.lowerPositionLimit[q], model.upperPositionLimit[q], model.velocityLimit[dof],
                           model.effortLimit[dof]};
        if (const auto given = spec.limits.find(body.name); given != spec.limits.end()) {
          limits = given->second;
          ++known_limits;
        }
        q_min_[i] = Bound(limits.q_min, -1);
        q_max_[i] = Bound(limits.q_max, 1);
        velocity_limit_[i] = limits.velocity;
        effort_limit_[i] = limits.effort;
        joint_names_.push_back(body.name);
      }
      total_mass_ += body.mass;
    }
    bodies_.push_back(std::move(body));
  }
  if (known_limits != spec.limits.size())
    throw std::invalid_argument(name_ + ": limits for a joint it does not have");
  factor_.Resize(parents);
  poses_.resize(bodies_.size());
  q_.setZero(nq_);
  v_.setZero(nv_);
  set_gravity(gravity_);
  AddGeometries(spec);
  SetHome(spec);
}

void Robot::AddGeometries(const RobotSpec& spec) {
  for (const auto& [link, local] : spec.link_geometries) {
    const Frame frame = FindFrame(link);
    geometries_.push_back(local);
    geometries_.back().body = frame.body;
    geometries_.back().placement = frame.placement * local.placement;
  }
  for (const std::string& foot : spec.foot_frames) feet_.push_back(FindFrame(foot));
}

void Robot::SetHome(const RobotSpec& spec) {
  q_home_.setZero(nq_);
  if (floating_) q_home_[6] = 1;
  std::size_t known = 0;
  for (int i = 0; i < na_; ++i) {
    const auto given = spec.home.find(joint_names_[static_cast<std::size_t>(i)]);
    if (given != spec.home.end()) ++known;
    q_home_[nq_ - na_ + i] = std::clamp(given != spec.home.end() ? given->second : 0.0, q_min_[i], q_max_[i]);
  }
  if (known != spec.home.size())
    throw std::invalid_argument(name_ + ": home value for a joint it does not have");
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

Robot::Robot(const std::string& name, const Shape& shape, double mass) : name_(name), nq_(7), nv_(6) {
  const bool sized = shape.size[0] > 0 && shape.size[1] >= 0 &&
                     (shape.type != ShapeType::kBox || (shape.size[1] > 0 && shape.size[2] > 0));
  if (!(mass > 0) || !sized) throw std::invalid_argument(name + ": mass and size must be positive");
  total_mass_ = mass;
  bodies_.push_back({name, mass, {0, 1, 2, 3, 4, 5}});
  geometries_.push_back({name, 0, {}, shape, "default"});
  free_M_.setZero(6, 6);
  free_M_.diagonal() << Vector3d::Constant(mass), Inertia(shape, mass);
  free_J_.setZero(6, 6);
  free_h_.setZero(6);
  const std::vector<int> parents{-1, 0, 1, 2, 3, 4};
  factor_.Resize(parents);
  factor_.Compute(free_M_);  // constant
  poses_.resize(1);
  q_home_.setZero(7);
  q_home_[6] = 1;
  q_ = q_home_;
  v_.setZero(6);
  q_home_[2] = shape.type == ShapeType::kBox ? shape.size[2] : shape.bounding_radius();
  ComputeTerms(q_home_, v_);
}

Frame Robot::FindFrame(const std::string& frame_name) const {
  if (!data_) {
    if (frame_name == name_) return {name_, 0, {}};
  } else if (data_->model.existFrame(frame_name, pinocchio::BODY)) {
    const auto& frame = data_->model.frames[data_->model.getFrameId(frame_name, pinocchio::BODY)];
    return {frame_name, static_cast<int>(frame.parentJoint) - (floating_ ? 1 : 0), ToPose(frame.placement)};
  }
  throw std::invalid_argument(name_ + ": no link '" + frame_name + "'");
}

void Robot::set_gravity(const Eigen::Vector3d& gravity) {
  gravity_ = gravity;
  if (data_) data_->model.gravity.linear() = gravity;
}

void Robot::ComputeTerms(const Eigen::Ref<const Eigen::VectorXd>& q,
                         const Eigen::Ref<const Eigen::VectorXd>& v) {
  if (q.size() != nq_ || v.size() != nv_) throw std::invalid_argument(name_ + ": q or v has the wrong size");
  q_ = q;
  v_ = v;
  if (!data_) return ComputeFreeBodyTerms();
  pinocchio::crba(data_->model, data_->data, q_, pinocchio::Convention::WORLD);
  pinocchio::nonLinearEffects(data_->model, data_->data, q_, v_);
  const std::size_t first = floating_ ? 1 : 0;
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const pinocchio::SE3& placement = data_->data.oMi[b + first];
    poses_[b].R = placement.rotation();
    poses_[b].p = placement.translation();
  }
  factor_.Compute(data_->data.M);
}

void Robot::ComputeFreeBodyTerms() {
  Pose& pose = poses_[0];
  pose.p = q_.head<3>();
  pose.R = Eigen::Quaterniond(q_[6], q_[3], q_[4], q_[5]).toRotationMatrix();
  free_J_.topLeftCorner<3, 3>() = pose.R;
  free_J_.bottomRightCorner<3, 3>() = pose.R;
  free_J_.topRightCorner<3, 3>() = Skew(pose.p) * pose.R;
  const Vector3d linear = v_.head<3>(), w = v_.tail<3>();
  const Vector3d momentum = free_M_.diagonal().tail<3>().cwiseProduct(w);
  free_h_.head<3>() = total_mass_ * (w.cross(linear) - pose.R.transpose() * gravity_);
  free_h_.tail<3>() = w.cross(momentum);
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
  if (!data_) return poses_[0].p;
  Vector3d sum = Vector3d::Zero();
  for (std::size_t j = 1; j < static_cast<std::size_t>(data_->model.njoints); ++j) {
    const auto& inertia = data_->model.inertias[j];
    sum += inertia.mass() * data_->data.oMi[j].act(inertia.lever());
  }
  return sum / total_mass_;
}

void Robot::SpatialMomentum(Eigen::Vector3d* linear, Eigen::Vector3d* angular) const {
  if (!data_) {
    const Pose& pose = poses_[0];
    *linear = total_mass_ * (pose.R * v_.head<3>());
    *angular = pose.R * free_M_.diagonal().tail<3>().cwiseProduct(v_.tail<3>()) + pose.p.cross(*linear);
    return;
  }
  pinocchio::Force sum = pinocchio::Force::Zero();
  for (std::size_t j = 1; j < static_cast<std::size_t>(data_->model.njoints); ++j) {
    sum += data_->data.oMi[j].act(data_->model.inertias[j] * data_->data.v[j]);
  }
  *linear = sum.linear();
  *angular = sum.angular();
}

Eigen::Vector3d Robot::LinearMomentum() const {
  Vector3d linear, angular;
  SpatialMomentum(&linear, &angular);
  return linear;
}

Eigen::Vector3d Robot::AngularMomentum() const {
  Vector3d linear, angular;
  SpatialMomentum(&linear, &angular);
  return angular;
}

}  // namespace tread
