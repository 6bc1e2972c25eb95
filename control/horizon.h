// The robot as the centroidal MPC sees it: the present state and the schedule turned into a CentroidalProblem.
//
// Heading axes, origin at the base's x and y, z of the world. Feet that stand keep their place; feet that land within the horizon get the foothold that the
// footstep planner gives for that time. The reference moves with the commanded twist from where the robot is: no pull towards a place.
#pragma once

#include <Eigen/Core>
#include <array>

#include "control/footsteps.h"
#include "control/gait.h"
#include "control/mpc/centroidal.h"
#include "robots/robot.h"

namespace tread {

struct HorizonInput {
  const Robot* robot = nullptr;  // holds the terms of the present state
  const Gait* gait = nullptr;
  long tick = 0;
  int ticks_per_node = 20;
  double yaw = 0, yaw_error = 0;                 // heading; wanted minus measured [rad]
  Eigen::Vector3d command;                       // vx, vy, wz
  double center_height = 0;                      // wanted height of the centre of mass [m]
  std::array<char, 4> standing{}, early{};       // now; in stance before its time
  std::array<Eigen::Vector3d, 4> feet, targets;  // world: where they are; where swinging ones will land
  std::array<Eigen::Vector2d, 4> shoulders;      // feet at home
  Eigen::Vector2d velocity;                      // averaged, heading axes
  double base_height = 0;                        // above the feet [m]
  FootstepConfig footsteps;
};

void FillHorizon(const HorizonInput& input, CentroidalProblem* problem);

}  // namespace tread
