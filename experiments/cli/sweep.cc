// tread sweep: the product of axes of any config keys, one row per run.
#include "experiments/sweep/sweep.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <stdexcept>

#include "experiments/cli/commands.h"
#include "experiments/cli/interrupt.h"
#include "experiments/progress.h"
#include "experiments/report/sweep_page.h"
#include "experiments/sweep/slurm.h"
#include "experiments/sweep/sweep_statistics.h"

namespace tread {
namespace {

struct CommandLine {
  SweepOptions sweep;
  std::optional<std::string> out, shard, gather;
  std::string launcher = "local", jobs = "1", array_size;
};

int ParseCount(const std::string& option, const std::string& text) {
  int count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size() || count < 1 || count > 10000)
    throw std::invalid_argument(option + " " + (text.empty() ? "''" : text) +
                                ": expected a number from 1 to 10000");
  return count;
}

SweepShard ParseShard(const std::string& text) {
  const char* end = text.data() + text.size();
  SweepShard shard{0, 0};
  auto [stop, error] = std::from_chars(text.data(), end, shard.index);
  if (error == std::errc() && stop != end && *stop == '/') {
    const auto second = std::from_chars(stop + 1, end, shard.count);
    if (second.ec == std::errc() && second.ptr == end && shard.index < shard.count) return shard;
  }
  throw std::invalid_argument("--shard " + (text.empty() ? "''" : text) +
                              ": expected i/N with i from 0 to N-1, such as 0/4");
}

// What there is to say at the end; the exit code.
int Report(const SweepResult& result, int exit_code) {
  const std::string& folder = result.folder;
  if (result.missing == 0 || !result.table.rows.empty()) {
    std::string page = "";
    if (!result.table.rows.empty()) {
      if (Page::Unavailable().empty()) {
        MakeSweepPage(result.plan, result.table).Write(folder + "/report.html");
        page = ", report.html";
      }
      PrintSweepTable(result.plan, result.table);
    }
    std::printf("files  %s/{results.csv, results.sqlite%s}\n", folder.c_str(), page.c_str());
  }
  if (result.died > 0)
    std::fprintf(stderr, "tread: %zu of %zu runs died; --resume --out %s runs them again\n", result.died,
                 result.plan.runs(), folder.c_str());
  if (result.missing > 0)
    std::fprintf(stderr, "tread: %s: %zu of %zu runs made, %zu are missing\n", folder.c_str(),
                 result.plan.runs() - result.missing, result.plan.runs(), result.missing);
  return exit_code;
}

int Interrupted(const SweepResult& result) {
  std::fprintf(stderr, "tread: interrupted; --resume --out %s goes on\n", result.folder.c_str());
  return Report(result, 128 + result.signal);
}

std::vector<std::string> ShardCommand(const SweepOptions& options, const std::string& folder) {
  std::vector<std::string> words{std::filesystem::read_symlink("/proc/self/exe").string(), "sweep",
                                 options.request.config};
  for (const std::string& axis : options.request.axes) words.insert(words.end(), {"--axis", axis});
  for (const std::string& set : options.request.sets) words.insert(words.end(), {"--set", set});
  if (options.request.seeds) words.insert(words.end(), {"--seeds", *options.request.seeds});
  words.insert(words.end(), {"--jobs", std::to_string(options.jobs), "--out", folder, "--resume"});
  return words;
}

int RunOnSlurm(const SweepOptions& options, int size) {
  RequireSlurm();
  const InterruptGuard interrupt;
  const SweepResult prepared = PrepareSweep(options);
  const std::string& folder = prepared.folder;
  const std::size_t runs = prepared.plan.runs();
  SlurmArray array{folder, std::filesystem::path(folder).filename().string(), ShardCommand(options, folder),
                   std::min(static_cast<std::size_t>(size), runs), options.jobs};
  const std::string job = SubmitSlurmArray(array);
  std::fprintf(stderr, "tread: job %s, an array of %zu\n", job.c_str(), array.size);
  bool ended;
  {
    Progress progress(array.name, "runs", static_cast<double>(runs), false);
    ended = WaitForSlurmJob(job, [&](int running, int waiting) {
      progress.Update(static_cast<double>(ReadSweepJournals(folder, runs).size()),
                      std::to_string(running) + " tasks running, " + std::to_string(waiting) + " waiting");
      return interrupt.signal() == 0;
    });
  }
  if (!ended) {
    std::fprintf(stderr,
                 "tread: job %s goes on without this program (scancel %s ends it); when it has ended: tread "
                 "sweep --gather %s\n",
                 job.c_str(), job.c_str(), folder.c_str());
    return 128 + interrupt.signal();
  }
  const SweepResult result = GatherSweep(folder);
  if (result.missing > 0)
    std::fprintf(stderr, "tread: %s/slurm-*.log may say why runs are missing; --resume makes them\n",
                 folder.c_str());
  return Report(result, result.missing > 0 ? 1 : 0);
}

void RefuseBesides(const CommandLine& line) {
  const SweepRequest& request = line.sweep.request;
  if (!request.config.empty() || !request.axes.empty() || !request.sets.empty() || request.seeds ||
      line.out || line.shard || line.sweep.resume || line.launcher != "local")
    throw std::invalid_argument("--gather " + *line.gather + ": stands alone; the plan is in that folder");
}

int RunSweepCommand(CommandLine line) {
  if (line.gather) {
    RefuseBesides(line);
    return Report(GatherSweep(*line.gather), 0);
  }
  SweepOptions& options = line.sweep;
  if (options.request.config.empty())
    throw std::invalid_argument("sweep: no configuration; name a file, such as configs/solo12_flat.yaml");
  if (options.request.axes.empty() && !options.request.seeds)
    throw std::invalid_argument("sweep: nothing to sweep over; give --axis KEY=V1,V2,... or --seeds N");
  if (line.out && line.out->empty())
    throw std::invalid_argument("--out '': no name; name a folder, or leave --out away for runs/NAME-sweep");
  options.out = line.out.value_or("");
  options.jobs = ParseCount("--jobs", line.jobs);
  options.has_shard = line.shard.has_value();
  if (line.shard) options.shard = ParseShard(*line.shard);
  if (line.launcher == "slurm") {
    if (line.shard)
      throw std::invalid_argument("--shard " + *line.shard + ": --launcher slurm makes its own shards");
    return RunOnSlurm(options, line.array_size.empty() ? 4 : ParseCount("--array-size", line.array_size));
  }
  if (line.launcher != "local")
    throw std::invalid_argument("--launcher " + (line.launcher.empty() ? "''" : line.launcher) +
                                ": no such launcher (there are: local, slurm)");
  if (!line.array_size.empty())
    throw std::invalid_argument("--array-size " + line.array_size + ": is for --launcher slurm");
  const SweepResult result = RunSweep(options);
  return result.signal != 0 ? Interrupted(result) : Report(result, 0);
}

constexpr const char* kFooter = R"(
A key is any key of the configuration: --axis sim.contact.eps_abs=1e-1,1e-3,1e-6 --axis sim.backend=ncp_pgs,ccp_pgs. Every point of the
product runs with every seed. Runs do not log ticks unless --set log.ticks says so.

The folder: plan.json, config.yaml (of the first run), a journal per shard with one line per finished run, and once no run is missing
results.csv, results.sqlite (tables runs, columns, axes) and report.html, in the order of the plan. All columns are the same whatever the
jobs and shards, but for wall-clock times: real_time_factor and those in which '_us' ends the name or a part of it before a dot.

Shards (--shard 0/3, 1/3, 2/3) share the folder named with --out; the one that finishes last writes the results. Shards with folders of
their own: copy the journals into one of the folders, then tread sweep --gather FOLDER, which also gives the rows of an unfinished sweep.
A run whose process is killed is recorded as died. --resume, with the same arguments, makes what is missing or died.

--launcher slurm queues the shards as an array job and waits for it. SBATCH_PARTITION, SBATCH_ACCOUNT, ... are passed on by Slurm.)";

}  // namespace

void AddSweepCommand(CLI::App* app, int* exit_code) {
  auto line = std::make_shared<CommandLine>();
  SweepRequest& request = line->sweep.request;
  CLI::App* sweep = app->add_subcommand("sweep", "The product of config keys and seeds; one row per run");
  sweep->add_option("config", request.config, "Configuration file (YAML)");
  sweep->add_option("--axis", request.axes, "KEY=V1,V2,..., values of a key; repeated for a product")
      ->allow_extra_args(false);
  sweep->add_option("--seeds", request.seeds,
                    "N for seeds 1 to N, or A-B; the configuration's own by default");
  sweep->add_option("--set", request.sets, "KEY=VALUE, any key, for all runs")->allow_extra_args(false);
  sweep->add_option("--jobs", line->jobs, "Runs at a time (1)");
  sweep->add_option("--shard", line->shard, "i/N: only the runs i, i+N, i+2N, ...");
  sweep->add_flag("--resume", line->sweep.resume, "Go on with the sweep in the folder");
  sweep->add_option("--launcher", line->launcher, "local or slurm");
  sweep->add_option("--array-size", line->array_size, "Tasks of the array job of --launcher slurm (4)");
  sweep->add_option("--out", line->out, "Folder of the sweep; runs/NAME-sweep by default");
  sweep->add_option("--gather", line->gather,
                    "Write the results from the journals in this folder, and do nothing else");
  sweep->footer(kFooter);
  sweep->callback([line, exit_code] { *exit_code = RunSweepCommand(*line); });
}

}  // namespace tread
