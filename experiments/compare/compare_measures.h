// What a comparison measures on its runs, unit by unit.
#pragma once

#include <vector>

#include "experiments/compare/compare_runs.h"

namespace tread {

inline constexpr double kNear = 0.01;  // [m] threshold of the time to divergence

// A column's run against the reference's of the same unit; nan where either has died, and for a replay that was not made.
struct PairMeasures {
  double dv = 0;                                    // [m/s] VelocityDifference
  double to_near = 0, rate = 0;                     // [s] to kNear, infinite: never; [1/s] DivergenceRate
  double replay_to_near = 0, replay_rate = 0;       // the same in open loop
  std::vector<double> distances, replay_distances;  // [m]
};

struct CompareMeasures {
  std::vector<std::vector<PairMeasures>> pairs;  // [column][unit]
  std::vector<std::size_t>
      first;  // per unit: the first with the same trajectories in every column, itself where there is none before
  std::vector<std::size_t> distinct;  // units that are their own first: the sample of all statistics
};

// A unit whose runs are those of another one under every backend (a seed that nothing depends on) is no second observation.
CompareMeasures Measure(const ComparePlan& plan, const CompareResult& result);

// Median and quartiles of distances over time. A pair that has ended keeps its last distance, or those that fell would leave the sample
// just when they are far apart.
struct GapCurve {
  std::vector<double> t, median, q1, q3;
};
GapCurve ReduceCurves(const std::vector<const std::vector<double>*>& curves, double period,
                      std::size_t points);

}  // namespace tread
