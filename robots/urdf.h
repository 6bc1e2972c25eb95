// What tread takes from a URDF text besides the dynamics, which Pinocchio reads.
//
// Limit: a mesh gives no shape here; a cylinder becomes a capsule of the same radius and, where it is at least the
// diameter, the same length (its flat ends become round).
#pragma once

#include <memory>
#include <string>

#include "robots/robot.h"

namespace urdf {
class ModelInterface;  // of urdfdom
}

namespace tread {

// The parsed text, its continuous joints made revolute without bounds (Pinocchio would give them two coordinates, cosine
// and sine). Throws std::invalid_argument if it is not a URDF.
std::shared_ptr<::urdf::ModelInterface> ParseUrdf(const std::string& text);

// Appends the boxes, spheres and cylinders of spec->urdf to spec->link_geometries, named LINK_0, LINK_1, ...
void AddUrdfShapes(RobotSpec* spec);

}  // namespace tread
