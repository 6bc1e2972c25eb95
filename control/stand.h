// Standing: joint PD about the initial pose, and the torques that hold the weight.
//
//   g_b = J_b' f   (6 base rows, f: 3 per foot)   ->   f = J_b (J_b' J_b)^-1 g_b, the smallest forces that carry the weight
//   tau = g_a - J_a' f,   tau_total = tau + kp (q* - q) + kd (0 - v)
//
// g = h(q, 0) is gravity's generalised force, J the Jacobian of the foot frames' origins. The forces ignore friction cones and may pull:
// right for a robot that stands on all feet on near level ground, not on steep slopes. A fixed-base robot has f = 0.
#pragma once

#include <memory>

#include "control/controller.h"

namespace tread {

// Throws std::invalid_argument for a floating robot without feet, or no robot.
std::unique_ptr<Controller> MakeStand(const ControllerConfig& config, std::unique_ptr<Robot> model,
                                      const GroundHeight&);

}  // namespace tread
