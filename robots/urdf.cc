#include "robots/urdf.h"

#include <urdf_model/model.h>
#include <urdf_parser/urdf_parser.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <limits>
#include <stdexcept>

namespace tread {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Pose ToPose(const ::urdf::Pose& pose) {
  const auto& [x, y, z, w] = pose.rotation;
  return {Eigen::Quaterniond(w, x, y, z).toRotationMatrix(),
          {pose.position.x, pose.position.y, pose.position.z}};
}

// False for a mesh.
bool ToShape(const ::urdf::Geometry& geometry, Shape* shape) {
  if (geometry.type == ::urdf::Geometry::BOX) {
    const ::urdf::Vector3& dim = static_cast<const ::urdf::Box&>(geometry).dim;
    *shape = Shape::Box({dim.x / 2, dim.y / 2, dim.z / 2});
  } else if (geometry.type == ::urdf::Geometry::SPHERE) {
    *shape = Shape::Sphere(static_cast<const ::urdf::Sphere&>(geometry).radius);
  } else if (geometry.type == ::urdf::Geometry::CYLINDER) {
    const auto& cylinder = static_cast<const ::urdf::Cylinder&>(geometry);
    *shape = Shape::Capsule(cylinder.radius, std::max(0.0, cylinder.length / 2 - cylinder.radius));
  } else {
    return false;
  }
  return true;
}

}  // namespace

std::shared_ptr<::urdf::ModelInterface> ParseUrdf(const std::string& text) {
  std::shared_ptr<::urdf::ModelInterface> model = ::urdf::parseURDF(text);
  if (model == nullptr) throw std::invalid_argument("not a URDF: '" + text.substr(0, 60) + "...'");
  for (auto& [name, joint] : model->joints_) {
    if (joint->type != ::urdf::Joint::CONTINUOUS) continue;
    joint->type = ::urdf::Joint::REVOLUTE;
    const bool stated = joint->limits != nullptr;
    if (!stated) joint->limits = std::make_shared<::urdf::JointLimits>();
    joint->limits->lower = -kInfinity;
    joint->limits->upper = kInfinity;
    if (!stated) joint->limits->effort = joint->limits->velocity = kInfinity;
  }
  return model;
}

void AddUrdfShapes(RobotSpec* spec) {
  const std::shared_ptr<::urdf::ModelInterface> model = ParseUrdf(spec->urdf);
  for (const auto& [link_name, link] : model->links_) {
    int count = 0;
    for (const auto& collision : link->collision_array) {
      Geometry geometry;
      if (collision->geometry == nullptr || !ToShape(*collision->geometry, &geometry.shape)) continue;
      geometry.placement = ToPose(collision->origin);
      geometry.name = link_name + "_" + std::to_string(count++);
      spec->link_geometries.emplace_back(link_name, geometry);
    }
  }
}

}  // namespace tread
