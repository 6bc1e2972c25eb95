// The search of `tread tune`: evaluation 0 is the config's own values, then the method proposes points, and every point is run on all seeds.
//
// Evaluations that the journal holds already are not run again, so a search that was stopped goes on where it was: methods are deterministic,
// and a point that differs from the journal's is refused. What is found does not depend on the number of jobs.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "experiments/tune/journal.h"
#include "experiments/tune/plan.h"

namespace tread {

struct TuneResult {
  std::vector<Evaluation> evaluations;
  std::size_t best = 0;  // the first of the lowest objective
  SearchEnd end = SearchEnd::kStopped;
  bool interrupted = false;                                 // the rest is not there then
  std::optional<Evaluation> own_validated, best_validated;  // on the seeds of --validate

  const Evaluation& own() const { return evaluations[0]; }
  const Evaluation& found() const { return evaluations[best]; }
};

// after_run: after every run, with the lowest objective so far. Throws std::runtime_error where a worker process died, std::invalid_argument
// where the journal is that of another search.
TuneResult Tune(const TunePlan& plan, int jobs, Journal* journal,
                const std::function<void(double)>& after_run);

nlohmann::ordered_json ResultJson(const TunePlan& plan, const TuneResult& result);

// Writes FOLDER/best.yaml: a config that extends the one tuned with the best values and the --set that were given; where that cannot say it (elements
// of lists), the whole config. Either way what it resolves to is checked.
void WriteBestConfig(const std::string& folder, const TunePlan& plan, const TuneResult& result);

}  // namespace tread
