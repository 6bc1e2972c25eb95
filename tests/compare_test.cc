// Measures of a comparison against closed forms; replayed torques; plans and their refusals.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "experiments/compare/compare_json.h"
#include "experiments/compare/compare_plan.h"
#include "experiments/compare/replay.h"
#include "experiments/compare/statistics.h"
#include "experiments/compare/transfer.h"

namespace tread {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Statistics, Quantiles) {
  EXPECT_DOUBLE_EQ(Median({3, 1, 2}), 2);
  EXPECT_DOUBLE_EQ(Median({4, 1, 2, 3}), 2.5);
  EXPECT_DOUBLE_EQ(Quantile({1, 2, 3, 4, 5}, 0.25), 2);
  EXPECT_DOUBLE_EQ(Quantile({1, 2, 3, 4}, 0.25), 1.75);
  EXPECT_DOUBLE_EQ(Quantile({7}, 0.75), 7);
  EXPECT_DOUBLE_EQ(Median({1, kInfinity, 2}), 2);
  EXPECT_EQ(Median({1, kInfinity, kInfinity}), kInfinity);
  EXPECT_EQ(Median({1, 2, kInfinity, kInfinity}), kInfinity);
  EXPECT_EQ(Median({kInfinity, kInfinity}), kInfinity);
  EXPECT_TRUE(std::isnan(Median({})));
  EXPECT_DOUBLE_EQ(Mean({1, 2, 6}), 3);
}

// Newcombe 1998, table I: 81 of 263; and the ends.
TEST(Statistics, WilsonInterval) {
  EXPECT_NEAR(WilsonInterval(81, 263).low, 0.2553, 5e-5);
  EXPECT_NEAR(WilsonInterval(81, 263).high, 0.3662, 5e-5);
  EXPECT_NEAR(WilsonInterval(0, 20).low, 0, 1e-15);
  EXPECT_NEAR(WilsonInterval(0, 20).high, 0.1611, 5e-5);
  EXPECT_NEAR(WilsonInterval(20, 20).low, 1 - 0.1611, 5e-5);
  EXPECT_NEAR(WilsonInterval(20, 20).high, 1, 1e-15);
  EXPECT_EQ(WilsonInterval(0, 0).low, 0);
  EXPECT_EQ(WilsonInterval(0, 0).high, 1);
}

TEST(Statistics, McNemarIsTwoTailsOfFairCoins) {
  EXPECT_NEAR(McNemarExact(0, 6), 2.0 / 64, 1e-14);
  EXPECT_NEAR(McNemarExact(6, 0), 2.0 / 64, 1e-14);
  EXPECT_NEAR(McNemarExact(1, 4), 2 * 6.0 / 32, 1e-14);
  EXPECT_NEAR(McNemarExact(1, 9), 2 * 11.0 / 1024, 1e-14);
  EXPECT_EQ(McNemarExact(3, 3), 1);
  EXPECT_EQ(McNemarExact(0, 0), 1);
}

TEST(Statistics, KendallTauB) {
  EXPECT_DOUBLE_EQ(KendallTauB({1, 2, 3, 4}, {10, 20, 30, 40}), 1);
  EXPECT_DOUBLE_EQ(KendallTauB({1, 2, 3, 4}, {4, 3, 2, 1}), -1);
  EXPECT_DOUBLE_EQ(KendallTauB({1, 2, 3}, {1, 3, 2}), 1.0 / 3);
  // a tie in one: 5 concordant, 0 discordant of 6 pairs
  EXPECT_DOUBLE_EQ(KendallTauB({1, 2, 2, 3}, {1, 2, 3, 4}), 5 / std::sqrt(5.0 * 6));
  EXPECT_TRUE(std::isnan(KendallTauB({1, 1, 1}, {1, 2, 3})));
}

Trajectory Straight(double speed, std::size_t samples) {
  Trajectory trajectory;
  for (std::size_t i = 0; i < samples; ++i) {
    trajectory.position.emplace_back(speed * trajectory.time(i), 0, 0.25);
    trajectory.velocity.emplace_back(speed, 0);
  }
  return trajectory;
}

TEST(Gap, TwoStraightPaths) {
  const Trajectory slow = Straight(0.3, 500), fast = Straight(0.32, 400);
  const std::vector<double> distances = Distances(slow, fast);
  ASSERT_EQ(distances.size(), 400u);  // of the shorter one
  EXPECT_NEAR(distances[99], 0.02, 1e-12);
  EXPECT_NEAR(VelocityDifference(slow, fast), 0.02, 1e-12);
  EXPECT_NEAR(TimeToThreshold(distances, slow.period, 0.0101), 0.51, 1e-12);
  EXPECT_EQ(TimeToThreshold(distances, slow.period, 0.1), kInfinity);
  EXPECT_EQ(VelocityDifference(slow, slow), 0);
  EXPECT_TRUE(std::isnan(VelocityDifference(slow, Trajectory{})));
}

TEST(Gap, RateOfAnExponential) {
  std::vector<double> distances;
  for (int i = 1; i <= 1000; ++i) distances.push_back(std::min(0.5, 1e-12 * std::exp(4.0 * 0.01 * i)));
  EXPECT_NEAR(DivergenceRate(distances, 0.01), 4, 1e-9);
  // no slope where nothing diverges: zero, constant, below rounding, or beyond the end of the early part at once
  EXPECT_TRUE(std::isnan(DivergenceRate(std::vector<double>(1000, 0.0), 0.01)));
  EXPECT_TRUE(std::isnan(DivergenceRate(std::vector<double>(1000, 1e-6), 0.01)));
  EXPECT_TRUE(std::isnan(DivergenceRate(std::vector<double>(1000, 1e-10), 0.01)));
  EXPECT_TRUE(std::isnan(DivergenceRate(std::vector<double>(1000, 0.5), 0.01)));
  // nor where the distance shrinks
  std::reverse(distances.begin(), distances.end());
  distances.erase(distances.begin(),
                  std::find_if(distances.begin(), distances.end(), [](double d) { return d < 0.01; }));
  EXPECT_TRUE(std::isnan(DivergenceRate(distances, 0.01)));
}

TEST(Gap, TrajectoriesSurviveThePipe) {
  Trajectory sent = Straight(1 / 3.0, 7);
  sent.period = 0.02;
  const Trajectory received = FromBytes(ToBytes(sent));
  EXPECT_EQ(received.period, sent.period);
  EXPECT_EQ(received.position, sent.position);
  EXPECT_EQ(received.velocity, sent.velocity);
}

TEST(Gap, CurvesOfPairsThatEndedKeepTheirLastDistance) {
  const std::vector<double> rising{1, 2, 3, 4}, ended{10, 20}, none;
  const GapCurve curve = ReduceCurves({&rising, &ended, &none}, 0.5, 2);
  EXPECT_EQ(curve.t, (std::vector<double>{1, 2}));
  EXPECT_EQ(curve.median, (std::vector<double>{11, 12}));
  EXPECT_EQ(curve.q1, (std::vector<double>{6.5, 8}));
}

TEST(TransferMatrix, WhatIsLostByTheWrongBackend) {
  const double nan = std::nan("");
  const Transfer t = ComputeTransfer({{1, 2, 3}, {4, 3, 2}, {nan, 5, 5}});
  EXPECT_EQ(t.best, (std::vector<std::size_t>{0, 2, 1}));
  EXPECT_DOUBLE_EQ(t.kendall[0][0], 1);
  EXPECT_DOUBLE_EQ(t.kendall[0][1], -1);
  EXPECT_TRUE(std::isnan(t.kendall[0][2]));
  EXPECT_DOUBLE_EQ(t.transfer[0][1], 2);  // 4 instead of 2
  EXPECT_DOUBLE_EQ(t.transfer[1][0], 3);
  EXPECT_DOUBLE_EQ(t.transfer[1][1], 1);
  EXPECT_TRUE(std::isnan(t.transfer[0][2]));
}

ExperimentConfig Walk(const std::vector<std::string>& sets) {
  std::vector<std::string> all{"run.duration=1.6"};
  all.insert(all.end(), sets.begin(), sets.end());
  return LoadExperiment("configs/solo12_bumpy.yaml", all);
}

// In the backend that made the torques the replay is the run: with plans that take effect late, torques that are clamped, several
// simulation steps per control tick. Another law leaves the path.
TEST(Replay, IsTheRunItselfInItsOwnBackend) {
  for (const std::vector<std::string>& sets :
       {std::vector<std::string>{"sim.backend=ncp_newton"},
        std::vector<std::string>{"controller.wbc.kd=1.5", "controller.timing.delay=0.01"},
        std::vector<std::string>{"sim.dt=0.0005"},
        std::vector<std::string>{"observation.velocity_noise=0.05"}}) {
    const ExperimentConfig config = Walk(sets);
    ExperimentConfig other = config;
    other.sim.backend = "ccp_pgs";
    double period = 0;
    const auto distances = ReplayDistances(config, {config, other}, &period);
    EXPECT_DOUBLE_EQ(period, 0.01);
    ASSERT_EQ(distances.size(), 2u);
    EXPECT_EQ(distances[0].size(), 160u) << sets[0];
    EXPECT_EQ(*std::max_element(distances[0].begin(), distances[0].end()), 0) << sets[0];
    EXPECT_GT(*std::max_element(distances[1].begin(), distances[1].end()), 0) << sets[0];
  }
}

TEST(Replay, TheCaseWithClampedTorquesHasSome) {
  ClosedLoop loop(Walk({"controller.wbc.kd=1.5", "controller.timing.delay=0.01"}));
  int saturated = 0;
  while (loop.Tick()) saturated += loop.record().saturated;
  EXPECT_GT(saturated, 0);
}

TEST(Replay, EndsWithItsTape) {
  ClosedLoop none(Walk({})), some(Walk({}));
  const TorqueTape nothing, tape(12 * 5, 0.0);
  none.Replay(&nothing);
  EXPECT_FALSE(none.Tick());
  some.Replay(&tape);
  int ticks = 0;
  while (some.Tick()) ++ticks;
  EXPECT_EQ(ticks, 5);
}

CompareRequest Request(const std::vector<std::string>& backends, const std::string& reference = "") {
  CompareRequest request;
  request.config = "configs/box_slide.yaml";
  request.backends = backends;
  request.reference = reference;
  return request;
}

std::vector<std::string> Roles(const ComparePlan& plan) {
  std::vector<std::string> roles;
  for (const CompareColumn& column : plan.columns) roles.push_back(column.name + " " + Name(column.role));
  return roles;
}

TEST(Plan, AddsReferenceAndControl) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(Roles(MakePlan(Request({"raisim"}))),
            (Texts{"ncp_newton@1e-9 reference", "ncp_pgs control", "raisim model"}));
  EXPECT_EQ(Roles(MakePlan(Request({"ncp_newton", "ncp_bgs"}))),
            (Texts{"ncp_newton@1e-9 reference", "ncp_newton control", "ncp_bgs control"}));
  EXPECT_EQ(Roles(MakePlan(Request({"ccp_admm", "ncp_pgs"}, "ccp_admm"))),
            (Texts{"ccp_admm reference", "ccp_pgs control", "ncp_pgs model"}));
  const ComparePlan lone = MakePlan(Request({"raisim"}, "raisim@1e-5"));
  EXPECT_EQ(lone.columns.size(), 3u);
  EXPECT_EQ(Name(lone.columns[1].role), std::string("control"));
  EXPECT_DOUBLE_EQ(*lone.columns[1].eps_abs, 1e-7);
  EXPECT_EQ(lone.notes.size(), 1u);
}

TEST(Plan, AnAccuracyOverridesBudgetAndCap) {
  CompareRequest request = Request({"ncp_pgs"});
  request.sets = {"sim.contact.budget=1", "sim.contact.max_iterations=5"};
  const ComparePlan plan = MakePlan(request);
  EXPECT_EQ(plan.Config(0, 0).sim.contact.eps_abs, 1e-9);
  EXPECT_EQ(plan.Config(0, 0).sim.contact.budget, 0);
  EXPECT_EQ(plan.Config(0, 0).sim.contact.max_iterations, 10000);
  EXPECT_EQ(plan.Config(0, 1).sim.contact.budget, 1);
}

TEST(Plan, ProductsOfLists) {
  using Sets = std::vector<std::vector<std::string>>;
  EXPECT_EQ(Product({}), (Sets{{}}));
  EXPECT_EQ(Product({"a=1,2", "b=[1,2],x"}),
            (Sets{{"a=1", "b=[1,2]"}, {"a=1", "b=x"}, {"a=2", "b=[1,2]"}, {"a=2", "b=x"}}));
  for (const char* bad : {"", "a", "=1", "a=", "a=1,", "a=1,1"})
    EXPECT_THROW(Product({bad}), std::invalid_argument) << bad;
}

CompareRun MadeUp(const std::string& outcome, double speed) {
  CompareRun run;
  run.outcome = outcome;
  if (run.ran()) run.trajectory = Straight(speed, 300);
  return run;
}

// Seeds whose runs are equal under every backend count once; what died is counted, and left out of the pairs.
TEST(CompareReport, EqualSeedsCountOnce) {
  CompareRequest request = Request({"ncp_pgs", "raisim"});
  request.seeds = "4";
  request.replay = false;
  const ComparePlan plan = MakePlan(request);
  CompareResult result;
  result.runs = {
      {MadeUp("completed", 0.3), MadeUp("completed", 0.3), MadeUp("completed", 0.4), MadeUp("fell", 0.3)},
      {MadeUp("completed", 0.3), MadeUp("completed", 0.3), MadeUp("completed", 0.4), MadeUp("fell", 0.3)},
      {MadeUp("fell", 0.31), MadeUp("fell", 0.31), MadeUp("died", 0), MadeUp("completed", 0.32)}};
  const nlohmann::ordered_json report = CompareJson(plan, result);
  EXPECT_EQ(report["distinct_units"], 3);
  const auto& raisim = report["columns"][2];
  EXPECT_EQ(raisim["outcomes"]["died"], 1);
  EXPECT_EQ(raisim["survival"]["n"], 2);
  EXPECT_EQ(raisim["survival"]["completed"], 1);
  EXPECT_EQ(raisim["survival"]["only_reference"], 1);
  EXPECT_EQ(raisim["survival"]["only_this"], 1);
  EXPECT_NEAR(raisim["dv"]["mean"].get<double>(), 0.015, 1e-12);
  EXPECT_EQ(raisim["against_control"]["above"], 2);
  EXPECT_EQ(report["columns"][1]["dv"]["median"], 0);
  EXPECT_EQ(report["columns"][1]["to_near"]["never_share"], 1);
  EXPECT_TRUE(report["columns"][1]["to_near"]["median"].is_null());
  EXPECT_EQ(report["notes"].size(), 2u);  // equal seeds; the one that died
}

}  // namespace
}  // namespace tread
