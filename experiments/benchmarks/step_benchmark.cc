// One step of the standing Solo-12, against the bare pieces by plain Pinocchio measured in the same run, and of the pile of twenty bodies.
//
// A batch of steps and a batch of bare pieces alternate, so that a busy machine slows both; `over_bare` is the ratio of the medians.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "control/controller.h"
#include "experiments/benchmarks/bare_pinocchio.h"
#include "experiments/closed_loop.h"
#include "experiments/metrics.h"
#include "robots/robot_table.h"
#include "sim/backends.h"

namespace tread {
namespace {

using Clock = std::chrono::steady_clock;

double Microseconds(Clock::duration d) {
  return std::chrono::duration<double, std::micro>(d).count();
}

struct Bench {
  std::unique_ptr<Simulator> simulator;
  JointCommand command;
};

Bench Load(const std::string& name, const std::vector<std::string>& sets) {
  const ExperimentConfig config =
      LoadExperiment(std::string(TREAD_SOURCE_DIR) + "/configs/" + name + ".yaml", sets);
  Bench bench{MakeSimulator(std::make_unique<Scene>(config.AllOfScene(), 1), config.sim), {}};
  bench.command = JointCommand::Zero(bench.simulator->scene().na());
  if (config.robot == "none") return bench;
  const auto controller = MakeController(config.controller, MakeRobot(config.robot));
  controller->Reset(bench.simulator->state());
  bench.command = controller->Update({0, &bench.simulator->state(), {}});
  return bench;
}

void ReportParts(const std::vector<Series>& parts, benchmark::State& state) {
  const char* names[] = {"dynamics_us", "collision_us", "assembly_us",
                         "solve_us",    "judge_us",     "integrate_us"};
  for (std::size_t i = 0; i < parts.size(); ++i) state.counters[names[i]] = parts[i].percentile(0.5);
}

void AddParts(const StepTimes& t, std::vector<Series>* parts) {
  const double values[] = {t.dynamics, t.collision, t.assembly, t.solve, t.judge, t.integrate};
  for (std::size_t i = 0; i < parts->size(); ++i) (*parts)[i].Add(values[i]);
}

// sets[0] names the variant.
void Stand(benchmark::State& state, const std::vector<std::string>& sets) {
  Bench bench = Load("solo12_stand", sets);
  BarePinocchio bare;
  for (int i = 0; i < 2000; ++i) bench.simulator->Step(bench.command);
  std::vector<Series> parts(6);
  Series steps, bares;
  constexpr int kBatch = 20;
  for (auto _ : state) {
    const auto start = Clock::now();
    for (int i = 0; i < kBatch; ++i)
      benchmark::DoNotOptimize(bench.simulator->Step(bench.command).iterations);
    const auto middle = Clock::now();
    for (int i = 0; i < kBatch; ++i)
      benchmark::DoNotOptimize(bare.Compute(bench.simulator->state().q, bench.simulator->state().v).data());
    const auto end = Clock::now();
    steps.Add(Microseconds(middle - start) / kBatch);
    bares.Add(Microseconds(end - middle) / kBatch);
    AddParts(bench.simulator->Step(bench.command).times_us, &parts);
    state.SetIterationTime(Microseconds(middle - start) / kBatch * 1e-6);
  }
  state.counters["step_us"] = steps.percentile(0.5);
  state.counters["bare_us"] = bares.percentile(0.5);
  state.counters["over_bare"] = steps.percentile(0.5) / bares.percentile(0.5);
  ReportParts(parts, state);
}

void Pile(benchmark::State& state) {
  Bench bench = Load("pile", {});
  for (int i = 0; i < 2000; ++i) bench.simulator->Step(bench.command);
  const Snapshot snapshot = bench.simulator->Save();
  std::vector<Series> parts(6);
  double contacts = 0;
  long steps = 0;
  for (auto _ : state) {
    if (steps++ % 500 == 0) bench.simulator->Restore(snapshot);
    const StepReport& report = bench.simulator->Step(bench.command);
    AddParts(report.times_us, &parts);
    contacts = static_cast<double>(report.contacts.size());
    state.SetIterationTime(report.times_us.total() * 1e-6);
  }
  state.counters["contacts"] = contacts;
  ReportParts(parts, state);
}

BENCHMARK_CAPTURE(Stand, flat, {})->UseManualTime()->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(Stand, bumpy,
                  {"terrain.type=bumpy", "terrain.amplitude=0.05", "terrain.flat_radius=0",
                   "terrain.blend_radius=0.01"})
    ->UseManualTime()
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(Pile)->UseManualTime()->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace tread
