// What every controller is: an observation in, a joint command out, once per control tick.
//
// A controller has a robot model of its own; it never sees the simulator, its friction or its ground. Update does not allocate.
#pragma once

#include <Eigen/Core>
#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "control/footsteps.h"
#include "control/gait.h"
#include "control/mpc/mpc.h"
#include "control/swing.h"
#include "control/velocity_command.h"
#include "control/wbc.h"
#include "robots/robot.h"
#include "robots/state.h"

namespace tread {

struct Observation {
  double t = 0;                        // [s]
  const State* state;                  // of the controlled robot, as the controller is allowed to know it
  std::array<double, 4> foot_force{};  // measured normal force of the first four feet [N]
};

// What the controller wanted: for the log, never read by the simulator.
struct ControlReport {
  std::vector<char> scheduled;                        // per foot: in stance
  std::vector<Eigen::Vector3d> planned_forces;        // per foot, on the robot, world axes [N]
  Eigen::Vector3d command = Eigen::Vector3d::Zero();  // vx, vy [m/s], wz [rad/s] in heading axes (yaw only)
  std::vector<Eigen::Vector3d> footholds;  // per foot: where it stands or will land, world axes [m]
  int mpc_status = 0, mpc_iterations = 0, mpc_failures = 0, wbc_status = 0, wbc_iterations = 0,
      wbc_failures = 0;
  double mpc_primal = 0, mpc_dual = 0, mpc_age = 0;  // residuals; age of the plan in use [s]
  double mpc_us = 0, wbc_us = 0;                     // wall-clock time of this tick's solves; 0: none
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

// When a plan of the MPC takes effect.
struct TimingConfig {
  std::string mode = "delay";  // sync | delay | thread
  double delay = 0.004;        // [s]
};

struct CentroidalConfig {
  GaitConfig gait;
  FootstepConfig footsteps;
  SwingConfig swing;
  MpcConfig mpc;
  WbcConfig wbc;
  TimingConfig timing;
  bool terrain_aware = false;  // footholds at the ground's height there, instead of the last one met
  bool early_touchdown =
      true;  // a foot that meets the ground in the last 30 % of its swing stands from then on
  double touchdown_force = 2.0;  // [N]
};

struct ControllerConfig {
  std::string type = "passive";
  double period = 0.001;  // [s]
  StandConfig stand;
  CentroidalConfig centroidal;
  CommandConfig command;
};

// Height of the ground at (x, y) [m], for a controller that is allowed to know it; empty: blind.
using GroundHeight = std::function<double(double, double)>;

struct ControllerEntry {
  const char* name;
  const char* summary;
  std::unique_ptr<Controller> (*make)(const ControllerConfig&, std::unique_ptr<Robot> model,
                                      const GroundHeight&);
};
const std::vector<ControllerEntry>& ControllerTable();

// model: the controller's own; null in a scene without robots, which only a passive controller accepts. Throws std::invalid_argument
// "controller.type = ...: remedy".
std::unique_ptr<Controller> MakeController(const ControllerConfig& config, std::unique_ptr<Robot> model,
                                           const GroundHeight& ground = {});

}  // namespace tread
