#include "experiments/sweep/sweep.h"

#include <cstdio>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "experiments/cli/interrupt.h"
#include "experiments/experiment_run.h"
#include "experiments/progress.h"
#include "experiments/run_folder.h"
#include "experiments/sweep/whole_file.h"
#include "experiments/worker_pool.h"

namespace tread {
namespace {

namespace fs = std::filesystem;

using Points = std::map<std::size_t, ExperimentConfig>;

std::string PlanFile(const std::string& folder) {
  return folder + "/plan.json";
}

// Refuses a folder of another sweep, or one that must not be there. True if the plan is in it.
bool HasThisPlan(const SweepOptions& options, const SweepPlan& plan) {
  const std::string& out = options.out;
  const std::string at = "--out " + out + ": ";
  if (out.empty()) {
    if (options.resume) throw std::invalid_argument("--resume: name the folder of the sweep with --out");
    if (options.has_shard)
      throw std::invalid_argument("--shard: name the folder that the shards share with --out");
    return false;
  }
  std::error_code error;
  if (fs::exists(PlanFile(out), error)) {
    const std::string journal = out + "/" + SweepJournal::Name(options.shard);
    if (!options.resume && (!options.has_shard || fs::exists(journal, error)))
      throw std::invalid_argument(at + "holds a sweep; --resume to go on with it, or choose another folder");
    const std::string difference = DifferenceOfPlans(ReadSweepPlan(PlanFile(out)), plan);
    if (!difference.empty())
      throw std::invalid_argument(at + "holds another sweep: " + difference + "; choose another folder");
    return true;
  }
  if (options.resume)
    throw std::invalid_argument(at + "holds no sweep to resume (plan.json); leave --resume away");
  // another shard may have made the folder a moment ago, and not yet the plan
  if (fs::is_directory(out, error) && !options.has_shard)
    throw std::invalid_argument(at + "exists, and holds no sweep; choose another folder");
  if (fs::is_directory(out, error)) {
    for (const fs::directory_entry& entry : fs::directory_iterator(out)) {
      if (entry.path().filename().string().starts_with(".")) continue;
      if (fs::exists(PlanFile(out), error)) return HasThisPlan(options, plan);
      throw std::invalid_argument(at + "holds files but no sweep (plan.json); choose another folder");
    }
  }
  return false;
}

// The points that `wanted` says, checked; all others too unless they were before.
template <typename Wanted>
Points LoadPoints(const SweepOptions& options, const SweepPlan& plan, bool checked, const Wanted& wanted) {
  Points points;
  Progress progress("checking", "points", static_cast<double>(plan.points()), false);
  for (std::size_t point = 0; point < plan.points(); ++point) {
    const bool keep = wanted(point);
    if (!keep && checked) continue;
    ExperimentConfig config = LoadSweepPoint(options.request, plan, point);
    if (keep) points.emplace(point, std::move(config));
    progress.Update(static_cast<double>(point + 1));
  }
  return points;
}

std::string TicksFile(const std::string& folder, const ExperimentConfig& config, std::size_t run) {
  return config.log.every() > 0 ? folder + "/ticks-" + std::to_string(run) + ".csv" : "";
}

std::string RunOne(const std::string& folder, const SweepPlan& plan, const Points& points, std::size_t run) {
  ExperimentConfig config = points.at(plan.PointOf(run));
  config.run.seed = plan.SeedOf(run);
  RunHooks hooks;
  hooks.ticks_file = TicksFile(folder, config, run);
  return RunExperiment(config, hooks).dump();
}

// What the call starts from: its plan, and the configurations it needs.
struct Start {
  SweepResult result;
  Points points;
  std::vector<std::size_t> todo;
};

Start PrepareAll(const SweepOptions& options) {
  Start start;
  SweepPlan& plan = start.result.plan = MakeSweepPlan(options.request);
  const bool there = HasThisPlan(options, plan);
  SweepRecords records;
  if (there) {
    const std::string busy = FindBusyJournal(options.out, options.shard);
    if (!busy.empty())
      throw std::invalid_argument("--out " + options.out + ": another tread writes to " + busy +
                                  "; wait for it, or end it");
    records = ReadSweepJournals(options.out, plan.runs());
  }
  std::vector<bool> wanted(plan.points());
  for (std::size_t run = 0; run < plan.runs(); ++run) {
    const auto record = records.find(run);
    if (!options.shard.Owns(run) || (record != records.end() && record->second.done)) continue;
    start.todo.push_back(run);
    wanted[plan.PointOf(run)] = true;
  }
  wanted[0] = wanted[0] || !there;
  start.points = LoadPoints(options, plan, there, [&](std::size_t point) { return wanted[point]; });

  const std::string stem = fs::path(options.request.config).stem().string();
  std::unique_ptr<OutputFolder> existing;
  std::unique_ptr<RunFolder> made;
  if (options.out.empty()) {
    made = std::make_unique<RunFolder>("", stem + "-sweep", false);
    made->Start();
    start.result.folder = made->path();
  } else {
    existing = std::make_unique<OutputFolder>("--out", options.out);
    existing->Keep();
    start.result.folder = existing->path();
  }
  if (there) return start;
  ExperimentConfig first = start.points.at(0);
  first.run.seed = plan.SeedOf(0);
  WriteWholeFile(PlanFile(start.result.folder), WriteSweepPlan(plan));  // first: other shards look for it
  WriteWholeFile(start.result.folder + "/config.yaml", WriteExperiment(first));
  return start;
}

void Count(const SweepRecords& records, SweepResult* result) {
  result->missing = result->plan.runs() - records.size();
  result->died = 0;
  for (const auto& [run, record] : records) result->died += record.done ? 0 : 1;
}

void WriteResults(SweepResult* result) {
  WriteSweepCsv(result->table, result->folder + "/results.csv");
  WriteSweepSqlite(result->table, result->plan, result->folder + "/results.sqlite");
}

// False if stopped by a signal.
bool RunAll(const SweepOptions& options, const Start& start, SweepJournal* journal,
            std::vector<std::pair<std::size_t, std::string>>* died) {
  const SweepPlan& plan = start.result.plan;
  std::size_t finished = 0;
  const std::string name = fs::path(start.result.folder).filename().string();
  Progress progress(name, "runs", static_cast<double>(start.todo.size()), false);
  return RunTasks(
      start.todo, options.jobs,
      [&](std::size_t run) { return RunOne(start.result.folder, plan, start.points, run); },
      [&](const TaskResult& task) {
        journal->Append(task.task, {!task.died, task.output});
        if (task.died) died->emplace_back(task.task, task.output);
        progress.Update(static_cast<double>(++finished),
                        died->empty() ? "" : std::to_string(died->size()) + " died");
        return true;
      });
}

}  // namespace

SweepResult PrepareSweep(const SweepOptions& options) {
  return std::move(PrepareAll(options).result);
}

SweepResult RunSweep(const SweepOptions& options) {
  const InterruptGuard interrupt;
  Start start = PrepareAll(options);
  SweepResult& result = start.result;
  std::vector<std::pair<std::size_t, std::string>> died;
  {
    SweepJournal journal(result.folder, options.shard);
    if (!RunAll(options, start, &journal, &died)) result.signal = interrupt.signal();
  }
  for (const auto& [run, reason] : died)
    std::fprintf(stderr, "tread: run %zu (%s) died: %s\n", run, result.plan.Describe(run).c_str(),
                 reason.c_str());
  const SweepRecords records = ReadSweepJournals(result.folder, result.plan.runs());
  Count(records, &result);
  if (result.missing == 0) {
    result.table = MakeSweepTable(result.plan, records);
    WriteResults(&result);
  }
  return std::move(result);
}

SweepResult ReadSweep(const std::string& folder) {
  SweepResult result;
  result.folder = folder;
  while (result.folder.size() > 1 && result.folder.back() == '/') result.folder.pop_back();
  result.plan = ReadSweepPlan(PlanFile(result.folder));
  const SweepRecords records = ReadSweepJournals(result.folder, result.plan.runs());
  Count(records, &result);
  result.table = MakeSweepTable(result.plan, records);
  return result;
}

SweepResult GatherSweep(const std::string& folder) {
  SweepResult result = ReadSweep(folder);
  WriteResults(&result);
  return result;
}

}  // namespace tread
