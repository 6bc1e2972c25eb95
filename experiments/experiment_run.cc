#include "experiments/experiment_run.h"

#include <chrono>
#include <nlohmann/json.hpp>

#include "experiments/summary.h"
#include "experiments/tick_columns.h"

namespace tread {

nlohmann::ordered_json RunExperiment(const ExperimentConfig& config, const RunHooks& hooks) {
  ClosedLoop loop(config);
  TickLog log;
  const int every = hooks.ticks_file.empty() ? 0 : config.log.every();
  TickColumns columns(loop, &log, every > 0 || hooks.after_tick);
  SummaryBuilder builder(config, loop, columns);
  if (every > 0) log.Open(hooks.ticks_file);

  const auto start = std::chrono::steady_clock::now();
  long tick = 0, allocations_before = 0;
  bool goes_on = true;
  while (goes_on && loop.Tick()) {
    columns.Fill();
    builder.Add();
    if (every > 0 && tick % every == 0) log.Commit();
    if (hooks.after_tick) goes_on = hooks.after_tick(loop, log);
    if (++tick == loop.ticks() / 2 && hooks.allocations)
      allocations_before = hooks.allocations();  // warmed up
  }
  const double wall_us =
      std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
  const long counted = tick - loop.ticks() / 2;
  const long allocated = hooks.allocations ? hooks.allocations() - allocations_before : 0;
  const bool known = hooks.allocations && hooks.allocations() >= 0 && counted > 0;
  log.Flush();
  if (!goes_on) return nullptr;
  return builder.Finish(wall_us, known ? static_cast<double>(allocated) / static_cast<double>(counted) : -1);
}

}  // namespace tread
