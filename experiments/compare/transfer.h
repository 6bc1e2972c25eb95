// Do backends agree on which candidate is best, and what is one lost by choosing under the wrong backend?
//
// objective of a candidate under a backend: mean over seeds of the rms error of the gait-averaged planar velocity, sqrt(vx^2 + vy^2) [m/s];
// a run that does not complete counts as kFallPenalty instead. A run whose process died is left out.
// kendall[a][b]: tau-b of the candidates' objectives under a and b: 1 same order, -1 reversed, about 0 unrelated.
// transfer[a][b]: objective under b of the candidate best under a, over that of the candidate best under b. 1: nothing lost.
#pragma once

#include <cstddef>
#include <vector>

#include "experiments/compare/compare_runs.h"

namespace tread {

inline constexpr double kFallPenalty = 1.0;  // [m/s]

struct Transfer {
  std::vector<std::vector<double>> objective;          // [column][candidate]; nan where no run is left
  std::vector<std::size_t> best;                       // per column, the first of equals
  std::vector<std::vector<double>> kendall, transfer;  // [column][column]
};

Transfer ComputeTransfer(const std::vector<std::vector<double>>& objective);
std::vector<std::vector<double>> Objectives(const ComparePlan& plan, const CompareResult& result);

}  // namespace tread
