// What every controller is: an observation in, a joint command out, once per control tick.
//
// A controller has a robot model of its own; it never sees the simulator, its friction or its ground. Update does not allocate.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "robots/robot.h"
#include "robots/state.h"

namespace tread {

struct Observation {
  double t = 0;        // [s]
  const State* state;  // of the controlled robot, as the controller is allowed to know it
};

// What the controller wanted: for the log, never read by the simulator.
struct ControlReport {
  std::vector<char> scheduled;                        // per foot: in stance
  std::vector<Eigen::Vector3d> planned_forces;        // per foot, on the robot, world axes [N]
  Eigen::Vector3d command = Eigen::Vector3d::Zero();  // vx, vy [m/s], wz [rad/s] in heading axes (yaw only)
  double averaging_window = 0.32;  // [s] over which velocities are averaged: one gait period
  double steady_from = 1.0;        // [s] tracking errors count from here on
};

class Controller {
 public:
  virtual ~Controller() = default;
  virtual void Reset(const State& state) = 0;
  virtual const JointCommand& Update(const Observation& observation) = 0;
  virtual const ControlReport& report() const = 0;
};

struct StandConfig {
  double kp = 6.0;  // [N m/rad] too low: the pose sags under a push; too high: light legs chatter
  double kd = 0.3;  // [N m s/rad]
};

struct ControllerConfig {
  std::string type = "passive";
  double period = 0.001;  // [s]
  StandConfig stand;
};

struct ControllerEntry {
  const char* name;
  const char* summary;
  std::unique_ptr<Controller> (*make)(const ControllerConfig&, std::unique_ptr<Robot> model);
};
const std::vector<ControllerEntry>& ControllerTable();

// model: the controller's own; null in a scene without robots, which only a passive controller accepts. Throws std::invalid_argument
// "controller.type = ...: remedy".
std::unique_ptr<Controller> MakeController(const ControllerConfig& config, std::unique_ptr<Robot> model);

}  // namespace tread
