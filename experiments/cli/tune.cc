// tread tune: a search over keys of a config, its journal, and the config it ends with.
#include "experiments/tune/tune.h"

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

#include "experiments/cli/commands.h"
#include "experiments/cli/interrupt.h"
#include "experiments/cli/option_overrides.h"
#include "experiments/progress.h"
#include "experiments/report/tune_page.h"
#include "experiments/run_folder.h"

namespace tread {
namespace {

struct TuneOptions {
  TuneRequest request;
  std::optional<std::string> backend, out;
  int jobs = 1;
  bool resume = false, json = false;
};

std::string NameOf(const TuneOptions& options) {
  return "tune-" + std::filesystem::path(options.request.config).stem().string();
}

// The folder of the search to go on with.
std::string FolderToResume(const TuneOptions& options, const TunePlan& plan) {
  const std::string dir = options.out.value_or("runs/" + NameOf(options));
  std::ifstream file(dir + "/plan.json");
  if (!file)
    throw std::invalid_argument("--resume: " + dir + " holds no plan.json; name the folder with --out");
  nlohmann::ordered_json before;
  try {
    before = nlohmann::ordered_json::parse(file);
  } catch (const nlohmann::json::exception&) {
    throw std::invalid_argument("--resume: " + dir + "/plan.json cannot be read; choose another --out");
  }
  plan.CheckContinues(before, dir);
  return dir;
}

std::string NewFolder(const TuneOptions& options) {
  std::error_code error;
  if (options.out && options.out->empty())
    throw std::invalid_argument("--out '': no name; name a folder, or leave --out away for runs/" +
                                NameOf(options));
  if (options.out && std::filesystem::is_directory(*options.out, error))
    throw std::invalid_argument(
        "--out " + *options.out +
        ": exists; --resume to go on with the search in it, or choose another folder");
  RunFolder folder(options.out.value_or(""), NameOf(options), false);
  folder.Start();
  return folder.path();
}

std::string Percent(double before, double after) {
  char text[32];
  std::snprintf(text, sizeof(text), "%+.1f %%", 100 * (after - before) / std::abs(before));
  return std::isfinite(before) && std::isfinite(after) && before != 0 ? text : "-";
}

void PrintResult(const TunePlan& plan, const TuneResult& result, const std::string& dir) {
  const auto row = [](const char* what, const SeedRange& seeds, const Evaluation& own,
                      const Evaluation& best) {
    std::printf("  %-12s %-12.6g %-12.6g %-10s %ld and %ld of %zu fell, seeds %s\n", what, own.objective,
                best.objective, Percent(own.objective, best.objective).c_str(), own.falls, best.falls,
                seeds.size(), seeds.text().c_str());
  };
  std::printf("%s  %s, %zu evaluations of %zu seeds, %s\n",
              result.best == 0 ? "nothing better found" : "tuned", plan.request.method.c_str(),
              result.evaluations.size(), plan.seeds.size(),
              result.end == SearchEnd::kConverged ? "converged" : "budget spent");
  std::printf("  objective    %s\n", plan.request.objective.c_str());
  std::printf("               %-12s %-12s change\n", "own values",
              ("number " + std::to_string(result.found().index)).c_str());
  row("tuning", plan.seeds, result.own(), result.found());
  if (result.own_validated) {
    row("validation", plan.validation, *result.own_validated, *result.best_validated);
  } else {
    std::printf("  validation   none; numbers on the seeds tuned on flatter (--validate A-B)\n");
  }
  for (std::size_t i = 0; i < plan.axes.size(); ++i)
    std::printf("  %-12s %s: %.6g -> %.6g\n", i == 0 ? "keys" : "", plan.axes[i].key.c_str(),
                result.own().values[i], result.found().values[i]);
  std::printf("  files        %s/{plan.json, evaluations.csv, best.yaml, result.json%s}\n", dir.c_str(),
              Page::Unavailable().empty() ? ", report.html" : "");
}

int RunTune(TuneOptions options) {
  TuneRequest& request = options.request;
  OptionOverrides overrides(request.sets);
  if (options.backend) overrides.Add("--backend", "sim.backend", *options.backend);
  if (options.jobs < 1)
    throw std::invalid_argument("--jobs " + std::to_string(options.jobs) + ": must be at least 1");
  const TunePlan plan = overrides.Apply([&](const auto& texts) {
    request.sets = texts;
    return TunePlan::Make(request);
  });
  const std::string dir = options.resume ? FolderToResume(options, plan) : NewFolder(options);
  std::vector<std::string> keys;
  for (const TuneAxis& axis : plan.axes) keys.push_back(axis.key);
  Journal journal(dir + "/evaluations.csv", keys, plan.objective.entries());
  const long left = request.budget - static_cast<long>(journal.found().size());
  if (left < 0)
    throw std::invalid_argument("--budget " + std::to_string(request.budget) + ": evaluations.csv has " +
                                std::to_string(journal.found().size()) + " already");
  WriteFile(dir + "/plan.json", plan.Json().dump(1) + "\n");

  const InterruptGuard interrupt;
  const double runs = static_cast<double>(left) * static_cast<double>(plan.seeds.size()) +
                      (plan.has_validation ? 2.0 * static_cast<double>(plan.validation.size()) : 0.0);
  TuneResult result;
  {
    Progress progress(NameOf(options), "runs", runs, options.json);
    double done = 0;
    result = Tune(plan, options.jobs, &journal, [&](double best) {
      char note[48];
      std::snprintf(note, sizeof(note), "best %.6g", best);
      progress.Update(++done, note);
    });
  }
  if (result.interrupted) {
    std::fprintf(stderr,
                 "tread: interrupted after %zu evaluations; the same call with --resume --out %s goes on\n",
                 result.evaluations.size(), dir.c_str());
    return 128 + interrupt.signal();
  }
  WriteBestConfig(dir, plan, result);
  const std::string json = ResultJson(plan, result).dump(1) + "\n";
  WriteFile(dir + "/result.json", json);
  const std::string no_page = Page::Unavailable();
  if (no_page.empty()) {
    MakeTunePage(plan, result).Write(dir + "/report.html");
  } else {
    std::fprintf(stderr, "tread: no report.html: %s\n", no_page.c_str());
  }
  if (options.json) {
    std::fputs(json.c_str(), stdout);
  } else {
    PrintResult(plan, result, dir);
  }
  return 0;
}

}  // namespace

void AddTuneCommand(CLI::App* app, int* exit_code) {
  auto options = std::make_shared<TuneOptions>();
  TuneRequest* request = &options->request;
  CLI::App* tune = app->add_subcommand("tune", "Search for values of keys that make an objective small");
  tune->add_option("config", request->config, "Configuration file (YAML)")->required();
  tune->add_option("--over", request->over,
                   "KEY=LO:HI or KEY=LO:HI:log, any number of the configuration; repeatable")
      ->allow_extra_args(false);
  tune->add_option(
          "--objective", request->objective,
          "Expression over entries of summary.json, means over the seeds; fell: share that did not complete; "
          "+ - * / ( ) abs sqrt log min max, and mean median p95 of what is computed seed by seed")
      ->capture_default_str();
  tune->add_option("--budget", request->budget, "Evaluations, the config's own values included")
      ->capture_default_str();
  tune->add_option("--seeds", request->seeds, "N (seeds 1 to N) or A-B, the same for every evaluation")
      ->capture_default_str();
  tune->add_option("--validate", request->validate,
                   "A-B, other seeds on which own and best values are run at the end");
  std::string methods;
  for (const SearchMethod& method : SearchMethods())
    methods += std::string(methods.empty() ? "" : ", ") + method.name + " (" + method.summary + ")";
  tune->add_option("--method", request->method, methods)->capture_default_str();
  tune->add_option("--seed", request->search_seed, "Of the search itself")->capture_default_str();
  tune->add_option("--backend", options->backend, "Simulator backend, as --set sim.backend=B");
  tune->add_option("--set", request->sets, "KEY=VALUE, any key of the configuration")
      ->allow_extra_args(false);
  tune->add_option("--jobs", options->jobs, "Runs side by side; the result does not depend on it")
      ->capture_default_str();
  tune->add_flag("--resume", options->resume,
                 "Go on with the search in that folder; --budget may have grown");
  tune->add_option("--out", options->out, "Folder for the files; runs/tune-NAME by default");
  tune->add_flag("--allow-timing", request->allow_timing,
                 "Let the objective use wall-clock times, which no run repeats");
  tune->add_flag("--json", options->json, "Print the result as JSON");
  tune->callback([options, exit_code] { *exit_code = RunTune(*options); });
}

}  // namespace tread
