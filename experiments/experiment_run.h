// One experiment from its config to its summary: the single loop that run, compare, sweep and tune go through.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "experiments/closed_loop.h"
#include "experiments/experiment_config.h"
#include "experiments/tick_log.h"

namespace tread {

// What a caller may see of a run while it goes on. Everything is optional.
struct RunHooks {
  std::string ticks_file;           // where ticks.csv goes, every config.log.every()-th tick; empty: nowhere
  long (*allocations)() = nullptr;  // heap allocations so far (cli/allocations.h), for allocations_per_tick
  // After every tick, with the row of all its columns. False ends the run early.
  std::function<bool(const ClosedLoop& loop, const TickLog& row)> after_tick;
};

// The summary (summary.h); null when after_tick ended the run. Throws std::invalid_argument as ClosedLoop does, before anything is
// written, and std::runtime_error when the disk is full.
nlohmann::ordered_json RunExperiment(const ExperimentConfig& config, const RunHooks& hooks = {});

}  // namespace tread
