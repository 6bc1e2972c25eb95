#include "sim/contact/ncp_pgs.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sim/contact/criteria.h"

namespace tread {
namespace {

// A point mass on the ground: G = I / m, g = the free acceleration.
ContactProblem PointMass(double m, const Eigen::Vector3d& g, double mu) {
  ContactProblem p;
  const int size = 3;
  p.G.SetDensePattern({&size, 1});
  p.G.Block(0, 0) = Eigen::Matrix3d::Identity() / m;
  p.types = {BlockType::kCoulomb};
  p.g = g;
  p.target = p.R = Eigen::Vector3d::Zero();
  p.mu = Eigen::VectorXd::Constant(1, mu);
  return p;
}

Eigen::VectorXd Solve(const ContactProblem& problem, SolveStatus expected = SolveStatus::kConverged,
                      ContactSolverConfig config = {}) {
  ContactSolution solution;
  EXPECT_EQ(MakeNcpPgs(config)->Solve(problem, &solution), expected);
  return solution.lambda;
}

TEST(NcpPgs, PointMassSticksIffTheForceIsInsideTheCone) {
  const Eigen::VectorXd stick = Solve(PointMass(2, {4.8, 0, -10}, 0.5));
  EXPECT_NEAR(stick[0], -9.6, 1e-5);
  EXPECT_NEAR(stick[2], 20, 1e-5);
  const Eigen::VectorXd slide = Solve(PointMass(2, {5.2, 0, -10}, 0.5));
  EXPECT_NEAR(slide[0], -10, 1e-5);
}

TEST(NcpPgs, FrictionlessContactCarriesNoTangentialForce) {
  const Eigen::VectorXd lambda = Solve(PointMass(1, {3, -1, -9.81}, 0));
  EXPECT_EQ(lambda[0], 0);
  EXPECT_EQ(lambda[1], 0);
  EXPECT_NEAR(lambda[2], 9.81, 1e-6);
}

TEST(NcpPgs, ComplianceSharesTheAccelerationWithTheSpring) {
  ContactProblem p = PointMass(1, {0, 0, -10}, 0.5);
  p.R[2] = 1;
  EXPECT_NEAR(Solve(p)[2], 5, 1e-6);
}

TEST(NcpPgs, ZeroContactsAndExactGuessReturnAtOnce) {
  ContactProblem empty;
  empty.G.SetPattern({}, {});
  EXPECT_EQ(Solve(empty).size(), 0);
  ContactSolution solution;
  solution.lambda = Eigen::Vector3d(0, 0, 10);
  EXPECT_EQ(MakeNcpPgs({})->Solve(PointMass(1, {0, 0, -10}, 0.5), &solution), SolveStatus::kConverged);
  EXPECT_EQ(solution.iterations, 0);
}

TEST(NcpPgs, NanIsRefusedAndTheForcesStayAsTheyWere) {
  const double nan = std::nan("");
  for (int budget : {0, 3}) {
    for (int where = 0; where < 5; ++where) {
      ContactProblem p = PointMass(1, {0, 1, -10}, 0.5);
      ContactSolution solution;
      solution.lambda = Eigen::Vector3d(1, 2, 30);
      if (where == 0) p.g[1] = nan;
      if (where == 1) p.G.Block(0, 0)(2, 2) = nan;
      if (where == 2) p.G.Block(0, 0)(0, 0) = INFINITY;
      if (where == 3) solution.lambda[0] = nan;
      if (where == 4) p.mu[0] = nan;
      const Eigen::Vector3d entry = solution.lambda;
      ContactSolverConfig config;
      config.budget = budget;
      EXPECT_EQ(MakeNcpPgs(config)->Solve(p, &solution), SolveStatus::kFailed) << where;
      for (int r = 0; r < 3; ++r) {
        EXPECT_TRUE(solution.lambda[r] == entry[r] || (where == 3 && r == 0)) << where;
      }
    }
  }
}

TEST(NcpPgs, NegativeDiagonalFailsAndAnImmovableContactThatClosesStalls) {
  ContactProblem p = PointMass(1, {0, 0, -10}, 0.5);
  p.G.Block(0, 0)(2, 2) = -1;
  Solve(p, SolveStatus::kFailed);
  p.G.Block(0, 0).setZero();
  EXPECT_EQ(Solve(p, SolveStatus::kStalled), Eigen::Vector3d::Zero());
}

TEST(NcpPgs, LimitAndContactOnOneMassShareTheLoad) {
  // A unit mass on the ground (z) whose slide along x ends at a stop: each force acts on its own axis, friction helps the stop.
  const int sizes[] = {3, 1};
  ContactProblem p;
  p.G.SetDensePattern(sizes);
  p.G.Block(0, 0).setIdentity();
  p.G.Block(1, 1)(0, 0) = 1;
  p.G.Block(0, 1) = Eigen::Vector3d(-1, 0, 0);  // the stop pushes along -x
  p.G.Block(1, 0) = Eigen::RowVector3d(-1, 0, 0);
  p.types = {BlockType::kCoulomb, BlockType::kLimit};
  p.g = Eigen::Vector4d(8, 0, -10, -8);
  p.target = p.R = Eigen::VectorXd::Zero(4);
  p.mu = Eigen::Vector2d(0.5, 0);
  const Eigen::VectorXd lambda = Solve(p);
  EXPECT_NEAR(lambda[2], 10, 1e-5);
  EXPECT_NEAR(lambda[3] - lambda[0], 8, 1e-5);  // together they hold the mass; how they share is not unique
  EXPECT_GE(lambda[3], 3 - 1e-5);
}

TEST(NcpPgs, LimitRowIsUnilateral) {
  ContactProblem p;
  const int size = 1;
  p.G.SetDensePattern({&size, 1});
  p.G.Block(0, 0)(0, 0) = 4;
  p.types = {BlockType::kLimit};
  p.g = Eigen::VectorXd::Constant(1, -2);
  p.target = p.R = p.mu = Eigen::VectorXd::Zero(1);
  EXPECT_NEAR(Solve(p)[0], 0.5, 1e-6);
  p.g[0] = 2;
  EXPECT_EQ(Solve(p)[0], 0);
}

TEST(NcpPgs, PaperStepNeverConvergesOnAnAnisotropicContactThatTheSafeStepSolves) {
  // G_TT = diag(0.1, 0.001): the published step 1 / 0.001 overshoots the first axis a hundredfold.
  ContactProblem p = PointMass(1, {0.05, 0.03, -1}, 0.7);
  p.G.Block(0, 0) = Eigen::Vector3d(0.1, 0.001, 0.01).asDiagonal();
  Solve(p);
  ContactSolverConfig paper;
  paper.paper_step = true;
  ContactSolution solution;
  EXPECT_NE(MakeNcpPgs(paper)->Solve(p, &solution), SolveStatus::kConverged);
}

}  // namespace
}  // namespace tread
