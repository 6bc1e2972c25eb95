// tread run: one closed loop, and the files it leaves behind.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

#include "experiments/cli/allocations.h"
#include "experiments/cli/commands.h"
#include "experiments/cli/interrupt.h"
#include "experiments/cli/option_overrides.h"
#include "experiments/experiment_run.h"
#include "experiments/progress.h"
#include "experiments/report/run_page.h"
#include "experiments/run_folder.h"
#include "experiments/summary.h"
#include "sim/contact/siconos_io.h"

namespace tread {
namespace {

using Json = nlohmann::ordered_json;

struct RunOptions {
  std::string config;
  std::vector<std::string> sets;
  std::optional<std::string> backend, seed, duration, out, record_problems;
  bool force = false, json = false, no_report = false;
};

ExperimentConfig Load(const RunOptions& options) {
  OptionOverrides overrides(options.sets);
  if (options.backend) overrides.Add("--backend", "sim.backend", *options.backend);
  if (options.seed) overrides.Add("--seed", "run.seed", *options.seed);
  if (options.duration) overrides.Add("--duration", "run.duration", *options.duration);
  return overrides.Apply([&](const auto& texts) { return LoadExperiment(options.config, texts); });
}

// Contact problems of a run, one file per control tick in which something touches.
class ProblemRecorder {
 public:
  explicit ProblemRecorder(const std::optional<std::string>& dir) {
    if (!dir) return;
    std::error_code error;
    if (std::filesystem::is_directory(*dir, error) && !std::filesystem::is_empty(*dir, error))
      throw std::invalid_argument("--record-problems " + *dir + ": holds files; choose another folder");
    folder_ = std::make_unique<OutputFolder>("--record-problems", *dir);
  }
  void Start() {
    if (folder_) folder_->Keep();
  }
  void Record(const Simulator& simulator, long tick) const {
    const ContactProblem* problem = simulator.problem();
    if (!folder_ || problem == nullptr || problem->block_count() == 0) return;
    char name[32];
    std::snprintf(name, sizeof(name), "/tick%07ld.dat", tick);
    try {
      WriteSiconos(folder_->path() + name, *problem);
    } catch (const std::invalid_argument& error) {
      throw std::runtime_error(error.what());  // a full disk, which is not the caller's input
    }
  }

 private:
  std::unique_ptr<OutputFolder> folder_;
};

void PrintTracking(const Json& s) {
  const Json& tracking = s["tracking"];
  if (tracking["vx"].empty()) return;
  if (tracking["vx"]["gait_mean_error"].is_null()) {
    std::printf("  tracking     ended before errors count, at %.3g s\n",
                tracking["steady_from"].get<double>());
    return;
  }
  const auto mean = [&](const char* axis) { return tracking[axis]["gait_mean_error"].get<double>(); };
  std::printf(
      "  tracking     vx %+.4f  vy %+.4f m/s  wz %+.4f rad/s mean error;  drift %.4f m, height %.2g m\n",
      mean("vx"), mean("vy"), mean("wz"), s["drift_xy"].get<double>(), s["height_change"].get<double>());
}

void PrintSummary(const Json& s, const RunFolder& folder, bool has_ticks, bool has_report) {
  const auto number = [](const Json& j) { return j.is_null() ? 0.0 : j.get<double>(); };
  const auto text = [](const Json& j) { return j.get<std::string>(); };
  const Json &ncp = s["criteria"]["ncp"], &solver = s["solver"];
  const bool has_robot = s["robot"] != "none";
  std::printf("%s  %s under %s (law %s), %s, seed %ld%s\n", text(s["outcome"]).c_str(),
              has_robot ? text(s["robot"]).c_str() : "free bodies", text(s["backend"]).c_str(),
              text(s["law"]).c_str(), text(s["controller"]).c_str(), s["seed"].get<long>(),
              s["reproducible"].get<bool>() ? "" : " (timing.mode: thread, not reproducible)");
  const std::string reason = text(s["outcome_reason"]);
  std::printf("  time         %.3f s of %.3f s%s%s\n", number(s["outcome_time"]), number(s["duration"]),
              reason.empty() ? "" : ": ", reason.c_str());
  PrintTracking(s);
  std::printf(
      "  contact law  eps_p %.1e N  eps_d %.1e m/s^2  eps_c %.1e N m/s^2 at worst;  penetration %.1e m\n",
      number(ncp["eps_p"]["max"]), number(ncp["eps_d"]["max"]), number(ncp["eps_c"]["max"]),
      number(s["penetration_max"]));
  std::printf("  forces       %.4f N normal in the mean, weight %.4f N", number(s["normal_force"]["mean"]),
              number(s["normal_force"]["weight"]));
  if (has_robot)
    std::printf(";  slip %.4f m;  %.2f %% of torques clamped", number(s["slip"]["distance"]),
                100 * number(s["saturation_share"]));
  std::printf("\n  solver       %.1f iterations, %.2f us in the mean;  %.3f %% of solves not converged\n",
              number(solver["iterations"]["mean"]), number(solver["solve_us"]["mean"]),
              100 * number(solver["unconverged_share"]));
  const auto mean_us = [&](const char* part) { return number(s[part]["mean"]); };
  std::printf(
      "  cost         %.1f us a tick: simulator %.1f, controller %.1f, record and log %.1f;  %.1f times real "
      "time\n",
      mean_us("tick_us"), mean_us("step_us"), mean_us("control_us"), mean_us("record_us"),
      number(s["real_time_factor"]));
  std::printf("  files        %s/{config.yaml, %ssummary.json, %srun.log}\n", folder.path().c_str(),
              has_ticks ? "ticks.csv, " : "", has_report ? "report.html, " : "");
}

void WriteLog(const RunFolder& folder, const RunOptions& options, const std::string& outcome) {
  folder.Write("run.log", "tread " + ProgramVersion() + "\nconfig " + options.config + "\n" + outcome + "\n");
}

// A page that cannot be made costs a warning, not the run.
bool MakeReport(const RunFolder& folder) {
  try {
    if (const std::string reason = Page::Unavailable(); !reason.empty()) throw std::runtime_error(reason);
    MakeRunPage(folder.path()).Write(folder.File("report.html"));
    return true;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tread: no report.html: %s\n", error.what());
    return false;
  }
}

int RunRun(const RunOptions& options) {
  const ExperimentConfig config = Load(options);
  const std::string name = std::filesystem::path(options.config).stem().string();
  if (options.out && options.out->empty())
    throw std::invalid_argument("--out '': no name; name a folder, or leave --out away for runs/" + name);
  RunFolder folder(options.out.value_or(""), name, options.force);
  ProblemRecorder recorder(options.record_problems);
  const InterruptGuard interrupt;
  folder.Start();
  recorder.Start();
  folder.Write("config.yaml", WriteExperiment(config));
  WriteLog(folder, options, "started");

  double time = 0;
  long tick = 0;
  RunHooks hooks{.ticks_file = folder.File("ticks.csv"), .allocations = CountAllocations, .after_tick = {}};
  Json summary;
  {
    Progress progress(name, "s", config.run.duration, options.json);
    hooks.after_tick = [&](const ClosedLoop& loop, const TickLog&) {
      recorder.Record(loop.simulator(), tick);
      time = loop.time();
      if (++tick % 64 == 0) progress.Update(time);
      return interrupt.signal() == 0;
    };
    summary = RunExperiment(config, hooks);
  }
  const std::string when = " at " + std::to_string(time) + " s";
  if (summary.is_null()) {
    WriteLog(folder, options, "interrupted by signal " + std::to_string(interrupt.signal()) + when);
    std::fprintf(stderr, "tread: interrupted%s; %s has what was done until then, and no summary\n",
                 when.c_str(), folder.path().c_str());
    return 128 + interrupt.signal();
  }
  folder.Write("summary.json", summary.dump(1) + "\n");
  const std::string outcome = summary["outcome"], reason = summary["outcome_reason"];
  WriteLog(folder, options,
           outcome + when + (reason.empty() ? "" : ": " + reason) +
               (summary["reproducible"].get<bool>() ? "" : "\ntiming.mode: thread: not reproducible"));
  const bool has_report = !options.no_report && MakeReport(folder);
  if (options.json) {
    std::printf("%s\n", summary.dump(1).c_str());
  } else {
    PrintSummary(summary, folder, config.log.every() > 0, has_report);
  }
  const bool failed = (config.require == "completed" && outcome != "completed") ||
                      (config.sim.on_failure == "stop" && outcome == "solver_failed");
  return failed ? 1 : 0;
}

}  // namespace

void AddRunCommand(CLI::App* app, int* exit_code) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* run = app->add_subcommand(
      "run", "One closed loop: config.yaml, ticks.csv, summary.json, report.html in a folder");
  run->add_option("config", options->config, "Configuration file (YAML)")->required();
  run->add_option("--backend", options->backend, "Simulator backend, as --set sim.backend=B");
  run->add_option("--set", options->sets, "KEY=VALUE, any key of the configuration")->allow_extra_args(false);
  run->add_option("--seed", options->seed, "Random seed, as --set run.seed=N");
  run->add_option("--duration", options->duration, "Simulated time [s], as --set run.duration=S");
  run->add_option("--out", options->out, "Folder for the files; runs/NAME by default");
  run->add_flag("--force", options->force, "Replace the run in that folder");
  run->add_option("--record-problems", options->record_problems,
                  "Folder for the contact problem of every tick");
  run->add_flag("--no-report", options->no_report, "Leave report.html away");
  run->add_flag("--json", options->json, "Print the summary as JSON");
  run->callback([options, exit_code] { *exit_code = RunRun(*options); });
}

}  // namespace tread
