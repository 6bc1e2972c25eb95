// A sweep in its folder, as `tread sweep` runs it:
//
//   plan.json  config.yaml (of run 0)  journal.I-of-N.jsonl  results.csv  results.sqlite
//
// Every run has a process of its own. Shards may share a folder, at the same time or one after another; whichever finds all runs made
// writes the results. The rows do not depend on jobs, shards, or on what was killed and gone on with.
#pragma once

#include <string>

#include "experiments/sweep/sweep_journal.h"
#include "experiments/sweep/sweep_plan.h"
#include "experiments/sweep/sweep_results.h"

namespace tread {

struct SweepOptions {
  SweepRequest request;
  std::string out;  // empty: runs/NAME-sweep, or -sweep-2, ...
  SweepShard shard;
  bool has_shard = false, resume = false;
  int jobs = 1;
};

struct SweepResult {
  std::string folder;
  SweepPlan plan;
  std::size_t missing = 0, died = 0;  // of all runs of the plan
  int signal = 0;                     // that stopped it
  SweepTable table;                   // of all runs, once none is missing
};

// Checks all points, makes the folder or finds the plan in it to be the same, and writes the plan. Nothing is run.
// Throws std::invalid_argument before anything is written.
SweepResult PrepareSweep(const SweepOptions& options);

// PrepareSweep, then the runs of the shard that are not in a journal yet, or died; then the results, where nothing is missing.
SweepResult RunSweep(const SweepOptions& options);

// What the journals in the folder have, of as many runs as there are; writes nothing.
SweepResult ReadSweep(const std::string& folder);

// The same, and the results written anew.
SweepResult GatherSweep(const std::string& folder);

}  // namespace tread
