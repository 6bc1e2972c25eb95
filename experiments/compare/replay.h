// Open loop: the joint torques of one run, given to other backends from the same initial state without any feedback.
//
// A walking robot without feedback is unstable, so every difference grows, that between two solvers of one law as well: what counts is how
// much earlier a backend leaves than the control does, and the rate at which it leaves. In the backend that made the torques the replay is
// the run itself, bit for bit.
#pragma once

#include <vector>

#include "experiments/compare/trajectory.h"
#include "experiments/experiment_config.h"

namespace tread {

// Runs `reference` in closed loop, then its torques in every one of `configs`; per config the distances [m] from the reference's path
// (Distances), up to the first end of the two. `period` gets the time between samples.
std::vector<std::vector<double>> ReplayDistances(const ExperimentConfig& reference,
                                                 const std::vector<ExperimentConfig>& configs,
                                                 double* period);

}  // namespace tread
