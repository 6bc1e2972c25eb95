// Robot of one rigid shape: diagonal M, everything in closed form.
#include <Eigen/Geometry>
#include <stdexcept>

#include "robots/robot.h"
#include "robots/skew.h"

namespace tread {
namespace {

using Eigen::Vector3d;

// Principal moments of a solid of uniform density about its centre.
Vector3d Inertia(const Shape& shape, double mass) {
  const Vector3d& s = shape.size;
  if (shape.type == ShapeType::kSphere) return Vector3d::Constant(0.4 * mass * s[0] * s[0]);
  if (shape.type == ShapeType::kBox) {
    const Vector3d squares = s.cwiseAbs2();
    return mass / 3 * (Vector3d::Constant(squares.sum()) - squares);
  }
  // A cylinder and two half balls; the cylinder's part of the volume 2 pi r² (half + 2 r / 3).
  const double r = s[0], half = s[1];
  const double cylinder = mass * half / (half + 2 * r / 3), caps = mass - cylinder;
  const double side =
      cylinder * (r * r / 4 + half * half / 3) + caps * (0.4 * r * r + half * half + 0.75 * half * r);
  return {side, side, r * r * (cylinder / 2 + 0.4 * caps)};
}

bool IsSolid(const Shape& shape) {
  const Vector3d& s = shape.size;
  if (shape.type == ShapeType::kBox) return s.minCoeff() > 0;
  return s[0] > 0 && s[1] >= 0;
}

}  // namespace

Robot::Robot(const std::string& name, const Shape& shape, double mass) : name_(name), nq_(7), nv_(6) {
  if (!(mass > 0) || !IsSolid(shape)) throw std::invalid_argument(name + ": mass and size must be positive");
  total_mass_ = mass;
  const Vector3d moments = Inertia(shape, mass);
  bodies_.push_back({name, -1, {0, 1, 2, 3, 4, 5}, mass, Vector3d::Zero(), moments.asDiagonal()});
  geometries_.push_back({name, 0, {}, shape, "default"});
  links_.push_back({name, 0, {}});
  free_M_.setZero(6, 6);
  free_M_.diagonal() << Vector3d::Constant(mass), moments;
  free_J_.setZero(6, 6);
  free_h_.setZero(6);
  const std::vector<int> parents{-1, 0, 1, 2, 3, 4};
  factor_.Resize(parents);
  factor_.Compute(free_M_);  // constant
  poses_.resize(1);
  velocities_.resize(1);
  q_home_.setZero(7);
  q_home_[6] = 1;
  q_home_[2] = shape.type == ShapeType::kBox ? shape.size[2] : shape.bounding_radius();
  q_ = q_home_;
  v_.setZero(6);
  ComputeTerms(q_home_, v_);
}

void Robot::ComputeFreeBodyTerms() {
  Pose& pose = poses_[0];
  pose.p = q_.head<3>();
  pose.R = Eigen::Quaterniond(q_[6], q_[3], q_[4], q_[5]).toRotationMatrix();
  free_J_.topLeftCorner<3, 3>() = pose.R;
  free_J_.bottomRightCorner<3, 3>() = pose.R;
  free_J_.topRightCorner<3, 3>() = Skew(pose.p) * pose.R;
  const Vector3d linear = v_.head<3>(), w = v_.tail<3>();
  velocities_[0] = {pose.R * linear, pose.R * w};
  const Vector3d momentum = free_M_.diagonal().tail<3>().cwiseProduct(w);
  free_h_.head<3>() = total_mass_ * (w.cross(linear) - pose.R.transpose() * gravity_);
  free_h_.tail<3>() = w.cross(momentum);
}

}  // namespace tread
