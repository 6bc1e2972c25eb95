// Textbook experiments with known answers, from both sides of each threshold, under every backend of the table that claims the exact law.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "experiments/closed_loop.h"
#include "sim/backends.h"

namespace tread {
namespace {

using Eigen::Vector3d;

class Physics : public ::testing::TestWithParam<std::string> {
 protected:
  ClosedLoop Load(const std::string& name, std::vector<std::string> sets = {}) const {
    sets.push_back("sim.backend=" + GetParam());
    return ClosedLoop(LoadExperiment("configs/" + name + ".yaml", sets));
  }
};

std::vector<std::string> ExactBackends() {
  std::vector<std::string> names;
  for (const BackendEntry& entry : BackendTable()) {
    if (entry.available && entry.law == ContactLaw::kNcp) names.push_back(entry.name);
  }
  return names;
}

std::string Set(const std::string& key, double value) {
  char text[64];
  std::snprintf(text, sizeof(text), "%s=%.17g", key.c_str(), value);
  return text;
}

Vector3d Position(const ClosedLoop& loop) {
  return loop.simulator().scene().systems[0]->poses()[0].p;
}
double Speed(const ClosedLoop& loop) {
  return loop.simulator().scene().systems[0]->velocities()[0].linear.norm();
}
void RunAll(ClosedLoop& loop) {
  int unconverged = 0;
  while (loop.Tick()) unconverged += loop.record().unconverged;
  EXPECT_LE(unconverged, 5);  // a cold start at the edge of sliding takes Gauss-Seidel more than its sweeps
  EXPECT_EQ(loop.outcome(), Outcome::kCompleted) << loop.reason();
}

TEST_P(Physics, BoxStaysOnASlopeIffFrictionHoldsIt) {
  const double critical = std::tan(0.4);  // the slope of the config
  for (const double factor : {1.001, 1.2, 3.0}) {
    ClosedLoop loop = Load("box_slope", {Set("friction", factor * critical)});
    const Vector3d start = Position(loop);
    RunAll(loop);
    EXPECT_LT((Position(loop) - start).norm(), 1e-8) << factor;
  }
  for (const double factor : {0.999, 0.8, 0.0}) {
    ClosedLoop loop = Load("box_slope", {Set("friction", factor * critical)});
    RunAll(loop);
    const double expected = 9.81 * (std::sin(0.4) - factor * critical * std::cos(0.4));  // after one second
    EXPECT_NEAR(Speed(loop), expected, 1e-6) << factor;
  }
}

TEST_P(Physics, SlidingBoxStopsWhereCoulombSays) {
  for (const double angle : {0.0, 0.4, 1.1}) {
    const double v0 = 1, mu = 0.5, g = 10, dt = 0.001;
    ClosedLoop loop = Load("box_slide", {"bodies.0.initial.linear=[" + std::to_string(v0 * std::cos(angle)) +
                                         "," + std::to_string(v0 * std::sin(angle)) + ",0]"});
    const Vector3d start = Position(loop);
    RunAll(loop);
    EXPECT_NEAR((Position(loop) - start).head<2>().norm(), v0 * v0 / (2 * mu * g) - v0 * dt / 2, 1e-6)
        << angle;
    EXPECT_LT(Speed(loop), 1e-9);
  }
}

TEST_P(Physics, DroppedBallReachesItsHeight) {
  for (const double e : {0.5, 0.8, 1.0}) {
    ClosedLoop loop = Load("ball_drop", {Set("restitution", e)});
    double highest = 0;
    bool bounced = false;
    while (loop.Tick()) {
      bounced = bounced || loop.record().normal_force > 0;
      if (bounced) highest = std::max(highest, Position(loop).z() - 0.05);
    }
    EXPECT_NEAR(highest, e * e, 0.02 * e * e) << "restitution " << e;
  }
  ClosedLoop dead = Load("ball_drop", {Set("restitution", 0)});
  RunAll(dead);
  EXPECT_NEAR(Position(dead).z(), 0.05, 1e-6);
}

// Each touch bounces, also when the ball never leaves the detection margin.
TEST_P(Physics, BallBouncesAgainAndAgain) {
  ClosedLoop loop = Load("ball_drop", {Set("restitution", 0.8), Set("run.duration", 6.0)});
  int bounces = 0;
  while (loop.Tick())
    bounces += loop.record().normal_force > 1e-9 && loop.simulator().state().v[2] > 0.01 ? 1 : 0;
  // v_k = 0.8^k sqrt(2 g h) falls below 0.01 m/s after log(0.01/4.43)/log(0.8) = 27 bounces
  EXPECT_GT(bounces, 20);
  EXPECT_LT(Speed(loop), 1e-3);
}

TEST_P(Physics, SphereRollsIffFrictionHoldsIt) {
  const double slope = 0.5, critical = 2.0 / 7.0 * std::tan(slope), g = 9.81;
  for (const double factor : {1.001, 1.5, 0.999, 0.5}) {
    ClosedLoop loop = Load("sphere_roll", {Set("friction", factor * critical)});
    RunAll(loop);
    const double slip =
        (Speed(loop) - 0.1 * loop.simulator().scene().systems[0]->velocities()[0].angular.norm());
    const double rolling = 5.0 / 7.0 * g * std::sin(slope);
    const double sliding = g * (std::sin(slope) - factor * critical * std::cos(slope));
    if (factor > 1) {
      EXPECT_NEAR(slip, 0, 1e-6) << factor;
      EXPECT_NEAR(Speed(loop), rolling, 1e-6) << factor;
    } else {
      EXPECT_NEAR(Speed(loop), sliding, 1e-6) << factor;
      EXPECT_GT(slip, 1e-3) << factor;
    }
  }
}

// An off-centre push on a box on four corners: the forces are not unique, their sum and moment are.
TEST_P(Physics, RedundantCornersGiveTheRightWrench) {
  ClosedLoop loop = Load(
      "box_slide", {"bodies.0.initial.linear=[0,0,0]", "friction=0.8",
                    "wrenches=[{body: box, force: [2, 1, -30], point: [0.05, 0.03, 0.025], duration: 10}]"});
  RunAll(loop);
  Vector3d force = Vector3d::Zero(), moment = Vector3d::Zero();
  const Vector3d centre = Position(loop), push(2, 1, -30);
  // the report of the last step is still the simulator's
  const Simulator& simulator = loop.simulator();
  ASSERT_EQ(loop.record().contacts, 4);
  Simulator& mutable_simulator = const_cast<Simulator&>(simulator);
  for (const Contact& c : mutable_simulator.Step(JointCommand::Zero(0)).contacts) {
    force += c.frame * c.force;
    moment += (c.point - centre).cross(c.frame * c.force);
  }
  EXPECT_LT((force - (Vector3d(0, 0, 10) - push)).norm(), 1e-7);
  EXPECT_LT((moment + Vector3d(0.05, 0.03, 0.025).cross(push)).norm(), 1e-7);
}

TEST_P(Physics, EnergyOfAPassivePileDoesNotGrow) {
  for (const std::string slow : {"ncp_staggered", "pinocchio_pgs", "pinocchio_admm"}) {
    if (GetParam() == slow)
      GTEST_SKIP() << slow << " takes 10 ms and more per step of a pile (docs/solvers.md)";
  }
  ClosedLoop loop = Load("pile");
  double last = 0, first = 0;
  for (long tick = 0; loop.Tick(); ++tick) {
    const double energy = loop.record().mechanics.energy();
    if (tick > 0) {
      EXPECT_LE(energy - last, 1e-9 * std::abs(last)) << "at " << loop.time() << " s";
    }
    if (tick == 0) first = energy;
    last = energy;
  }
  EXPECT_LT(last, 0.6 * first);  // something did fall
  for (const auto& body : loop.simulator().scene().systems)
    EXPECT_GT(body->poses()[0].p.z(), 0.02) << body->name();
}

TEST_P(Physics, BoxSinksIntoCompliantGroundByItsWeight) {
  for (const double stiffness : {2000.0, 20000.0}) {
    for (const double friction : {0.0, 0.002}) {
      ClosedLoop loop = Load("box_compliant", {Set("stiffness", stiffness), Set("friction", friction)});
      RunAll(loop);
      EXPECT_NEAR(0.05 - Position(loop).z(), 9.81 / stiffness, 1e-6 * 9.81 / stiffness) << stiffness;
      EXPECT_NEAR(Speed(loop), 0.3 - 2 * 9.81 * friction, 1e-3);
    }
  }
}

TEST_P(Physics, SoloStands) {
  ClosedLoop loop = Load("solo12_stand");
  const double height = Position(loop).z(), weight = loop.robot()->total_mass() * 9.81;
  while (loop.Tick()) {
    const TickRecord& r = loop.record();
    EXPECT_LT(std::abs(Position(loop).z() - height), 0.005);
    EXPECT_LE(r.ncp.worst(), 1e-6);
    EXPECT_NEAR(r.normal_force, weight, 0.01 * weight);
    EXPECT_EQ(r.saturated, 0);
  }
  EXPECT_EQ(loop.outcome(), Outcome::kCompleted) << loop.reason();
}

// The same from a drop, pushed and on other ground: lands and stays up.
TEST_P(Physics, SoloLandsAndStands) {
  ClosedLoop loop = Load(
      "solo12_stand", {"initial.position=[0.05,0,0.28]", "initial.linear=[0.1,0.05,0]", "controller.kp=10"});
  while (loop.Tick()) EXPECT_LE(loop.record().ncp.worst(), 1e-6);
  EXPECT_EQ(loop.outcome(), Outcome::kCompleted) << loop.reason();
  EXPECT_NEAR(loop.record().normal_force, loop.robot()->total_mass() * 9.81, 0.1);
}

INSTANTIATE_TEST_SUITE_P(Backends, Physics, ::testing::ValuesIn(ExactBackends()),
                         [](const auto& entry) { return entry.param; });

}  // namespace
}  // namespace tread
