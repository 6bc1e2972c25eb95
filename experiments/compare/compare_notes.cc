#include "experiments/compare/compare_notes.h"

#include <algorithm>
#include <cstdio>

namespace tread {

std::vector<std::string> CompareNotes(const ComparePlan& plan, const CompareResult& result,
                                      const CompareMeasures& measures) {
  std::vector<std::string> notes = plan.notes;
  const std::size_t alike = plan.units() - measures.distinct.size();
  if (alike > 0) {
    const bool all = measures.distinct.size() == plan.candidates.size();
    notes.push_back((all ? "the seed makes no difference here: nothing in this configuration draws on it; "
                         : std::to_string(alike) + " of " + std::to_string(plan.units()) +
                               " units repeat another one exactly, under every backend; ") +
                    std::string("equal runs count once in all statistics, n = ") +
                    std::to_string(measures.distinct.size()));
  }
  double control = 0;
  for (const PairMeasures& pair : measures.pairs[plan.reference]) {
    for (const double distance : pair.replay_distances) control = std::max(control, distance);
  }
  if (control > 0) {
    char metres[32];
    std::snprintf(metres, sizeof metres, "%.2g", control);
    notes.push_back(std::string("torques replayed in the reference itself lead elsewhere, up to ") + metres +
                    " m: it is not reproducible");
  }
  for (std::size_t c = 0; c < plan.columns.size(); ++c) {
    if (plan.columns[c].role == Role::kModel) continue;
    const auto unsolved = std::count_if(result.runs[c].begin(), result.runs[c].end(),
                                        [](const CompareRun& run) { return run.unconverged_share > 0; });
    if (unsolved > 0)
      notes.push_back(plan.columns[c].name + " (" + Name(plan.columns[c].role) +
                      ") did not always converge, in " + std::to_string(unsolved) +
                      " runs: distances to it and its own are partly those of failed solves");
  }
  for (std::size_t c = 0; c < plan.columns.size(); ++c) {
    for (std::size_t u = 0; u < plan.units(); ++u) {
      const CompareRun& run = result.runs[c][u];
      if (run.outcome == "died")
        notes.push_back(plan.columns[c].name + ", seed " + std::to_string(plan.Seed(u)) +
                        " died: " + run.reason);
    }
  }
  for (std::size_t u = 0; u < result.replays.size(); ++u) {
    if (!result.replays[u].ran && !result.replays[u].reason.empty())
      notes.push_back("replay of seed " + std::to_string(plan.Seed(u)) +
                      " died: " + result.replays[u].reason);
  }
  return notes;
}

}  // namespace tread
