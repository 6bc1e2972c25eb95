// The robots and objects that can be had by name.
//
// Models are those of example-robot-data. Collision shapes are primitives only: those of the URDF (see urdf.h), or the
// ones stated in robot_table.cc where the URDF has meshes.
// Cassie is not here: its files are SDF, which our Pinocchio cannot read, and each has closed loops (a link with two
// parents, such as the foot), while Robot takes trees.
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

// Where the models are: the folder TREAD_ROBOT_DATA (environment), else the one found when tread was configured.
std::string RobotDataDir();

// Throws std::invalid_argument, with the nearest name, if there is none such; std::runtime_error if a file is missing.
std::unique_ptr<Robot> MakeRobot(const std::string& name);

// A free body of uniform density [kg], frame at its centre.
std::unique_ptr<Robot> MakeFreeBody(const std::string& name, const Shape& shape, double mass);

}  // namespace tread
