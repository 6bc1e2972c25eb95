// The motion of a run for the 3-D section of its page: what moves, 50 times per second, the ground around it, and the forces on the feet.
//
// The scene is made anew from the config, and its systems are put where ticks.csv says. Joints of further robots (scene.robots) are not
// in the log: they stay as they began.
#pragma once

#include <string>

#include "experiments/experiment_config.h"
#include "experiments/report/page.h"
#include "experiments/report/ticks_table.h"

namespace tread {

// Adds the section. Throws std::invalid_argument for a log that does not belong to the config.
void AddReplay(const ExperimentConfig& config, const TicksTable& ticks, Page* page);

}  // namespace tread
