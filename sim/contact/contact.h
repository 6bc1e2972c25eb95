// One contact point between two bodies, and what a step made of it.
//
// Frame: columns of `frame` are t1, t2, n in world axes; n points from body 1 into body 2 (the terrain is always body 1);
// t1 is world x projected on the tangent plane (world y where |n_x| > 0.9), t2 = n x t1. The relative velocity is that of
// body 2 minus that of body 1 at `point`, and the force acts on body 2 (its opposite on body 1).
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cmath>
#include <cstdint>

namespace tread {

// Geometry pair and feature (corner, end point, patch slot): the same while the contact lasts.
using ContactId = std::uint64_t;

struct BodyRef {
  int system = -1;  // index into the scene's systems; -1: the world (terrain)
  int body = 0;     // index into that robot's bodies
  bool operator==(const BodyRef&) const = default;
};

struct Contact {
  ContactId id = 0;
  BodyRef body1, body2;
  int geometry1 = -1, geometry2 = -1;               // indices into the scene's geometry list; -1: terrain
  int material1 = 0, material2 = 0;                 // indices into the scene's material list
  Eigen::Vector3d point = Eigen::Vector3d::Zero();  // [m], world
  Eigen::Matrix3d frame = Eigen::Matrix3d::Identity();
  double gap = 0;  // [m], negative when penetrating
  double mu = 0;
  Eigen::Vector3d force = Eigen::Vector3d::Zero();     // (t1, t2, n) [N], impulse / dt
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();  // (t1, t2, n) [m/s], at the end of the step
};

// The tangent frame rule above, for a unit normal n.
inline Eigen::Matrix3d ContactFrame(const Eigen::Vector3d& n) {
  const Eigen::Vector3d axis = std::abs(n.x()) > 0.9 ? Eigen::Vector3d::UnitY() : Eigen::Vector3d::UnitX();
  const Eigen::Vector3d t1 = (axis - axis.dot(n) * n).normalized();
  Eigen::Matrix3d frame;
  frame << t1, n.cross(t1), n;
  return frame;
}

}  // namespace tread
