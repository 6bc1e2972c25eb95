// The runs of a comparison, in worker processes, and what is kept of each.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "experiments/compare/compare_plan.h"
#include "experiments/compare/trajectory.h"

namespace tread {

// One closed loop: numbers of its summary (summary.h), nan for those it does not have.
struct CompareRun {
  std::string outcome;  // as in the summary, "died" for a process that did, "" for one that was not run
  std::string reason;
  double end_time = 0;                // [s]
  double vx_error = 0, vy_error = 0;  // [m/s] rms of the gait-averaged velocity's error
  double eps_d_mean = 0, eps_d_max = 0, eps_c_mean = 0, eps_c_max = 0;  // the exact law's
  double unconverged_share = 0, iterations = 0;
  double slip = 0, cost_of_transport = 0, work = 0;  // [m], 1, [J]
  double slope_p95 = 0, slope_max = 0;
  double solve_p50_us = 0, step_us = 0, tick_us = 0;
  Trajectory trajectory;

  bool ran() const { return outcome != "died" && !outcome.empty(); }
  bool completed() const { return outcome == "completed"; }
};

// The reference's torques of one unit in every column.
struct CompareReplay {
  bool ran = false;
  std::string reason;  // why not
  double period = 0.01;
  std::vector<std::vector<double>> distances;  // [column][sample], m
};

struct CompareResult {
  std::vector<std::vector<CompareRun>> runs;  // [column][unit]
  std::vector<CompareReplay> replays;         // [unit]; empty without replay
};

// done(tasks so far, of all, failures so far) after every task. False when it was interrupted; the result then has what was finished. The
// result does not depend on `jobs`, times of the wall clock apart.
bool RunComparison(const ComparePlan& plan, int jobs, const std::function<void(long, long, long)>& done,
                   CompareResult* result);

}  // namespace tread
