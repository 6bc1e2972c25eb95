// tread compare: the same runs under several backends, and how far apart they go.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

#include "experiments/cli/commands.h"
#include "experiments/cli/interrupt.h"
#include "experiments/compare/compare_json.h"
#include "experiments/compare/compare_tables.h"
#include "experiments/progress.h"
#include "experiments/report/compare_page.h"
#include "experiments/run_folder.h"
#include "experiments/summary.h"

namespace tread {
namespace {

using Json = nlohmann::ordered_json;

struct CompareOptions {
  CompareRequest request;
  std::optional<std::string> out;
  std::string jobs = "1";
  bool force = false, json = false, no_replay = false;
};

int ParseJobs(const std::string& text) {
  int jobs = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), jobs);
  if (error != std::errc() || end != text.data() + text.size() || jobs < 1 || jobs > 1024)
    throw std::invalid_argument("--jobs " + (text.empty() ? "''" : text) +
                                ": expected a whole number from 1 to 1024");
  return jobs;
}

void WriteLog(const RunFolder& folder, const CompareRequest& request, const std::string& outcome) {
  folder.Write("run.log",
               "tread " + ProgramVersion() + "\ncompare " + request.config + "\n" + outcome + "\n");
}

void Print(const Json& compare, const RunFolder& folder) {
  for (const std::string& line : CompareHeader(compare)) std::printf("%s\n", line.c_str());
  for (const Table& table : CompareTables(compare)) std::printf("\n%s", PlainText(table).c_str());
  const bool page = std::filesystem::exists(folder.File("report.html"));
  std::printf("\nfiles: %s/{config.yaml, compare.json, compare.csv, runs.csv, run.log%s}\n",
              folder.path().c_str(), page ? ", report.html" : "");
}

bool AnyDied(const CompareResult& result) {
  const auto died = [](const CompareRun& run) { return run.outcome == "died"; };
  return std::any_of(result.runs.begin(), result.runs.end(),
                     [&](const auto& column) { return std::any_of(column.begin(), column.end(), died); }) ||
         std::any_of(result.replays.begin(), result.replays.end(),
                     [](const auto& replay) { return !replay.ran; });
}

int RunCompare(const CompareOptions& options) {
  const int jobs = ParseJobs(options.jobs);
  const ComparePlan plan = MakePlan(options.request);
  const std::string name = "compare-" + std::filesystem::path(plan.config).stem().string();
  if (options.out && options.out->empty())
    throw std::invalid_argument("--out '': no name; name a folder, or leave --out away for runs/" + name);
  RunFolder folder(options.out.value_or(""), name, options.force);
  const InterruptGuard interrupt;
  folder.Start();
  folder.Write("config.yaml", WriteExperiment(plan.candidates[0].config));
  WriteLog(folder, options.request, "started");

  CompareResult result;
  const auto tasks = static_cast<double>(plan.units() * (plan.columns.size() + (plan.replay ? 1 : 0)));
  long finished = 0;
  bool whole = false;
  {
    Progress progress(name, "runs", tasks, options.json);
    whole = RunComparison(
        plan, jobs,
        [&](long done, long, long failures) {
          finished = done;
          progress.Update(static_cast<double>(done),
                          failures > 0 ? std::to_string(failures) + " did not complete" : "");
        },
        &result);
  }
  folder.Write("runs.csv", RunsCsv(plan, result));
  if (!whole) {
    const std::string when =
        "after " + std::to_string(finished) + " of " + std::to_string(std::lround(tasks)) + " tasks";
    WriteLog(folder, options.request,
             "interrupted by signal " + std::to_string(interrupt.signal()) + " " + when);
    std::fprintf(stderr,
                 "tread: interrupted %s; %s has runs.csv with those that ended, and no compare.json\n",
                 when.c_str(), folder.path().c_str());
    return 128 + interrupt.signal();
  }
  const Json compare = CompareJson(plan, result);
  folder.Write("compare.csv", CompareCsv(compare));
  folder.Write("compare.json", compare.dump(1) + "\n");
  const std::string no_page = Page::Unavailable();
  if (no_page.empty()) ComparePage(compare).Write(folder.File("report.html"));
  WriteLog(folder, options.request, "done, " + std::to_string(finished) + " tasks");
  if (options.json) {
    std::printf("%s\n", compare.dump(1).c_str());
  } else {
    Print(compare, folder);
  }
  if (!no_page.empty()) std::fprintf(stderr, "tread: no report.html: %s\n", no_page.c_str());
  return AnyDied(result) ? 1 : 0;
}

}  // namespace

void AddCompareCommand(CLI::App* app, int* exit_code) {
  auto options = std::make_shared<CompareOptions>();
  CompareRequest& request = options->request;
  CLI::App* compare =
      app->add_subcommand("compare", "The same runs under several backends: table and gap measures");
  compare->add_option("config", request.config, "Configuration file (YAML)")->required();
  compare
      ->add_option("--backends", request.backends,
                   "B1,B2,...; B@EPS: solved to that accuracy, whatever the configuration says of iterations")
      ->required()
      ->delimiter(',')
      ->allow_extra_args(false);
  compare->add_option("--reference", request.reference,
                      "Backend the others are compared with; ncp_newton@1e-9 by default");
  compare->add_option("--seeds", request.seeds,
                      "N for 1..N, or A-B; the same for every backend; 1 by default");
  compare->add_option("--set", request.sets, "KEY=VALUE, any key of the configuration")
      ->allow_extra_args(false);
  compare
      ->add_option("--vary", request.vary,
                   "KEY=V1,V2,...: candidates (the product of all lists) to rank under every backend")
      ->allow_extra_args(false);
  compare->add_option("--jobs", options->jobs, "Processes at a time; 1 by default");
  compare->add_flag("--no-replay", options->no_replay,
                    "Leave out the open-loop replay of the reference's torques");
  compare->add_option("--out", options->out, "Folder for the files; runs/compare-NAME by default");
  compare->add_flag("--force", options->force, "Replace the comparison in that folder");
  compare->add_flag("--json", options->json, "Print compare.json");
  compare->callback([options, exit_code] {
    options->request.replay = !options->no_replay;
    *exit_code = RunCompare(*options);
  });
}

}  // namespace tread
