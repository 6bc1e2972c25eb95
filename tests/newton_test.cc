// ncp_newton, ccp_newton, and the soft contacts of MuJoCo and Drake.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "sim/contact/ccp_newton.h"
#include "sim/contact/ncp_newton.h"
#include "sim/stepping/regularisation.h"

namespace tread {
namespace {

using Eigen::Vector3d;

// A point mass on the ground, held by `copies` identical contacts: G is singular for more than one.
ContactProblem PointMass(double m, const Vector3d& g, double mu, int copies = 1) {
  ContactProblem p;
  const std::vector<int> sizes(static_cast<std::size_t>(copies), 3);
  p.G.SetDensePattern(sizes);
  p.g.resize(3 * copies);
  for (int i = 0; i < copies; ++i) {
    for (int j = 0; j < copies; ++j) p.G.Block(i, j) = Eigen::Matrix3d::Identity() / m;
    p.g.segment<3>(3 * i) = g;
  }
  p.types.assign(static_cast<std::size_t>(copies), BlockType::kCoulomb);
  p.target = p.R = Eigen::VectorXd::Zero(3 * copies);
  p.mu = Eigen::VectorXd::Constant(copies, mu);
  return p;
}

ContactSolution Solve(ContactSolver& solver, const ContactProblem& problem) {
  ContactSolution solution;
  EXPECT_EQ(solver.Solve(problem, &solution), SolveStatus::kConverged);
  return solution;
}

TEST(NcpNewton, SlidingForceIsOnTheConeToRounding) {
  ContactSolverConfig config;
  config.eps_abs = 1e-12;
  const ContactSolution s = Solve(*MakeNcpNewton(config), PointMass(2, {6, 8, -10}, 0.5));
  EXPECT_NEAR(s.lambda[2], 20, 1e-11);
  EXPECT_NEAR(s.lambda[0], -6, 1e-11);
  EXPECT_NEAR(s.lambda[1], -8, 1e-11);
}

TEST(NcpNewton, RedundantContactsShareTheWeight) {
  ContactSolverConfig config;
  config.eps_abs = 1e-10;
  const ContactSolution s = Solve(*MakeNcpNewton(config), PointMass(2, {1, 0, -10}, 0.5, 3));
  EXPECT_NEAR(s.lambda[2] + s.lambda[5] + s.lambda[8], 20, 1e-9);
  EXPECT_LT(s.iterations, 10);
}

// CCP: lambda . sigma = 0 on the cone's boundary means that a sliding contact lifts off with sigma_n = mu |sigma_T|.
TEST(CcpNewton, SlidingContactLiftsOff) {
  const double mu = 0.5;
  const ContactProblem p = PointMass(2, {8, 0, -10}, mu);
  const ContactSolution s = Solve(*MakeCcpNewton({}), p);
  RowVector sigma;
  ComputeSigma(p, s.lambda, &sigma);
  EXPECT_GT(sigma[2], 1);
  EXPECT_NEAR(sigma[2], mu * std::hypot(sigma[0], sigma[1]), 1e-4);
}

// Projection of -c on the cone in the metric of R, here with different compliance along the normal and the tangents.
TEST(CcpNewton, HonoursComplianceOfEitherDirection) {
  ContactProblem p = PointMass(1, {1, 0, -10}, 0.5);
  p.R = Vector3d(2, 2, 1);
  const ContactSolution s = Solve(*MakeCcpNewton({}), p);
  EXPECT_NEAR(s.lambda[2], 5, 1e-6);
  EXPECT_NEAR(s.lambda[0], -1.0 / 3, 1e-6);
}

TEST(CcpNewton, RecordsItsIterations) {
  std::vector<IterationRecord> trace;
  const auto solver = MakeCcpNewton({});
  solver->set_trace(&trace);
  const ContactSolution s = Solve(*solver, PointMass(2, {8, 0, -10}, 0.5));
  ASSERT_EQ(static_cast<int>(trace.size()), s.iterations + 1);
  EXPECT_GT(trace.front().eps_d, 1);
  EXPECT_LE(trace.back().eps_c, 1e-6);
  EXPECT_LT(trace.back().cost, trace.front().cost);
}

// At rest (G + R) lambda + g = c* with lambda = m g: the overlap is (1 - d) g / (d^2 k).
TEST(Regularisation, MujocoSinksByWhatItsImpedanceAllows) {
  RegularisationConfig config;
  config.model = Regularisation::kMujoco;
  config.dmin = config.dmax = 0.9;
  const double m = 2, g = 9.81, d = 0.9, k = 1 / std::pow(0.9 * 0.02, 2);
  const double gap = -(1 - d) * g / (d * d * k);
  const double G[9] = {1 / m, 0, 0, 0, 1 / m, 0, 0, 0, 1 / m};
  const SoftContact soft = Soften(config, gap, Vector3d::Zero(), G, 0, 0, 0.001);
  EXPECT_NEAR((1 / m + soft.R[2]) * m * g - g, soft.target[2], 1e-12);
  // a contact that slides is braked: a_ref = -b v, seen beside v / dt in g
  const SoftContact moving = Soften(config, gap, Vector3d(0.1, 0, 0), G, 0, 0, 0.001);
  EXPECT_NEAR(moving.target[0] - 0.1 / 0.001, -0.1 * 2 / (0.9 * 0.02), 1e-9);
}

TEST(Regularisation, DrakeSinksByTheStiffnessOrNearlyNot) {
  RegularisationConfig config;
  config.model = Regularisation::kDrake;
  const double m = 2, g = 9.81, dt = 0.001, k = 1e4, tau = 0.01;
  const double G[9] = {1 / m, 0, 0, 0, 1 / m, 0, 0, 0, 1 / m};
  const SoftContact soft = Soften(config, -m * g / k, Vector3d::Zero(), G, k, tau * k, dt);
  EXPECT_NEAR((1 / m + soft.R[2]) * m * g - g, soft.target[2], 1e-9);
  const double w = std::sqrt(3.0) / m / 3;
  EXPECT_NEAR(Soften(config, 0, Vector3d::Zero(), G, 0, 0, dt).R[2],
              w / (4 * std::numbers::pi * std::numbers::pi), 1e-15);
}

}  // namespace
}  // namespace tread
