#include "experiments/compare/compare_measures.h"

#include <algorithm>
#include <limits>
#include <map>

#include "experiments/compare/statistics.h"

namespace tread {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

PairMeasures MeasurePair(const CompareRun& run, const CompareRun& reference) {
  PairMeasures pair{.dv = kNan,
                    .to_near = kNan,
                    .rate = kNan,
                    .replay_to_near = kNan,
                    .replay_rate = kNan,
                    .distances = {},
                    .replay_distances = {}};
  if (!run.ran() || !reference.ran()) return pair;
  const double period = reference.trajectory.period;
  pair.distances = Distances(run.trajectory, reference.trajectory);
  pair.dv = VelocityDifference(run.trajectory, reference.trajectory);
  pair.to_near = TimeToThreshold(pair.distances, period, kNear);
  pair.rate = DivergenceRate(pair.distances, period);
  return pair;
}

std::string Fingerprint(const CompareResult& result, std::size_t unit) {
  std::string all;
  for (const auto& column : result.runs) {
    const CompareRun& run = column[unit];
    all += run.outcome + (run.ran() ? ToBytes(run.trajectory) : std::to_string(unit)) + ";";
  }
  return all;
}

}  // namespace

CompareMeasures Measure(const ComparePlan& plan, const CompareResult& result) {
  CompareMeasures measures;
  for (std::size_t c = 0; c < plan.columns.size(); ++c) {
    measures.pairs.emplace_back();
    for (std::size_t u = 0; u < plan.units(); ++u) {
      PairMeasures pair = MeasurePair(result.runs[c][u], result.runs[plan.reference][u]);
      if (u < result.replays.size() && result.replays[u].ran) {
        const CompareReplay& replay = result.replays[u];
        pair.replay_distances = replay.distances[c];
        pair.replay_to_near = TimeToThreshold(pair.replay_distances, replay.period, kNear);
        pair.replay_rate = DivergenceRate(pair.replay_distances, replay.period);
      }
      measures.pairs.back().push_back(std::move(pair));
    }
  }
  std::map<std::size_t, std::vector<std::size_t>> by_hash;
  for (std::size_t u = 0; u < plan.units(); ++u) {
    const std::string print = Fingerprint(result, u);
    std::vector<std::size_t>& alike = by_hash[std::hash<std::string>()(print)];
    const auto same = std::find_if(alike.begin(), alike.end(),
                                   [&](std::size_t other) { return Fingerprint(result, other) == print; });
    measures.first.push_back(same == alike.end() ? u : *same);
    if (same != alike.end()) continue;
    alike.push_back(u);
    measures.distinct.push_back(u);
  }
  return measures;
}

GapCurve ReduceCurves(const std::vector<const std::vector<double>*>& curves, double period,
                      std::size_t points) {
  std::size_t longest = 0;
  for (const auto* curve : curves) longest = std::max(longest, curve->size());
  const std::size_t stride = std::max<std::size_t>(1, (longest + points - 1) / points);
  GapCurve reduced;
  for (std::size_t i = stride - 1; i < longest; i += stride) {
    std::vector<double> values;
    for (const auto* curve : curves) {
      if (!curve->empty()) values.push_back((*curve)[std::min(i, curve->size() - 1)]);
    }
    reduced.t.push_back(static_cast<double>(i + 1) * period);
    reduced.median.push_back(Quantile(values, 0.5));
    reduced.q1.push_back(Quantile(values, 0.25));
    reduced.q3.push_back(Quantile(values, 0.75));
  }
  return reduced;
}

}  // namespace tread
