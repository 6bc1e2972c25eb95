// tread run: one closed loop, and the files it leaves behind.
#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "experiments/cli/allocations.h"
#include "experiments/cli/commands.h"
#include "experiments/closed_loop.h"
#include "experiments/progress.h"
#include "experiments/run_folder.h"
#include "experiments/summary.h"
#include "experiments/tick_columns.h"
#include "sim/contact/siconos_io.h"

namespace tread {
namespace {

using Json = nlohmann::ordered_json;

struct RunOptions {
  std::string config, backend, out, record_problems;
  std::vector<std::string> sets;
  long seed = -1;
  double duration = -1;
  bool force = false, json = false;
};

std::vector<std::string> Overrides(const RunOptions& options) {
  std::vector<std::string> sets = options.sets;
  if (!options.backend.empty()) sets.push_back("sim.backend=" + options.backend);
  if (options.seed >= 0) sets.push_back("run.seed=" + std::to_string(options.seed));
  if (options.duration >= 0) {
    char text[40];
    std::snprintf(text, sizeof(text), "run.duration=%.17g", options.duration);
    sets.push_back(text);
  }
  return sets;
}

// Contact problems of a run, one file per control tick in which something touches.
class ProblemRecorder {
 public:
  explicit ProblemRecorder(const std::string& dir) : dir_(dir) {
    if (dir.empty()) return;
    if (std::filesystem::exists(dir) && !std::filesystem::is_empty(dir))
      throw std::invalid_argument("--record-problems " + dir +
                                  ": exists and is not empty; choose another folder");
    std::error_code error;
    std::filesystem::create_directories(dir, error);
    if (error) throw std::invalid_argument("--record-problems " + dir + ": " + error.message());
  }
  void Record(const Simulator& simulator, long tick) const {
    const ContactProblem* problem = simulator.problem();
    if (dir_.empty() || problem == nullptr || problem->block_count() == 0) return;
    char name[32];
    std::snprintf(name, sizeof(name), "tick%07ld.dat", tick);
    WriteSiconos((std::filesystem::path(dir_) / name).string(), *problem);
  }

 private:
  std::string dir_;
};

void PrintSummary(const Json& s, const RunFolder& folder) {
  const auto number = [](const Json& j) { return j.is_null() ? 0.0 : j.get<double>(); };
  const Json &ncp = s["criteria"]["ncp"], &solver = s["solver"], &tracking = s["tracking"];
  std::printf("%s  %s under %s (law %s), %s, seed %ld\n", s["outcome"].get<std::string>().c_str(),
              s["robot"].get<std::string>().c_str(), s["backend"].get<std::string>().c_str(),
              s["law"].get<std::string>().c_str(), s["controller"].get<std::string>().c_str(),
              s["seed"].get<long>());
  std::printf("  time         %.3f s of %.3f s%s%s\n", number(s["outcome_time"]), number(s["duration"]),
              s["outcome_reason"].get<std::string>().empty() ? "" : ": ",
              s["outcome_reason"].get<std::string>().c_str());
  std::printf(
      "  tracking     vx %+.4f  vy %+.4f m/s  wz %+.4f rad/s mean error;  drift %.4f m, height %.2g m\n",
      number(tracking["vx"]["gait_mean_error"]), number(tracking["vy"]["gait_mean_error"]),
      number(tracking["wz"]["gait_mean_error"]), number(s["drift_xy"]), number(s["height_change"]));
  std::printf(
      "  contact law  eps_p %.1e N  eps_d %.1e m/s^2  eps_c %.1e N m/s^2 at worst;  penetration %.1e m\n",
      number(ncp["eps_p"]["max"]), number(ncp["eps_d"]["max"]), number(ncp["eps_c"]["max"]),
      number(s["penetration_max"]));
  std::printf(
      "  forces       %.4f N normal in the mean, weight %.4f N;  slip %.4f m;  %.2f %% of torques clamped\n",
      number(s["normal_force"]["mean"]), number(s["normal_force"]["weight"]), number(s["slip"]["distance"]),
      100 * number(s["saturation_share"]));
  std::printf("  solver       %.1f iterations, %.2f us in the mean;  %.3f %% of solves not converged\n",
              number(solver["iterations"]["mean"]), number(solver["solve_us"]["mean"]),
              100 * number(solver["unconverged_share"]));
  std::printf("  cost         step %.1f us, tick %.1f us, %.1f times real time\n",
              number(s["step_us"]["mean"]), number(s["tick_us"]["mean"]), number(s["real_time_factor"]));
  std::printf("  files        %s/{config.yaml, ticks.csv, summary.json, run.log}\n", folder.path().c_str());
}

int RunRun(const RunOptions& options) {
  const ExperimentConfig config = LoadExperiment(options.config, Overrides(options));
  const std::string name = std::filesystem::path(options.config).stem().string();
  ClosedLoop loop(config);
  TickLog log;
  TickColumns columns(loop, &log);
  SummaryBuilder builder(config, loop, columns);
  const ProblemRecorder recorder(options.record_problems);
  const RunFolder folder(options.out, name, options.force);
  folder.Write("config.yaml", WriteExperiment(config));
  if (config.log.every() > 0) log.Open(folder.File("ticks.csv"));

  Progress progress(name, "s", config.run.duration, options.json);
  const auto start = std::chrono::steady_clock::now();
  long tick = 0, allocations_before = 0;
  while (loop.Tick()) {
    columns.Fill();
    builder.Add();
    if (config.log.every() > 0 && tick % config.log.every() == 0) log.Commit();
    recorder.Record(loop.simulator(), tick);
    if (++tick == loop.ticks() / 2) allocations_before = CountAllocations();  // warmed up by then
    if (tick % 64 == 0) progress.Update(loop.time());
  }
  const double wall_us =
      std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
  const long allocated = CountAllocations() - allocations_before, counted = tick - loop.ticks() / 2;
  const bool known = CountAllocations() >= 0 && counted > 0;
  log.Flush();
  const Json summary =
      builder.Finish(wall_us, known ? static_cast<double>(allocated) / static_cast<double>(counted) : -1);
  folder.Write("summary.json", summary.dump(1) + "\n");
  const std::string outcome = summary["outcome"];
  folder.Write("run.log", "tread " + summary["version"].get<std::string>() + "\nconfig " + options.config +
                              "\n" + outcome + " at " + std::to_string(loop.time()) + " s" +
                              (loop.reason().empty() ? "" : ": " + loop.reason()) + "\n");
  if (options.json) {
    std::printf("%s\n", summary.dump(1).c_str());
  } else {
    PrintSummary(summary, folder);
  }
  const bool failed = (config.require == "completed" && outcome != "completed") ||
                      (config.sim.on_failure == "stop" && outcome == "solver_failed");
  return failed ? 1 : 0;
}

}  // namespace

void AddRunCommand(CLI::App* app, int* exit_code) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* run =
      app->add_subcommand("run", "One closed loop: config.yaml, ticks.csv, summary.json in a folder");
  run->add_option("config", options->config, "Configuration file (YAML)")->required();
  run->add_option("--backend", options->backend, "Simulator backend, as --set sim.backend=B");
  run->add_option("--set", options->sets, "KEY=VALUE, any key of the configuration")->allow_extra_args(false);
  run->add_option("--seed", options->seed, "Random seed")->check(CLI::NonNegativeNumber);
  run->add_option("--duration", options->duration, "Simulated time [s]")->check(CLI::PositiveNumber);
  run->add_option("--out", options->out, "Folder for the files; runs/NAME by default");
  run->add_flag("--force", options->force, "Replace the run in that folder");
  run->add_option("--record-problems", options->record_problems,
                  "Folder for the contact problem of every tick");
  run->add_flag("--json", options->json, "Print the summary as JSON");
  run->callback([options, exit_code] { *exit_code = RunRun(*options); });
}

}  // namespace tread
