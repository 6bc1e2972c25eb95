// The parts of the walking controller, each against what is known of it: gait, command, footsteps, swing, MPC.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <fstream>

#include "control/footsteps.h"
#include "control/gait.h"
#include "control/mpc/mpc.h"
#include "control/swing.h"
#include "control/velocity_command.h"

namespace tread {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

TEST(Gait, TrotAlternatesDiagonals) {
  GaitConfig config;
  const Gait gait(config, 1.0, 0.001);
  for (int foot = 0; foot < 4; ++foot) EXPECT_TRUE(gait.Stance(foot, 999));
  for (long tick = 1000; tick < 3000; ++tick) {
    EXPECT_EQ(gait.Stance(0, tick), gait.Stance(3, tick));
    EXPECT_EQ(gait.Stance(1, tick), gait.Stance(2, tick));
    EXPECT_NE(gait.Stance(0, tick), gait.Stance(1, tick));
  }
  EXPECT_FALSE(gait.Stance(1, 1000));
  EXPECT_EQ(gait.SwingPhase(1, 1000), 0);
  EXPECT_EQ(gait.TicksToTouchdown(1, 1000), 160);
  EXPECT_TRUE(gait.Stance(1, 1160));
  EXPECT_NEAR(gait.SwingPhase(0, 1160 + 120), 0.75, 1e-12);
}

TEST(Gait, StopsAtTheEndOfAPeriodOnly) {
  GaitConfig config;
  config.stop = 2.0;  // in the middle of the fourth period
  const Gait gait(config, 1.0, 0.001);
  EXPECT_FALSE(gait.Stance(0, 1000 + 4 * 320 - 1) && gait.Stance(1, 1000 + 4 * 320 - 1));
  for (int foot = 0; foot < 4; ++foot) EXPECT_TRUE(gait.Stance(foot, 1000 + 4 * 320));
  config.type = "walk";
  config.stop = 0;
  const Gait walk(config, 0, 0.001);
  for (long tick = 0; tick < 1000; ++tick) {
    int standing = 0;
    for (int foot = 0; foot < 4; ++foot) standing += walk.Stance(foot, tick) ? 1 : 0;
    EXPECT_EQ(standing, 3);
  }
  EXPECT_THROW(Gait(GaitConfig{"hop", 0.32, 0, {}, 0}, 0, 0.001), std::invalid_argument);
}

TEST(VelocityCommand, RampsAndKnots) {
  CommandConfig config;
  config.vx = 0.4;
  const VelocityCommand ramp(config);
  EXPECT_EQ(ramp.At(0.5), Vector3d::Zero());
  EXPECT_NEAR(ramp.At(1.5)[0], 0.2, 1e-12);
  EXPECT_EQ(ramp.At(2.5)[0], 0.4);
  EXPECT_EQ(ramp.steady_from(), 3.0);
  config.knots = {{0, 0, 0, 0}, {1, 1, 0, 0.5}, {3, 0, 1, 0}};
  const VelocityCommand knots(config);
  EXPECT_NEAR(knots.At(2)[0], 0.5, 1e-12);
  EXPECT_NEAR(knots.At(2)[1], 0.5, 1e-12);
  EXPECT_EQ(knots.At(9), Vector3d(0, 1, 0));
  const std::string path = ::testing::TempDir() + "tread_knots.txt";
  std::ofstream(path) << "# t vx vy wz\n0 0 0 0\n\n2 0.6 0 0.1  # forward\n";
  config.file = path;
  EXPECT_NEAR(VelocityCommand(config).At(1)[0], 0.3, 1e-12);
  std::ofstream(path) << "0 0 0 0\n0 1 0 0\n";
  EXPECT_THROW(VelocityCommand{config}, std::invalid_argument);
  config.file = path + ".none";
  EXPECT_THROW(VelocityCommand{config}, std::invalid_argument);
}

TEST(Footsteps, FollowTheVelocityAndStayInReach) {
  FootstepQuery query{{0.19, 0.15}, {0.5, 0}, {0.5, 0, 0}, 0.1, 0.16, 0.24};
  const Eigen::Vector2d step = PlanFootstep({}, query);
  EXPECT_NEAR(step.x(), 0.19 + 0.08 * 0.5 + 0.1 * 0.5, 1e-12);
  EXPECT_NEAR(step.y(), 0.15, 1e-12);
  query.velocity = {9, 0};
  EXPECT_NEAR(PlanFootstep({}, query).x(), 0.19 + 0.155 + 0.05, 1e-12);
  // a full turn comes back to where it began
  EXPECT_LT(TwistDisplacement({0.3, 0.1, 2.0}, M_PI).norm(), 1e-12);
  EXPECT_NEAR(TwistDisplacement({0.3, 0, 1e-9}, 1).x(), 0.3, 1e-9);
}

TEST(Swing, ReachesItsMovingTargetAtRest) {
  Swing swing;
  swing.LiftOff({0, 0, 0.016});
  double highest = 0, fastest = 0;
  Vector3d before(0, 0, 0.016);
  for (int tick = 0; tick < 160; ++tick) {
    const Vector3d target(0.1 + 0.0001 * std::min(tick, 120), 0.02, 0.03);  // moves until the lock
    const FootReference& r = swing.Update(tick * 0.001, 0.16, 0.001, target);
    EXPECT_LT(((r.p - before) / 0.001 - r.v).norm(), 0.1) << tick;
    before = r.p;
    highest = std::max(highest, r.p.z());
    fastest = std::max(fastest, r.v.norm());
  }
  EXPECT_LT((swing.reference().p - Vector3d(0.112, 0.02, 0.03)).norm(), 1e-3);
  EXPECT_LT(swing.reference().v.norm(), 0.02);
  EXPECT_NEAR(highest, 0.016 + 0.007 + 0.05, 0.003);
  EXPECT_LT(fastest, 3);
}

CentroidalProblem Standing(int nodes) {
  CentroidalProblem p;
  p.Resize(nodes);
  p.mass = 2.5;
  p.x0.setZero();
  p.x0[2] = 0.22;
  for (int k = 0; k < nodes; ++k) {
    const auto node = static_cast<std::size_t>(k);
    p.reference[node] = p.x0;
    p.inverse_inertia[node] = Vector3d(1 / 0.031, 1 / 0.054, 1 / 0.069).asDiagonal();
    p.stance[node] = {1, 1, 1, 1};
    for (int foot = 0; foot < 4; ++foot)
      p.lever_arms[node][static_cast<std::size_t>(foot)] = {foot < 2 ? 0.19 : -0.19, foot % 2 ? -0.15 : 0.15,
                                                            -0.22};
  }
  return p;
}

// A trot in mid-course, off its reference, with the cones active.
CentroidalProblem Trotting() {
  CentroidalProblem p = Standing(16);
  p.x0 << 0, 0, 0.215, 0.02, -0.03, 0, 0.25, 0.05, 0.02, 0.1, -0.2, 0.1;
  p.friction = 0.2;
  for (int k = 0; k < 16; ++k) {
    const auto node = static_cast<std::size_t>(k);
    p.reference[node][0] = 0.5 * 0.02 * (k + 1);
    p.reference[node][6] = 0.5;
    p.stance[node] = k < 5 || k > 12 ? std::array<char, 4>{1, 0, 0, 1} : std::array<char, 4>{0, 1, 1, 0};
  }
  return p;
}

ForcePlan Solve(const CentroidalProblem& problem, const std::string& qp, const std::string& formulation,
                double eps = 1e-6) {
  MpcConfig config;
  config.qp = qp;
  config.formulation = formulation;
  config.solver = {eps, 100000};
  CentroidalMpc mpc(config);
  mpc.problem() = problem;
  mpc.Solve(0);
  EXPECT_EQ(mpc.report().status, QpStatus::kSolved) << qp << " " << formulation;
  return mpc.forces();
}

TEST(Mpc, StandingCarriesAQuarterOfTheWeightOnEachFoot) {
  for (const char* qp : {"osqp", "proxqp", "auto"}) {
    const ForcePlan forces = Solve(Standing(16), qp, "condensed");
    for (const auto& node : forces) {
      for (const Vector3d& f : node) EXPECT_LT((f - Vector3d(0, 0, 2.5 * 9.81 / 4)).norm(), 1e-3) << qp;
    }
  }
}

TEST(Mpc, FormulationsAndSolversAgree) {
  const CentroidalProblem problem = Trotting();
  const ForcePlan reference = Solve(problem, "proxqp", "condensed", 1e-8);
  double largest = 0;
  for (const auto& node : reference) {
    for (const Vector3d& f : node) largest = std::max(largest, f.norm());
  }
  EXPECT_GT(largest, 10);
  for (const char* qp : {"osqp", "proxqp"}) {
    for (const char* formulation : {"condensed", "sparse"}) {
      const ForcePlan forces = Solve(problem, qp, formulation, 1e-8);
      for (std::size_t k = 0; k < forces.size(); ++k) {
        for (std::size_t i = 0; i < 4; ++i)
          EXPECT_LT((forces[k][i] - reference[k][i]).norm(), 0.05) << qp << " " << formulation << " " << k;
      }
    }
  }
}

// Without active constraints the first forces are those of the finite-horizon LQR, by the Riccati recursion.
TEST(Mpc, WithoutActiveConstraintsItIsTheLqr) {
  CentroidalProblem p = Standing(12);
  p.friction = 50;
  p.max_force = 1000;
  p.weights.force = 1e-2;
  p.x0 << 0.01, -0.005, 0.215, 0.01, -0.01, 0.02, 0.02, 0.01, -0.01, 0.05, 0.02, -0.03;
  const MatrixXd Q = p.weights.state.asDiagonal();
  MatrixXd A = MatrixXd::Identity(12, 12), B = MatrixXd::Zero(12, 12);
  A.topRightCorner(6, 6) = p.dt * MatrixXd::Identity(6, 6);
  for (int foot = 0; foot < 4; ++foot) {
    const Vector3d& r = p.lever_arms[0][static_cast<std::size_t>(foot)];
    Eigen::Matrix3d S;
    S << 0, -r.z(), r.y(), r.z(), 0, -r.x(), -r.y(), r.x(), 0;
    B.block<3, 3>(6, 3 * foot) = p.dt / p.mass * Eigen::Matrix3d::Identity();
    B.block<3, 3>(9, 3 * foot) = p.dt * p.inverse_inertia[0] * S;
  }
  // about the equilibrium x*, f*: deviations obey x+ = A x + B u
  MatrixXd P = Q;
  MatrixXd K;
  for (int k = 11; k >= 0; --k) {
    const MatrixXd R = p.weights.force * MatrixXd::Identity(12, 12);
    K = (R + B.transpose() * P * B).ldlt().solve(B.transpose() * P * A);
    P = Q + A.transpose() * P * (A - B * K);
  }
  VectorXd f = -K * (p.x0 - p.reference[0]);
  for (int foot = 0; foot < 4; ++foot) f[3 * foot + 2] += 2.5 * 9.81 / 4;
  const ForcePlan forces = Solve(p, "proxqp", "condensed", 1e-9);
  for (int foot = 0; foot < 4; ++foot)
    EXPECT_LT((forces[0][static_cast<std::size_t>(foot)] - f.segment<3>(3 * foot)).norm(), 1e-5);
}

}  // namespace
}  // namespace tread
