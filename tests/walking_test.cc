// Solo-12 walks: short closed loops on flat and bumpy ground, pushed, with a noisy state, under both whole-body controllers and all QP solvers.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <chrono>
#include <cmath>
#include <cstring>

#include "control/horizon.h"
#include "experiments/allocation_counter.h"
#include "experiments/closed_loop.h"
#include "experiments/metrics.h"
#include "experiments/tick_columns.h"
#include "robots/robot_table.h"

namespace tread {
namespace {

struct Walk {
  Series error[3];  // averaged over a gait period, steady part
  Outcome outcome = Outcome::kCompleted;
  std::string reason;
  double worst = 0;
  State last;
  int mpc_failures = 0;
};

Walk WalkRun(const std::string& config, const std::vector<std::string>& sets) {
  ClosedLoop loop(LoadExperiment("configs/" + config + ".yaml", sets));
  TickLog log;
  TickColumns columns(loop, &log);
  Walk walk;
  while (loop.Tick()) {
    columns.Fill();
    walk.worst = std::max(walk.worst, loop.record().ncp.worst());
    const ControlReport& control = loop.controller().report();
    if (loop.time() < control.steady_from) continue;
    for (int i = 0; i < 3; ++i) walk.error[i].Add(columns.averaged_velocity()[i] - control.command[i]);
  }
  walk.outcome = loop.outcome();
  walk.reason = loop.reason();
  walk.last = loop.simulator().state();
  walk.mpc_failures = loop.controller().report().mpc_failures;
  return walk;
}

void ExpectTracks(const Walk& walk, double tolerance) {
  EXPECT_EQ(walk.outcome, Outcome::kCompleted) << walk.reason;
  EXPECT_LE(walk.worst, 1e-6);
  EXPECT_EQ(walk.mpc_failures, 0);
  for (int i = 0; i < 3; ++i) EXPECT_LT(std::abs(walk.error[i].mean()), tolerance) << "axis " << i;
}

TEST(Walking, FollowsItsCommandOnFlatGround) {
  ExpectTracks(WalkRun("solo12_flat", {"run.duration=5"}), 0.01);
  ExpectTracks(WalkRun("solo12_flat", {"run.duration=5", "command.vx=0", "command.vy=0.2"}), 0.02);
  ExpectTracks(WalkRun("solo12_turn", {"run.duration=5"}), 0.03);
}

TEST(Walking, StaysInPlace) {
  const Walk walk = WalkRun("solo12_flat", {"run.duration=6", "command.vx=0"});
  EXPECT_EQ(walk.outcome, Outcome::kCompleted);
  EXPECT_LT(walk.last.q.head<2>().norm(), 0.01);
}

TEST(Walking, EveryGaitAndTheReactiveControllerFollow) {
  for (const std::string gait : {"walk", "pace", "bound", "stand"}) {
    const Walk walk = WalkRun("solo12_flat", {"run.duration=5", "controller.gait.type=" + gait,
                                              gait == "stand" ? "command.vx=0" : "command.vx=0.2"});
    EXPECT_EQ(walk.outcome, Outcome::kCompleted) << gait << ": " << walk.reason;
    EXPECT_LT(std::abs(walk.error[0].mean()), 0.02) << gait;
  }
  ExpectTracks(WalkRun("solo12_flat", {"run.duration=4", "controller.wbc.type=reactive"}), 0.03);
}

TEST(Walking, QpSolversGiveTheSameWalk) {
  const Walk reference = WalkRun("solo12_flat", {"run.duration=2.5", "command.start=0.2", "command.ramp=0.5",
                                                 "controller.mpc.qp=proxqp"});
  for (const std::string formulation : {"condensed", "sparse"}) {
    for (const std::string qp : {"osqp", "proxqp"}) {
      const Walk walk =
          WalkRun("solo12_flat", {"run.duration=2.5", "command.start=0.2", "command.ramp=0.5",
                                  "controller.mpc.qp=" + qp, "controller.mpc.formulation=" + formulation});
      EXPECT_EQ(walk.outcome, Outcome::kCompleted) << qp << " " << formulation << ": " << walk.reason;
      EXPECT_FALSE(walk.error[0].empty());
      EXPECT_NEAR(walk.error[0].mean(), reference.error[0].mean(), 0.01) << qp << " " << formulation;
    }
  }
}

TEST(Walking, WalksOverGentleBumpsPushedAndWithANoisyState) {
  EXPECT_EQ(WalkRun("solo12_bumpy_gentle", {"run.duration=6", "run.seed=3"}).outcome, Outcome::kCompleted);
  EXPECT_EQ(WalkRun("solo12_push", {"run.duration=8"}).outcome, Outcome::kCompleted);
  EXPECT_EQ(WalkRun("solo12_flat", {"run.duration=4", "observation.velocity_noise=0.02",
                                    "observation.orientation_noise=0.01", "observation.delay=0.004"})
                .outcome,
            Outcome::kCompleted);
}

TEST(Walking, EqualRunsAreEqualBitForBit) {
  for (const std::string mode : {"delay", "sync"}) {
    const std::vector<std::string> sets{"run.duration=3", "controller.timing.mode=" + mode};
    const Walk a = WalkRun("solo12_bumpy", sets), b = WalkRun("solo12_bumpy", sets);
    ASSERT_EQ(a.last.q.size(), b.last.q.size());
    EXPECT_EQ(std::memcmp(a.last.q.data(), b.last.q.data(),
                          sizeof(double) * static_cast<std::size_t>(a.last.q.size())),
              0);
  }
}

// Plans come when the thread is done, at the pace of the wall clock.
TEST(Walking, WalksOnPlansOfAThread) {
  const auto start = std::chrono::steady_clock::now();
  const Walk walk = WalkRun("solo12_flat", {"run.duration=3", "controller.timing.mode=thread"});
  EXPECT_EQ(walk.outcome, Outcome::kCompleted) << walk.reason;
  EXPECT_LT(std::abs(walk.error[0].mean()), 0.05);
  EXPECT_GT(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(2900));
}

TEST(Walking, FallsAreSeenAndExplained) {
  const Walk walk = WalkRun("solo12_push", {"wrenches.0.force=[0,150,0]", "run.duration=7"});
  EXPECT_EQ(walk.outcome, Outcome::kFell);
  EXPECT_FALSE(walk.reason.empty());
}

// Where the shortcut answers, no QP library is called: such ticks show what the controller itself allocates.
TEST(Walking, TicksWithoutAQpLibraryDoNotAllocate) {
  if (!kCountsAllocations) GTEST_SKIP() << kCountsNoAllocations;
  ClosedLoop loop(LoadExperiment("configs/solo12_flat.yaml", {"run.duration=4"}));
  long quiet = 0, planning = 0, loud = 0;
  for (long tick = 0;; ++tick) {
    const long before = Allocations();
    if (!loop.Tick()) break;
    const long count = Allocations() - before;
    const ControlReport& control = loop.controller().report();
    const bool library = control.wbc_iterations > 0 || (control.mpc_us > 0 && control.mpc_iterations > 0);
    if (tick < 2000) continue;
    if (library) {
      ++loud;
      continue;
    }
    quiet += count;
    planning += control.mpc_us > 0 ? 1 : 0;
  }
  EXPECT_EQ(quiet, 0);
  EXPECT_GT(planning, 10);  // MPC solves were among the quiet ticks
  RecordProperty("ticks_with_a_library", static_cast<int>(loud));
}

// (dJ/dt) v by finite differences of the foot's velocity along the motion with zero generalised acceleration.
TEST(Robot, BiasAcceleration) {
  const auto robot = MakeRobot("solo12");
  const Eigen::VectorXd v = Eigen::VectorXd::LinSpaced(18, -1, 1.2);
  const auto velocity = [&](const Eigen::VectorXd& q) -> Eigen::Vector3d {
    robot->ComputeTerms(q, v);
    const Frame& foot = robot->feet()[2];
    const auto b = static_cast<std::size_t>(foot.body);
    const Eigen::Vector3d p = robot->poses()[b] * foot.placement.p;
    return robot->velocities()[b].linear + robot->velocities()[b].angular.cross(p - robot->poses()[b].p);
  };
  const double dt = 1e-6;
  Eigen::VectorXd forward = robot->q_home(), backward = robot->q_home(), scratch = v;
  robot->Integrate(dt, forward, scratch);
  scratch = v;
  robot->Integrate(-dt, backward, scratch);
  const Eigen::Vector3d expected = (velocity(forward) - velocity(backward)) / (2 * dt);
  velocity(robot->q_home());
  const Frame& foot = robot->feet()[2];
  const Eigen::Vector3d p = robot->poses()[static_cast<std::size_t>(foot.body)] * foot.placement.p;
  EXPECT_LT((robot->BiasAcceleration(foot.body, p) - expected).norm(), 1e-6 * expected.norm());
}

}  // namespace
}  // namespace tread
