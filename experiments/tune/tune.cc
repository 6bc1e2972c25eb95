#include "experiments/tune/tune.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>
#include <stdexcept>

#include "experiments/experiment_run.h"
#include "experiments/worker_pool.h"

namespace tread {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr const char* kRefused = "refused ";

// One run, in a process of its own, as text: "fell entry entry ...", or "refused WHY".
std::string RunPoint(const TunePlan& plan, const std::vector<double>& values, std::int64_t seed) {
  std::vector<std::string> overrides = plan.Overrides(values);
  overrides.push_back("run.seed=" + std::to_string(seed));
  nlohmann::ordered_json summary;
  try {
    summary = RunExperiment(LoadExperiment(plan.request.config, overrides));
  } catch (const std::invalid_argument& error) {
    return kRefused + std::string(error.what());
  }
  const auto scalars = ScalarEntries(summary);
  const std::map<std::string, double> by_name(scalars.begin(), scalars.end());
  std::string text = summary["outcome"] == "completed" ? "0" : "1";
  for (const std::string& entry : plan.objective.entries()) {
    const auto found = by_name.find(entry);
    text += " " + (found == by_name.end() ? "nan" : NumberText(found->second));
  }
  return text;
}

RunScalars ReadScalars(const std::string& text) {
  std::istringstream words(text);
  std::string word;
  words >> word;
  RunScalars run{word == "1", {}};
  while (words >> word) {
    double x = 0;
    std::from_chars(word.data(), word.data() + word.size(), x);
    run.values.push_back(x);
  }
  return run;
}

// Points on seeds: their runs side by side, their evaluations in order.
class Evaluator {
 public:
  Evaluator(const TunePlan& plan, int jobs, std::function<void()> after_run)
      : plan_(plan), jobs_(jobs), after_run_(std::move(after_run)) {}

  // finished(i, evaluation) for one point after the other. False: interrupted.
  bool Run(const std::vector<std::vector<double>>& points, const SeedRange& seeds, long first_index,
           const std::function<void(std::size_t, const Evaluation&)>& finished) const {
    const std::size_t n = seeds.size();
    const auto seed_of = [&](std::size_t task) { return seeds.first + static_cast<std::int64_t>(task % n); };
    std::vector<std::size_t> tasks(points.size() * n), missing(points.size(), n);
    std::iota(tasks.begin(), tasks.end(), std::size_t{0});
    std::vector<std::string> outputs(tasks.size());
    std::size_t next = 0;
    const auto done = [&](const TaskResult& result) {
      if (result.died)
        throw std::runtime_error("evaluation " +
                                 std::to_string(first_index + static_cast<long>(result.task / n)) +
                                 ", seed " + std::to_string(seed_of(result.task)) + ": " + result.output +
                                 "; --resume goes on from the evaluations before");
      outputs[result.task] = result.output;
      --missing[result.task / n];
      after_run_();
      for (; next < points.size() && missing[next] == 0; ++next)
        finished(next, Evaluate(points[next], &outputs[next * n], n));
      return true;
    };
    return RunTasks(
        tasks, jobs_, [&](std::size_t task) { return RunPoint(plan_, points[task / n], seed_of(task)); },
        done);
  }

 private:
  Evaluation Evaluate(const std::vector<double>& values, const std::string* outputs,
                      std::size_t count) const {
    std::vector<RunScalars> runs;
    Evaluation evaluation;
    evaluation.values = values;
    for (std::size_t i = 0; i < count; ++i) {
      if (outputs[i].rfind(kRefused, 0) == 0) {  // two keys that do not go together: as bad as can be
        evaluation.objective = kInfinite;
        evaluation.falls = static_cast<long>(count);
        evaluation.means.assign(plan_.objective.entries().size(), std::nan(""));
        return evaluation;
      }
      runs.push_back(ReadScalars(outputs[i]));
    }
    evaluation.objective = plan_.objective.Value(runs);
    evaluation.falls = CountFalls(runs);
    evaluation.means = MeanEntries(runs);
    return evaluation;
  }

  const TunePlan& plan_;
  int jobs_;
  std::function<void()> after_run_;
};

// The evaluations of a search, from the journal as far as it goes.
class Search {
 public:
  Search(const TunePlan& plan, const Evaluator& evaluator, Journal* journal, TuneResult* result)
      : plan_(plan), evaluator_(evaluator), journal_(*journal), result_(*result) {}

  bool Evaluate(std::vector<std::vector<double>> points, std::vector<double>* objectives) {
    auto& all = result_.evaluations;
    const std::size_t first = all.size(), left = static_cast<std::size_t>(plan_.request.budget) - first;
    const bool cut = points.size() > left;  // the last generation
    if (cut) points.resize(left);
    std::size_t known = 0;
    for (; known < points.size() && first + known < journal_.found().size(); ++known) {
      const Evaluation& found = journal_.found()[first + known];
      if (found.values != points[known])
        throw std::invalid_argument(
            "--resume: evaluation " + std::to_string(found.index) +
            " of evaluations.csv is not what this search proposes; choose another --out");
      Add(found);
    }
    points.erase(points.begin(), points.begin() + static_cast<std::ptrdiff_t>(known));
    const auto finished = [&](std::size_t, Evaluation evaluation) {
      evaluation.index = static_cast<long>(all.size());
      evaluation.generation = generation_;
      journal_.Append(evaluation);
      Add(evaluation);
    };
    const auto index = static_cast<long>(all.size());
    result_.interrupted = !points.empty() && !evaluator_.Run(points, plan_.seeds, index, finished);
    ++generation_;
    if (result_.interrupted || cut) return false;
    for (std::size_t i = first; i < all.size(); ++i) objectives->push_back(all[i].objective);
    return true;
  }

 private:
  void Add(const Evaluation& evaluation) {
    result_.evaluations.push_back(evaluation);
    if (evaluation.objective < result_.found().objective) result_.best = result_.evaluations.size() - 1;
  }

  const TunePlan& plan_;
  const Evaluator& evaluator_;
  Journal& journal_;
  TuneResult& result_;
  long generation_ = 0;
};

void Validate(const TunePlan& plan, const Evaluator& evaluator, TuneResult* result) {
  std::vector<std::vector<double>> points = {result->own().values};
  if (result->best != 0) points.push_back(result->found().values);
  const auto finished = [&](std::size_t i, Evaluation evaluation) {
    evaluation.index = i == 0 ? 0 : result->found().index;
    if (i == 0) result->own_validated = evaluation;
    result->best_validated = evaluation;
  };
  result->interrupted = !evaluator.Run(points, plan.validation, 0, finished);
}

nlohmann::ordered_json EvaluationJson(const TunePlan& plan, const Evaluation& e) {
  nlohmann::ordered_json json = {{"evaluation", e.index}, {"objective", e.objective}, {"falls", e.falls}};
  for (std::size_t i = 0; i < plan.axes.size(); ++i) json["values"][plan.axes[i].key] = e.values[i];
  for (std::size_t i = 0; i < e.means.size(); ++i) json["means"][plan.objective.entries()[i]] = e.means[i];
  return json;
}

}  // namespace

TuneResult Tune(const TunePlan& plan, int jobs, Journal* journal,
                const std::function<void(double)>& after_run) {
  TuneResult result;
  const Evaluator evaluator(
      plan, jobs, [&] { after_run(result.evaluations.empty() ? kInfinite : result.found().objective); });
  Search search(plan, evaluator, journal, &result);
  std::vector<double> objectives;
  if (search.Evaluate({plan.OwnValues()}, &objectives)) {
    result.end = Minimise(*plan.method, plan.Start(), static_cast<std::uint64_t>(plan.request.search_seed),
                          [&](const std::vector<Point>& points, std::vector<double>* values) {
                            std::vector<std::vector<double>> scaled;
                            for (const Point& point : points) scaled.push_back(plan.FromUnit(point));
                            return search.Evaluate(std::move(scaled), values);
                          });
  }
  if (!result.interrupted && plan.has_validation) Validate(plan, evaluator, &result);
  return result;
}

nlohmann::ordered_json ResultJson(const TunePlan& plan, const TuneResult& result) {
  nlohmann::ordered_json json;
  json["objective"] = plan.request.objective;
  json["method"] = plan.request.method;
  json["evaluations"] = result.evaluations.size();
  json["ended"] = result.end == SearchEnd::kConverged ? "converged" : "budget";
  json["seeds"] = plan.seeds.text();
  json["own"] = EvaluationJson(plan, result.own());
  json["best"] = EvaluationJson(plan, result.found());
  json["validation"] = nullptr;
  if (result.own_validated)
    json["validation"] = {{"seeds", plan.validation.text()},
                          {"own", EvaluationJson(plan, *result.own_validated)},
                          {"best", EvaluationJson(plan, *result.best_validated)}};
  return json;
}

}  // namespace tread
