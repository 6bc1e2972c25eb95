#include "experiments/compare/compare_runs.h"

#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>

#include "experiments/compare/replay.h"
#include "experiments/experiment_run.h"
#include "experiments/worker_pool.h"

namespace tread {
namespace {

using Json = nlohmann::json;

// Summary in one line, then the trajectory.
std::string RunClosedLoop(const ExperimentConfig& config) {
  TrajectoryRecorder recorder;
  RunHooks hooks;
  hooks.after_tick = [&](const ClosedLoop& loop, const TickLog& row) {
    recorder.Add(loop, &row);
    return true;
  };
  const std::string summary = RunExperiment(config, hooks).dump();
  return summary + "\n" + ToBytes(recorder.trajectory());
}

CompareRun ReadRun(const std::string& output) {
  const std::size_t line = output.find('\n');
  const Json summary = Json::parse(output.substr(0, line));
  const auto number = [&](const char* pointer) {
    const Json::json_pointer at(pointer);
    const bool there = summary.contains(at) && summary[at].is_number();
    return there ? summary[at].get<double>() : std::numeric_limits<double>::quiet_NaN();
  };
  CompareRun run;
  run.outcome = summary["outcome"];
  run.reason = summary["outcome_reason"];
  run.end_time = number("/outcome_time");
  run.vx_error = number("/tracking/vx/gait_rms_error");
  run.vy_error = number("/tracking/vy/gait_rms_error");
  run.eps_d_mean = number("/criteria/ncp/eps_d/mean");
  run.eps_d_max = number("/criteria/ncp/eps_d/max");
  run.eps_c_mean = number("/criteria/ncp/eps_c/mean");
  run.eps_c_max = number("/criteria/ncp/eps_c/max");
  run.unconverged_share = number("/solver/unconverged_share");
  run.iterations = number("/solver/iterations/mean");
  run.slip = number("/slip/distance");
  run.cost_of_transport = number("/cost_of_transport");
  run.work = number("/work");
  run.slope_p95 = number("/terrain/slope_p95");
  run.slope_max = number("/terrain/slope_max");
  run.solve_p50_us = number("/solver/solve_us/p50");
  run.step_us = number("/step_us/mean");
  run.tick_us = number("/tick_us/mean");
  run.trajectory = FromBytes(output.substr(line + 1));
  return run;
}

// Per column the number of samples and the samples; in front the time between them.
std::string RunReplay(const ComparePlan& plan, std::size_t unit) {
  std::vector<ExperimentConfig> configs;
  for (std::size_t c = 0; c < plan.columns.size(); ++c) configs.push_back(plan.Config(unit, c));
  std::vector<double> numbers(1);
  for (const auto& distances : ReplayDistances(configs[plan.reference], configs, &numbers[0])) {
    numbers.push_back(static_cast<double>(distances.size()));
    numbers.insert(numbers.end(), distances.begin(), distances.end());
  }
  std::string bytes(numbers.size() * sizeof(double), '\0');
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

CompareReplay ReadReplay(const std::string& bytes) {
  std::vector<double> numbers(bytes.size() / sizeof(double));
  std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(double));
  CompareReplay replay{.ran = true, .reason = "", .period = numbers.at(0), .distances = {}};
  for (std::size_t at = 1; at < numbers.size();) {
    const auto begin = numbers.begin() + static_cast<std::ptrdiff_t>(at) + 1;
    const auto size = static_cast<std::ptrdiff_t>(numbers[at]);
    replay.distances.emplace_back(begin, begin + size);
    at += 1 + static_cast<std::size_t>(size);
  }
  return replay;
}

}  // namespace

bool RunComparison(const ComparePlan& plan, int jobs, const std::function<void(long, long, long)>& done,
                   CompareResult* result) {
  const std::size_t columns = plan.columns.size(), loops = plan.units() * columns;
  result->runs.assign(columns, std::vector<CompareRun>(plan.units()));
  result->replays.assign(plan.replay ? plan.units() : 0, {});
  std::vector<std::size_t> tasks(loops + result->replays.size());
  std::iota(tasks.begin(), tasks.end(), 0);
  long finished = 0, failures = 0;
  const auto work = [&](std::size_t task) {
    return task < loops ? RunClosedLoop(plan.Config(task / columns, task % columns))
                        : RunReplay(plan, task - loops);
  };
  const auto take = [&](const TaskResult& task) {
    if (task.task >= loops) {
      CompareReplay& replay = result->replays[task.task - loops];
      if (task.died) {
        replay.reason = task.output;
      } else {
        replay = ReadReplay(task.output);
      }
    } else {
      CompareRun& run = result->runs[task.task % columns][task.task / columns];
      if (task.died) {
        run.outcome = "died";
        run.reason = task.output;
      } else {
        run = ReadRun(task.output);
      }
      failures += !run.completed();
    }
    done(++finished, static_cast<long>(tasks.size()), failures);
    return true;
  };
  return RunTasks(tasks, jobs, work, take);
}

}  // namespace tread
