// Time of one MPC solve (warm, condensing included) in closed loop, for every QP solver and form: standing and trotting apart.
#include <benchmark/benchmark.h>

#include <string>

#include "experiments/closed_loop.h"
#include "experiments/metrics.h"

namespace tread {
namespace {

void Walk(benchmark::State& state, const std::string& qp, const std::string& formulation,
          const std::string& shortcut) {
  Series standing, trotting;
  for (auto _ : state) {
    ClosedLoop loop(
        LoadExperiment(std::string(TREAD_SOURCE_DIR) + "/configs/solo12_flat.yaml",
                       {"run.duration=3", "command.start=1", "command.ramp=0.5", "controller.mpc.qp=" + qp,
                        "controller.mpc.formulation=" + formulation, "controller.mpc.shortcut=" + shortcut}));
    while (loop.Tick()) {
      const double us = loop.controller().report().mpc_us;
      if (us > 0) (loop.time() < 0.7 ? standing : trotting).Add(us);  // in between the horizon sees both
    }
  }
  state.counters["trot_p50_us"] = trotting.percentile(0.5);
  state.counters["trot_p95_us"] = trotting.percentile(0.95);
  state.counters["trot_max_us"] = trotting.max();
  state.counters["stand_p50_us"] = standing.percentile(0.5);
  state.counters["stand_max_us"] = standing.max();
}

#define TREAD_MPC(name, qp, form, shortcut) \
  BENCHMARK_CAPTURE(Walk, name, qp, form, shortcut)->Unit(benchmark::kMillisecond)->Iterations(2)
TREAD_MPC(auto, "auto", "condensed", "true");
TREAD_MPC(auto_without_shortcut, "auto", "condensed", "false");
TREAD_MPC(proxqp_condensed, "proxqp", "condensed", "false");
TREAD_MPC(osqp_condensed, "osqp", "condensed", "false");
TREAD_MPC(osqp_sparse, "osqp", "sparse", "false");
TREAD_MPC(proxqp_sparse, "proxqp", "sparse", "false");

}  // namespace
}  // namespace tread
