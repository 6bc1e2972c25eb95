#include "experiments/benchmarks/recorded_problems.h"

#include <map>
#include <stdexcept>
#include <string>

#include "experiments/closed_loop.h"
#include "sim/backends.h"

namespace tread {
namespace {

std::string ConfigPath(const std::string& name) {
  return std::string(TREAD_SOURCE_DIR) + "/configs/" + name + ".yaml";
}

// Evenly from the run's second second on, when the walk is under way.
void Record(const std::string& name, int count, std::vector<RecordedProblem>* problems) {
  ClosedLoop loop(LoadExperiment(ConfigPath(name), {"run.duration=5"}));
  const int every = static_cast<int>(4 / loop.tick_duration()) / (count + 10);
  ContactProblem before;
  for (int tick = 0, taken = 0, due = static_cast<int>(1 / loop.tick_duration());
       taken < count && loop.Tick(); ++tick) {
    const ContactProblem& problem = *loop.simulator().problem();
    if (tick >= due && problem.rows() > 0 && problem.types == before.types) {
      problems->push_back({before, problem});
      due += every;
      ++taken;
    }
    before = problem;
  }
}

}  // namespace

const std::vector<RecordedProblem>& Solo12Problems() {
  static const std::vector<RecordedProblem> problems = [] {
    std::vector<RecordedProblem> all;
    for (const char* name : {"solo12_stand", "solo12_flat", "solo12_bumpy"}) Record(name, 110, &all);
    if (all.size() < 300) throw std::runtime_error("a run ended before 110 problems were recorded");
    return all;
  }();
  return problems;
}

namespace {

std::unique_ptr<Simulator> MakePile(int bodies, const std::string& backend, int max_iterations) {
  ExperimentConfig config = LoadExperiment(
      ConfigPath("pile"),
      {"sim.backend=" + backend, "sim.contact.max_iterations=" + std::to_string(max_iterations)});
  SceneConfig scene = config.AllOfScene();
  const std::vector<BodyConfig> heap = scene.bodies;  // one more heap beside it for every twenty bodies
  scene.bodies.clear();
  for (int i = 0; i < bodies; ++i) {
    BodyConfig body = heap[static_cast<std::size_t>(i) % heap.size()];
    const int copy = i / static_cast<int>(heap.size());
    body.name += "_" + std::to_string(copy);
    body.initial.position[0] += 0.3 * (copy % 5);
    body.initial.position[1] += 0.25 * (copy / 5);
    scene.bodies.push_back(body);
  }
  return MakeSimulator(std::make_unique<Scene>(scene, 1), config.sim);
}

// After step 800.
struct Pile {
  ContactProblem problem;
  Snapshot snapshot;
};

const Pile& FallenPile(int bodies) {
  static std::map<int, Pile> piles;
  const auto [at, is_new] = piles.try_emplace(bodies);
  if (!is_new) return at->second;
  const auto simulator = MakePile(bodies, "ncp_pgs", 200);
  for (int step = 0; step < 800; ++step) simulator->Step(JointCommand::Zero(0));
  return at->second = {*simulator->problem(), simulator->Save()};
}

}  // namespace

const ContactProblem& PileProblem(int bodies) {
  return FallenPile(bodies).problem;
}

SettlingTimes SettlePile(int bodies, const std::string& backend, int steps) {
  const auto simulator = MakePile(bodies, backend, 1000);
  simulator->Restore(FallenPile(bodies).snapshot);
  SettlingTimes sum;
  for (int step = 0; step < steps; ++step) {
    const StepReport& report = simulator->Step(JointCommand::Zero(0));
    sum.solve_us += report.times_us.solve / steps;
    sum.contacts += static_cast<double>(report.contacts.size()) / steps;
    sum.unconverged += (report.status == SolveStatus::kConverged ? 0.0 : 1.0) / steps;
  }
  return sum;
}

}  // namespace tread
