// Walking: gait, footsteps and swing at every tick, forces from the centroidal MPC every few, torques from whole-body control at every tick.
//
// The contact schedule is the gait's clock; a swing foot that meets the ground late in its swing is taken into stance early (`early_touchdown`). The MPC sees the
// state of the tick it is called at; its plan takes effect `delay` later (timing.mode: delay, whole ticks, the same on every machine), at once (sync), or
// when a thread has finished it (thread: not reproducible). Its friction and its knowledge of the ground are its own: mpc.friction, terrain_aware.
// Heading axes: base position and yaw of the tick, x forward. Quadrupeds with feet FL, FR, HL, HR of three joints each.
// Reference: Leziart et al. 2021; Di Carlo et al. 2018.
#pragma once

#include <memory>

#include "control/controller.h"

namespace tread {

std::unique_ptr<Controller> MakeCentroidal(const ControllerConfig& config, std::unique_ptr<Robot> model,
                                           const GroundHeight& ground);

}  // namespace tread
