#include "experiments/compare/replay.h"

namespace tread {
namespace {

Trajectory Run(ClosedLoop* loop) {
  TrajectoryRecorder recorder;
  while (loop->Tick()) recorder.Add(*loop, nullptr);
  return recorder.trajectory();
}

}  // namespace

std::vector<std::vector<double>> ReplayDistances(const ExperimentConfig& reference,
                                                 const std::vector<ExperimentConfig>& configs,
                                                 double* period) {
  TorqueTape tape;
  ClosedLoop recorded(reference);
  recorded.Record(&tape);
  const Trajectory path = Run(&recorded);
  *period = path.period;
  std::vector<std::vector<double>> distances;
  for (const ExperimentConfig& config : configs) {
    ClosedLoop replayed(config);
    replayed.Replay(&tape);
    distances.push_back(Distances(Run(&replayed), path));
  }
  return distances;
}

}  // namespace tread
