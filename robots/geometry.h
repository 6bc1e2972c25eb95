// Collision shapes, in numbers only (no collision library here).
//
// A geometry is a primitive fixed to a body: x_W = R_WB (R_BG x_G + p_BG) + p_WB. Capsules and cylinders lie along z.
#pragma once

#include <Eigen/Core>
#include <string>

namespace tread {

struct Pose {
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
  Eigen::Vector3d p = Eigen::Vector3d::Zero();

  Eigen::Vector3d operator*(const Eigen::Vector3d& x) const { return R * x + p; }
  Pose operator*(const Pose& other) const { return {R * other.R, R * other.p + p}; }
};

enum class ShapeType { kSphere, kBox, kCapsule };

struct Shape {
  ShapeType type = ShapeType::kSphere;
  // sphere: (radius, -, -); box: half lengths (x, y, z); capsule: (radius, half length of the segment, -). [m]
  Eigen::Vector3d size = Eigen::Vector3d::Zero();

  static Shape Sphere(double radius) { return {ShapeType::kSphere, {radius, 0, 0}}; }
  static Shape Box(const Eigen::Vector3d& half) { return {ShapeType::kBox, half}; }
  static Shape Capsule(double radius, double half_length) {
    return {ShapeType::kCapsule, {radius, half_length, 0}};
  }
  double bounding_radius() const {  // around the shape's origin [m]
    if (type == ShapeType::kBox) return size.norm();
    return type == ShapeType::kCapsule ? size[0] + size[1] : size[0];
  }
};

struct Geometry {
  std::string name;
  int body = 0;    // index into Robot::bodies
  Pose placement;  // R_BG, p_BG
  Shape shape;
  std::string material = "default";
};

}  // namespace tread
