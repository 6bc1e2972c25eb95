// The robots and objects that can be had by name.
//
// Models are read from the folder TREAD_ROBOT_DATA (environment), else from the one found when tread was configured.
// Collision shapes are primitives only: meshes in a URDF are left out, cylinders become capsules of the same radius and,
// where it is at least the diameter, the same length.
// Cassie is not here: its files are SDF with closed loops, and Robot takes URDF trees.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "robots/robot.h"

namespace tread {

struct RobotEntry {
  std::string name;
  std::string summary;
  std::string kind;  // "robot" or "object"
};

const std::vector<RobotEntry>& RobotTable();

// Throws std::invalid_argument, with the nearest name, if there is none such; std::runtime_error if a file is missing.
std::unique_ptr<Robot> MakeRobot(const std::string& name);

// A free body of uniform density [kg], frame at its centre.
std::unique_ptr<Robot> MakeFreeBody(const std::string& name, const Shape& shape, double mass);

}  // namespace tread
