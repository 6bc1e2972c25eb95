// The contract of sim/simulator.h, for every backend of the table: Save and Restore, Reset, repeatability, no allocation.
#include "sim/simulator.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "experiments/allocation_counter.h"
#include "experiments/experiment_config.h"
#include "sim/backends.h"
#include "sim/contact/solver_table.h"

namespace tread {
namespace {

std::unique_ptr<Simulator> Load(const std::string& backend, const std::string& name,
                                std::vector<std::string> sets = {}) {
  sets.push_back("sim.backend=" + backend);
  const ExperimentConfig config = LoadExperiment("configs/" + name + ".yaml", sets);
  return MakeSimulator(std::make_unique<Scene>(config.AllOfScene(), 1), config.sim);
}

// Holds the pose the robot starts in.
JointCommand Hold(const Simulator& simulator) {
  const Scene& scene = simulator.scene();
  JointCommand command = JointCommand::Zero(scene.na());
  command.q = scene.initial.q.segment(scene.na() > 0 ? scene.systems[0]->nq() - scene.na() : 0, scene.na());
  command.kp.setConstant(20);
  command.kd.setConstant(0.3);
  return command;
}

bool SameBytes(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), sizeof(double) * static_cast<std::size_t>(a.size())) == 0;
}

const std::vector<std::string> kBumpy{"terrain.type=bumpy", "terrain.amplitude=0.1", "terrain.flat_radius=0",
                                      "terrain.blend_radius=0.05"};

// Hills of 2 cm on a grid of 5 cm, as a file.
std::string HeightMapFile() {
  const std::string path = ::testing::TempDir() + "tread_height_map.txt";
  std::ofstream file(path);
  file << "41 41 0.05 -1 -1\n";
  for (int j = 0; j < 41; ++j) {
    for (int i = 0; i < 41; ++i) file << 0.01 * std::sin(0.9 * i) * std::cos(0.7 * j) << ' ';
    file << '\n';
  }
  return path;
}

// Few iterations: these tests ask for the same bytes and for memory, not for accuracy, and some methods are slow on piles.
const std::vector<std::string> kFewIterations{"sim.contact.max_iterations=5"};

// Sparse factors take memory when a new pattern of contacts, as the pile has in every other step, fills them more than all before. A pattern
// seen before costs none (contact_allocation_test).
bool FactorsPatterns(const std::string& backend) {
  return backend == "ccp_newton" || backend.find("admm") != std::string::npos;
}

// A few pivots of Lemke's method are no approximation: the pile is then not held, and steps fail.
bool TakesPiles(const std::string& backend) {
  return backend != "lcp_lemke";
}

class SimulatorContract : public ::testing::TestWithParam<std::string> {};

void ContinuesBitForBit(const std::string& backend, const std::string& name,
                        const std::vector<std::string>& sets) {
  SCOPED_TRACE(name);
  const auto simulator = Load(backend, name, sets);
  const JointCommand command = Hold(*simulator);
  for (int i = 0; i < 700; ++i) simulator->Step(command);
  const Snapshot snapshot = simulator->Save();
  for (int i = 0; i < 500; ++i) simulator->Step(command);
  const State after = simulator->state();
  EXPECT_FALSE(SameBytes(after.q, snapshot.state.q));
  simulator->Restore(snapshot);
  EXPECT_DOUBLE_EQ(simulator->time(), 700 * simulator->dt());
  for (int i = 0; i < 500; ++i) simulator->Step(command);
  EXPECT_TRUE(SameBytes(after.q, simulator->state().q) && SameBytes(after.v, simulator->state().v));
  // and in another simulator of the same scene
  const auto other = Load(backend, name, sets);
  other->Restore(snapshot);
  for (int i = 0; i < 500; ++i) other->Step(command);
  EXPECT_TRUE(SameBytes(after.q, other->state().q) && SameBytes(after.v, other->state().v));
}

TEST_P(SimulatorContract, SaveAndRestoreContinueBitForBit) {
  ContinuesBitForBit(GetParam(), "solo12_stand", {"initial.position=[0,0,0.3]"});
  ContinuesBitForBit(GetParam(), "solo12_stand", kBumpy);
  if (TakesPiles(GetParam())) ContinuesBitForBit(GetParam(), "pile", kFewIterations);
}

TEST_P(SimulatorContract, ResetForgetsEverything) {
  const auto simulator = Load(GetParam(), "pile", kFewIterations);
  const JointCommand none = JointCommand::Zero(0);
  for (int i = 0; i < 400; ++i) simulator->Step(none);
  const State first = simulator->state();
  simulator->Reset(simulator->scene().initial);
  EXPECT_EQ(simulator->time(), 0);
  for (int i = 0; i < 400; ++i) simulator->Step(none);
  EXPECT_TRUE(SameBytes(first.q, simulator->state().q));
  EXPECT_THROW(simulator->Reset(State{}), std::invalid_argument);
}

TEST_P(SimulatorContract, AFailedStepLeavesTheStateAlone) {
  const auto simulator = Load(GetParam(), "solo12_stand");
  JointCommand command = Hold(*simulator);
  for (int i = 0; i < 10; ++i) simulator->Step(command);
  const State before = simulator->state();
  const double time = simulator->time();
  command.tau[3] = std::nan("");
  EXPECT_EQ(simulator->Step(command).status, SolveStatus::kFailed);
  EXPECT_TRUE(SameBytes(before.q, simulator->state().q) && SameBytes(before.v, simulator->state().v));
  EXPECT_EQ(simulator->time(), time);
  EXPECT_EQ(simulator->Step(Hold(*simulator)).status, SolveStatus::kConverged);
}

TEST_P(SimulatorContract, ReportAddsUp) {
  const auto simulator = Load(GetParam(), "solo12_stand", kBumpy);
  const JointCommand command = Hold(*simulator);
  for (int i = 0; i < 1000; ++i) {
    const Eigen::Vector3d before = simulator->scene().systems[0]->LinearMomentum();
    const StepReport& report = simulator->Step(command);
    Eigen::Vector3d force = 2.50000279 * simulator->scene().gravity;
    for (const Contact& c : report.contacts) {
      if (c.body1.system < 0) force += c.frame * c.force;  // those with itself cancel
    }
    // Newton's law for the whole robot. First order in dt: the masses that turn relative to the base are stepped in its axes.
    const Eigen::Vector3d change = (report.mechanics.linear_momentum - before) / simulator->dt();
    EXPECT_LT((change - force).norm(), 0.02 * force.norm() + 0.3) << i;
    EXPECT_GT(report.times_us.total(), 0);
  }
}

// ncp_pgs cut at one sweep from a cold start: most solves do not converge.
const std::vector<std::string> kOneSweep{"sim.contact.max_iterations=1", "initial.position=[0,0,0.26]",
                                         "sim.contact.warm_start=false"};

TEST(FailurePolicy, KeepUsesTheForcesThereAre) {
  const auto simulator = Load("ncp_pgs", "solo12_stand", kOneSweep);
  int unconverged = 0;
  for (int i = 0; i < 200; ++i) {
    const StepReport& report = simulator->Step(Hold(*simulator));
    unconverged += report.status == SolveStatus::kMaxIterations;
    EXPECT_EQ(report.fallbacks, 0);
  }
  EXPECT_GT(unconverged, 100);
  EXPECT_DOUBLE_EQ(simulator->time(), 200 * simulator->dt());
}

TEST(FailurePolicy, FallbackSolvesWhatTheFirstSolverLeftAndIsCounted) {
  std::vector<std::string> sets = kOneSweep;
  sets.push_back("sim.contact.on_failure=fallback:ncp_newton");
  const auto simulator = Load("ncp_pgs", "solo12_stand", sets);
  int fallbacks = 0;
  for (int i = 0; i < 200; ++i) {
    const StepReport& report = simulator->Step(Hold(*simulator));
    fallbacks += report.fallbacks;
    EXPECT_EQ(report.status,
              SolveStatus::kConverged);  // within one of ncp_newton's iterations, or it says so
    EXPECT_LE(report.ncp.worst(), 1.001e-6);
  }
  EXPECT_GT(fallbacks, 100);
}

TEST(FailurePolicy, AnUnknownFallbackIsRefused) {
  EXPECT_THROW(Load("ncp_pgs", "solo12_stand", {"sim.contact.on_failure=fallback:nothing"}),
               std::invalid_argument);
}

TEST_P(SimulatorContract, StepsDoNotAllocate) {
  if (!kCountsAllocations) GTEST_SKIP() << kCountsNoAllocations;
  if (FindSolver(GetParam())->peer) GTEST_SKIP() << "another library's: it allocates";
  struct Case {
    const char* name;
    std::vector<std::string> sets;
    int warm_up;
  };
  const std::string map = HeightMapFile();
  for (const Case& c : {Case{"solo12_stand", {}, 200}, Case{"solo12_stand", kBumpy, 1000},
                        Case{"pile", {"sim.contact.max_iterations=100"}, 2000},
                        Case{"solo12_stand", {"terrain.type=heightmap", "terrain.file=" + map}, 1000}}) {
    if (c.name == std::string("pile") && (!TakesPiles(GetParam()) || FactorsPatterns(GetParam()))) continue;
    SCOPED_TRACE(std::string(c.name) + (c.sets.empty() ? "" : ", " + c.sets[0]));
    const auto simulator = Load(GetParam(), c.name, c.sets);
    const JointCommand command = Hold(*simulator);
    for (int i = 0; i < c.warm_up; ++i) simulator->Step(command);
    const long before = Allocations();
    for (int i = 0; i < 1000; ++i) simulator->Step(command);
    EXPECT_EQ(Allocations() - before, 0);
  }
}

std::vector<std::string> Available() {
  std::vector<std::string> names;
  for (const BackendEntry& entry : BackendTable()) {
    if (entry.available) names.push_back(entry.name);
  }
  return names;
}

INSTANTIATE_TEST_SUITE_P(Backends, SimulatorContract, ::testing::ValuesIn(Available()),
                         [](const auto& entry) { return entry.param; });

}  // namespace
}  // namespace tread
