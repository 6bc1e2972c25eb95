// Robot of a RobotSpec: Pinocchio's model and the terms it computes. The only file here that includes Pinocchio.
#include <algorithm>
#include <cmath>
#include <limits>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/multibody/data.hpp>
#include <pinocchio/multibody/model.hpp>
#include <pinocchio/parsers/urdf.hpp>
#include <stdexcept>

#include "robots/robot.h"
#include "robots/urdf.h"

namespace tread {
namespace {

Pose ToPose(const pinocchio::SE3& placement) {
  return {placement.rotation(), placement.translation()};
}

double Bound(double value, double sign) {
  return std::abs(value) < 1e30 ? value : sign * std::numeric_limits<double>::infinity();
}

pinocchio::Model BuildModel(const RobotSpec& spec) {
  pinocchio::Model model;
  const auto tree = ParseUrdf(spec.urdf);
  if (spec.floating_base) {
    pinocchio::urdf::buildModel(tree, pinocchio::JointModelFreeFlyer(), model);
  } else {
    pinocchio::urdf::buildModel(tree, model);
  }
  return model;
}

}  // namespace

// Joint j of the model moves body j - first: the universe is a body only where it is the base.
struct Robot::Data {
  explicit Data(const RobotSpec& spec)
      : model(BuildModel(spec)), data(model), first(spec.floating_base ? 1 : 0) {}

  void ComputeBias(const Eigen::VectorXd& v);  // data.nle, after crba

  pinocchio::Model model;
  pinocchio::Data data;
  std::size_t first;
};

void Robot::DeleteData::operator()(Data* data) const {
  delete data;
}

Robot::Robot(const RobotSpec& spec) : name_(spec.name), floating_(spec.floating_base), data_(new Data(spec)) {
  nq_ = data_->model.nq;
  nv_ = data_->model.nv;
  na_ = floating_ ? nv_ - 6 : nv_;
  J_ = &data_->data.J;
  M_ = &data_->data.M;
  h_ = &data_->data.nle;
  AddBodies(spec);
  AddLimits(spec);
  AddGeometries(spec);
  q_.setZero(nq_);
  v_.setZero(nv_);
  set_gravity(gravity_);
  SetHome(spec);
}

void Robot::AddBodies(const RobotSpec& spec) {
  const pinocchio::Model& model = data_->model;
  const std::size_t first = data_->first;
  std::vector<int> dof_parents;
  for (std::size_t j = first; j < static_cast<std::size_t>(model.njoints); ++j) {
    const pinocchio::Inertia& inertia = model.inertias[j];
    Body body{model.names[j], -1, {}, inertia.mass(), inertia.lever(), inertia.inertia().matrix()};
    const bool is_base = j == first;
    if (!is_base) {
      if (model.nvs[j] != 1 || model.nqs[j] != 1) {
        throw std::invalid_argument(name_ + ": joint '" + body.name + "' is neither revolute nor prismatic");
      }
      body.parent = static_cast<int>(model.parents[j] - first);
      body.chain = bodies_[static_cast<std::size_t>(body.parent)].chain;
      joint_names_.push_back(body.name);
    }
    for (int k = 0; k < model.nvs[j]; ++k) {
      dof_parents.push_back(body.chain.empty() ? -1 : body.chain.back());
      body.chain.push_back(model.idx_vs[j] + k);
    }
    if (!body.chain.empty()) total_mass_ += body.mass;
    bodies_.push_back(std::move(body));
  }
  for (const pinocchio::Frame& frame : model.frames) {
    if (frame.type == pinocchio::BODY) {
      links_.push_back({frame.name, static_cast<int>(frame.parentJoint - first), ToPose(frame.placement)});
    }
  }
  factor_.Resize(dof_parents);
  poses_.resize(bodies_.size());
  velocities_.resize(bodies_.size(), {Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero()});
  for (const std::string& foot : spec.foot_frames) feet_.push_back(FindFrame(foot));
}

void Robot::AddLimits(const RobotSpec& spec) {
  const pinocchio::Model& model = data_->model;
  q_min_.resize(na_);
  q_max_.resize(na_);
  velocity_limit_ = model.velocityLimit.tail(na_);
  effort_limit_ = model.effortLimit.tail(na_);
  for (int i = 0; i < na_; ++i) {
    q_min_[i] = Bound(model.lowerPositionLimit[nq_ - na_ + i], -1);
    q_max_[i] = Bound(model.upperPositionLimit[nq_ - na_ + i], 1);
  }
  for (const auto& [joint, limits] : spec.limits) {
    const int i = FindJoint(joint);
    q_min_[i] = Bound(limits.q_min, -1);
    q_max_[i] = Bound(limits.q_max, 1);
    velocity_limit_[i] = limits.velocity;
    effort_limit_[i] = limits.effort;
  }
}

void Robot::set_gravity(const Eigen::Vector3d& gravity) {
  gravity_ = gravity;
  if (data_) data_->model.gravity.linear() = gravity;
}

void Robot::SetBasePose(const Pose& pose) {
  if (floating_) throw std::invalid_argument(name_ + ": its base is not fixed; q says where it is");
  const pinocchio::SE3 before(base_pose_.R, base_pose_.p), now(pose.R, pose.p);
  for (std::size_t j = 1; j < static_cast<std::size_t>(data_->model.njoints); ++j) {
    pinocchio::SE3& placement = data_->model.jointPlacements[j];
    if (data_->model.parents[j] == 0) placement = now * before.actInv(placement);
  }
  base_pose_ = pose;
}

// M and J by Pinocchio's crba, about the base (about the world origin they would lose digits with the distance), and h
// by the recursive Newton-Euler algorithm with zero acceleration, in the frame and from the J that crba leaves: half the
// time of nonLinearEffects, which walks the tree again from the joint angles.
void Robot::ComputeTerms(const Eigen::Ref<const Eigen::VectorXd>& q,
                         const Eigen::Ref<const Eigen::VectorXd>& v) {
  if (q.size() != nq_ || v.size() != nv_) throw std::invalid_argument(name_ + ": q or v has the wrong size");
  q_ = q;
  v_ = v;
  if (!data_) return ComputeFreeBodyTerms();
  Eigen::Vector3d base = Eigen::Vector3d::Zero();
  if (floating_) q_.head<3>().swap(base);
  // Eigen::Ref is what Pinocchio's library is compiled for; other vector types would compile its algorithms here.
  pinocchio::crba(data_->model, data_->data, Eigen::Ref<const Eigen::VectorXd>(q_),
                  pinocchio::Convention::WORLD);
  data_->ComputeBias(v_);
  factor_.Compute(data_->data.M);

  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const pinocchio::SE3& placement = data_->data.oMi[b + data_->first];
    const pinocchio::Motion& velocity = data_->data.ov[b + data_->first];
    poses_[b].R = placement.rotation();
    poses_[b].p = placement.translation() + base;
    velocities_[b].linear = velocity.linear() + velocity.angular().cross(placement.translation());
    velocities_[b].angular = velocity.angular();
  }
  if (!floating_) {
    poses_[0] = base_pose_;
    return;
  }
  q_.head<3>() = base;
  for (int k = 0; k < nv_; ++k) {  // from the base to the world origin
    auto column = data_->data.J.col(k);
    column.head<3>() += base.cross(column.tail<3>());
  }
}

// Per body, in crba's frame: velocity V = V_parent + J v, acceleration A = A_parent + V x J v (A = -gravity at the root),
// force F = Y A + V x* Y V; then from the leaves h = Jᵀ F, F_parent += F.
void Robot::Data::ComputeBias(const Eigen::VectorXd& v) {
  data.ov[0].setZero();
  data.oa_gf[0] = -model.gravity;
  const auto joints = static_cast<std::size_t>(model.njoints);
  for (std::size_t j = 1; j < joints; ++j) {
    const std::size_t parent = model.parents[j];
    const int k = model.idx_vs[j];
    pinocchio::Motion joint;
    if (model.nvs[j] == 1) {
      joint.toVector() = data.J.col(k) * v[k];
    } else {
      joint.toVector().noalias() = data.J.middleCols<6>(k) * v.segment<6>(k);
    }
    data.ov[j] = data.ov[parent] + joint;
    data.oa_gf[j] = data.oa_gf[parent] + data.ov[j].cross(joint);
    const pinocchio::Inertia inertia = data.oMi[j].act(model.inertias[j]);
    data.of[j] = inertia * data.oa_gf[j] + inertia.vxiv(data.ov[j]);
  }
  for (std::size_t j = joints - 1; j > 0; --j) {
    const int k = model.idx_vs[j];
    if (model.nvs[j] == 1) {
      data.nle[k] = data.J.col(k).dot(data.of[j].toVector());
    } else {
      data.nle.segment<6>(k).noalias() = data.J.middleCols<6>(k).transpose() * data.of[j].toVector();
    }
    data.of[model.parents[j]] += data.of[j];
  }
}

Eigen::Vector3d Robot::BiasAcceleration(int body, const Eigen::Vector3d& point_W) const {
  const auto b = static_cast<std::size_t>(body);
  const Eigen::Vector3d& w = velocities_[b].angular;
  const Eigen::Vector3d velocity = velocities_[b].linear + w.cross(point_W - poses_[b].p);
  if (!data_) return w.cross(velocity);
  const pinocchio::Motion& a = data_->data.oa_gf[b + data_->first];  // about the base, gravity taken off
  const Eigen::Vector3d r = floating_ ? Eigen::Vector3d(point_W - poses_[0].p) : point_W;
  return a.linear() + gravity_ + a.angular().cross(r) + w.cross(velocity);
}

}  // namespace tread
