#include "sim/contact/ncp_bgs.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <random>

#include "sim/contact/ncp_pgs.h"

namespace tread {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

ContactProblem OneContact(const Matrix3d& G, const Vector3d& g, double mu) {
  ContactProblem p;
  const int size = 3;
  p.G.SetDensePattern({&size, 1});
  p.G.Block(0, 0) = G;
  p.types = {BlockType::kCoulomb};
  p.g = g;
  p.target = p.R = Vector3d::Zero();
  p.mu = Eigen::VectorXd::Constant(1, mu);
  return p;
}

ContactSolution Solve(const ContactProblem& problem, SolveStatus expected = SolveStatus::kConverged,
                      ContactSolverConfig config = {}) {
  ContactSolution solution;
  EXPECT_EQ(MakeNcpBgs(config)->Solve(problem, &solution), expected);
  return solution;
}

double Worst(const ContactProblem& p, const RowVector& lambda) {
  RowVector sigma;
  ComputeSigma(p, lambda, &sigma);
  return Judge(ContactLaw::kNcp, p, lambda, sigma).worst();
}

TEST(NcpBgs, PointMassSticksSlidesAndOpens) {
  const Matrix3d G = Matrix3d::Identity() / 2;
  EXPECT_LT((Solve(OneContact(G, {4.8, 0, -10}, 0.5)).lambda - Vector3d(-9.6, 0, 20)).norm(), 1e-9);
  EXPECT_LT((Solve(OneContact(G, {0, 7, -10}, 0.5)).lambda - Vector3d(0, -10, 20)).norm(), 1e-9);
  EXPECT_EQ(Solve(OneContact(G, {3, 1, 2}, 0.5)).lambda, Vector3d::Zero());
  EXPECT_LT((Solve(OneContact(G, {3, 1, -10}, 0)).lambda - Vector3d(0, 0, 20)).norm(), 1e-9);
}

TEST(NcpBgs, OneContactIsSolvedInOneIterationWhereTheFrictionDoesNotCloseIt) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(0, 1.5);
  int slid = 0;
  for (int k = 0; k < 20000; ++k) {
    const Matrix3d B = Matrix3d::NullaryExpr([&] { return normal(random); });
    const Matrix3d G = B * B.transpose() + 1e-3 * Matrix3d::Identity();
    const Vector3d g = Vector3d::NullaryExpr([&] { return normal(random); });
    const double mu = uniform(random);
    if (mu * G.block<2, 1>(0, 2).norm() > 0.98 * G(2, 2)) continue;
    ContactProblem p = OneContact(G, g, mu);
    ContactSolverConfig config;
    config.eps_abs = 1e-8;
    const ContactSolution solution = Solve(p, SolveStatus::kConverged, config);
    ASSERT_LE(solution.iterations, 1) << k;
    const double limit = mu * solution.lambda[2];
    slid += limit > 0 && std::abs(solution.lambda.head<2>().norm() - limit) < 1e-9;
  }
  EXPECT_GT(slid, 2000);
}

TEST(NcpBgs, AWarmStartFromAnywhereEndsInTheSameForceWhereTheSolutionIsUnique) {
  ContactProblem p = OneContact(Vector3d(0.1, 0.001, 0.01).asDiagonal(), {0.05, 0.03, -1}, 0.7);
  const RowVector cold = Solve(p).lambda;
  for (const Vector3d& start :
       {Vector3d(1, 2, 3), Vector3d(-70, 0, 100), Vector3d(0, 70, 100), Vector3d(0, 0, -5)}) {
    ContactSolution solution;
    solution.lambda = start;
    EXPECT_EQ(MakeNcpBgs({})->Solve(p, &solution), SolveStatus::kConverged);
    EXPECT_LT((solution.lambda - cold).norm(), 1e-6 * cold.norm());
  }
}

TEST(NcpBgs, SingularContactIsSolvedAndAnImmovableOneKeepsItsForce) {
  // a mass on a rail along x: nothing moves it along y
  const ContactProblem p = OneContact(Vector3d(1, 0, 1).asDiagonal(), {2, 0, -10}, 0.5);
  EXPECT_LT(Worst(p, Solve(p).lambda), 1e-6);
  EXPECT_EQ(Solve(OneContact(Matrix3d::Zero(), {0, 0, -10}, 0.5), SolveStatus::kStalled).lambda,
            Vector3d::Zero());
  Solve(OneContact(Vector3d(1, 1, -1).asDiagonal(), {0, 0, -10}, 0.5), SolveStatus::kFailed);
}

TEST(NcpBgs, PainleveContactThatOpensAndClosesIsLeftOpen) {
  // mu |a| > n: slipping along +x, friction along -x pushes the contact together more than the normal force opens it.
  Matrix3d G = Matrix3d::Identity();
  G(0, 2) = G(2, 0) = 0.8;
  const ContactProblem open = OneContact(G, {5, 0, 0.1}, 1.5);
  EXPECT_EQ(Solve(open).lambda, Vector3d::Zero());
  EXPECT_EQ(Worst(open, Vector3d::Zero()), 0);
}

TEST(NcpBgs, PainleveContactEndsWithAnHonestWord) {
  std::mt19937 random(2);
  std::normal_distribution<double> normal;
  for (int k = 0; k < 2000; ++k) {
    const Matrix3d B = Matrix3d::NullaryExpr([&] { return normal(random); });
    const Vector3d g = Vector3d::NullaryExpr([&] { return normal(random); });
    ContactProblem p = OneContact(B * B.transpose() + 1e-3 * Matrix3d::Identity(), g, 5);
    ContactSolverConfig config;
    config.max_iterations = 200;
    ContactSolution solution;
    const SolveStatus status = MakeNcpBgs(config)->Solve(p, &solution);
    ASSERT_EQ(status == SolveStatus::kConverged, Worst(p, solution.lambda) <= 1e-6) << k;
    ASSERT_TRUE(solution.lambda.allFinite());
  }
}

TEST(NcpBgs, ComplianceAndRedundantContacts) {
  // the same foot twice: G is singular, the load is shared somehow
  const int sizes[] = {3, 3};
  ContactProblem p;
  p.G.SetDensePattern(sizes);
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) p.G.Block(i, j).setIdentity();
  }
  p.types = {BlockType::kCoulomb, BlockType::kCoulomb};
  p.g = (Eigen::VectorXd(6) << 3, 0, -10, 3, 0, -10).finished();
  p.target = p.R = Eigen::VectorXd::Zero(6);
  p.mu = Eigen::Vector2d(0.5, 0.5);
  const RowVector rigid = Solve(p).lambda;
  EXPECT_NEAR(rigid[2] + rigid[5], 10, 1e-6);
  p.R.setConstant(1);
  const RowVector soft = Solve(p).lambda;
  EXPECT_NEAR(soft[2], 10.0 / 3, 1e-6);  // 2 lambda + lambda = 10
  EXPECT_NEAR(soft[0], -1, 1e-6);
}

}  // namespace
}  // namespace tread
