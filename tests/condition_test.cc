// What the log says about a tick besides the judge: the condition of G, and which joints were at their limit.
#include "sim/contact/condition.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "experiments/allocation_counter.h"
#include "experiments/closed_loop.h"
#include "experiments/tick_columns.h"

namespace tread {
namespace {

// Blocks of 3 and 1 rows with a known spectrum: 2, 3, 5 apart, and coupled where `coupling` is not zero.
BlockMatrix Known(double coupling) {
  BlockMatrix G;
  const int sizes[] = {3, 1};
  G.SetDensePattern(sizes);
  G.Block(0, 0) = Eigen::Vector3d(2, 3, 5).asDiagonal();
  G.Block(1, 1)(0, 0) = 5;
  G.Block(0, 1)(2, 0) = G.Block(1, 0)(0, 2) = coupling;
  return G;
}

TEST(Condition, OfKnownMatrices) {
  ConditionNumber condition;
  EXPECT_DOUBLE_EQ(condition.Compute(BlockMatrix(), 6), 1);
  EXPECT_NEAR(condition.Compute(Known(0), 6), 5.0 / 2.0, 1e-12);
  EXPECT_NEAR(condition.Compute(Known(4), 6), 9.0 / 1.0, 1e-12);
  EXPECT_NEAR(condition.Compute(Known(5 - 1e-6), 6), (10 - 1e-6) / 1e-6, 0.1);
}

TEST(Condition, SingularIsInfiniteAndTooLargeIsNotComputed) {
  ConditionNumber condition;
  EXPECT_TRUE(std::isinf(condition.Compute(Known(5), 6)));
  EXPECT_TRUE(std::isinf(condition.Compute(Known(0), 3)));  // more rows than degrees of freedom
  BlockMatrix large;
  large.SetPattern(std::vector<int>(13, 3), {});
  EXPECT_TRUE(std::isnan(condition.Compute(large, 100)));
  EXPECT_TRUE(std::isinf(condition.Compute(large, 38)));
}

TEST(Condition, DoesNotAllocate) {
  if (!kCountsAllocations) GTEST_SKIP() << kCountsNoAllocations;
  ConditionNumber condition;
  BlockMatrix twelve;
  twelve.SetDensePattern(std::vector<int>(12, 3));
  for (int i = 0; i < 12; ++i) twelve.Block(i, i).diagonal().setConstant(1 + i);
  const BlockMatrix small = Known(1);
  const long before = Allocations();
  EXPECT_NEAR(condition.Compute(twelve, 100), 12, 1e-12);
  EXPECT_GT(condition.Compute(small, 100), 1);
  EXPECT_EQ(Allocations(), before);
}

double Column(const TickLog& log, const std::string& name) {
  for (std::size_t i = 0; i < log.columns().size(); ++i) {
    if (log.columns()[i] == name) return log.row()[i];
  }
  ADD_FAILURE() << "no column " << name;
  return 0;
}

TEST(TickColumns, ConditionOfTheLastStep) {
  ClosedLoop loop(LoadExperiment("configs/solo12_stand.yaml", {"run.duration=0.2"}));
  TickLog log;
  TickColumns columns(loop, &log);
  while (loop.Tick()) columns.Fill();
  const Eigen::VectorXd spectrum =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(loop.simulator().problem()->G.ToDense()).eigenvalues();
  ASSERT_EQ(spectrum.size(), 12);
  EXPECT_NEAR(Column(log, "sim.condition") / (spectrum[11] / spectrum[0]), 1, 1e-9);
  EXPECT_EQ(Column(log, "joint.FL_KFE.saturated"), 0);
}

// Four points of one box are redundant.
TEST(TickColumns, ConditionOfABoxOnTheGroundIsInfinite) {
  ClosedLoop loop(LoadExperiment("configs/box_slide.yaml", {"run.duration=0.1"}));
  TickLog log;
  TickColumns columns(loop, &log);
  while (loop.Tick()) columns.Fill();
  EXPECT_TRUE(std::isinf(Column(log, "sim.condition")));
}

// Dropped with stiff joints: some torques are clamped in some steps of a tick; the shares add up to the count.
TEST(TickColumns, SaturationPerJoint) {
  ClosedLoop loop(LoadExperiment("configs/solo12_stand.yaml",
                                 {"run.duration=0.4", "initial.position=[0,0,0.5]", "sim.dt=0.0002",
                                  "controller.kp=400", "fall.height=0.01", "fall.tilt=3"}));
  ASSERT_GT(loop.steps_per_tick(), 1);
  TickLog log;
  TickColumns columns(loop, &log);
  bool partial = false;
  double clamped = 0;
  while (loop.Tick()) {
    columns.Fill();
    double shares = 0;
    for (const std::string& joint : loop.robot()->joint_names()) {
      const double share = Column(log, "joint." + joint + ".saturated");
      EXPECT_GE(share, 0);
      EXPECT_LE(share, 1 + 1e-12);
      partial = partial || (share > 0.1 && share < 0.9);
      shares += share;
    }
    EXPECT_NEAR(shares * loop.steps_per_tick(), Column(log, "sim.saturated"), 1e-9);
    clamped += shares;
  }
  EXPECT_GT(clamped, 0);
  EXPECT_TRUE(partial);
}

}  // namespace
}  // namespace tread
