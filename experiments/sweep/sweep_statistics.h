// A sweep by point: what its seeds have in common.
#pragma once

#include <string>
#include <vector>

#include "experiments/sweep/sweep_results.h"

namespace tread {

struct SweepSpread {
  double median, low, high;  // low, high: quartiles, or a 95 % interval; nan without values
};

struct SweepPoint {
  std::vector<std::string> values;  // of the axes, as in the plan
  std::string name;                 // "sim.dt=0.001, friction=0.3"
  int runs = 0, completed = 0;      // runs that are done; of these, with outcome completed
  SweepSpread error;                // [m/s] rms error of the gait-averaged vx, over completed runs, quartiles
  SweepSpread lost;                 // share that fell, diverged or failed; Wilson's score interval
  SweepSpread iterations, solve_us;  // of the solver per tick, means of all done runs, quartiles
};

std::vector<SweepPoint> SummarisePoints(const SweepPlan& plan, const SweepTable& table);

// One line per point, for a terminal.
void PrintSweepTable(const SweepPlan& plan, const SweepTable& table);

}  // namespace tread
