// The solvers of the square law, all with the same cases; then what is particular to one.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "sim/contact/criteria.h"
#include "sim/contact/lcp_pgs.h"
#include "sim/contact/solver_table.h"

namespace tread {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

// A problem from a dense matrix; every block couples with every other.
ContactProblem Dense(const std::vector<BlockType>& types, const std::vector<int>& sizes, const MatrixXd& G,
                     const VectorXd& g, double mu) {
  ContactProblem p;
  p.types = types;
  p.G.SetDensePattern(sizes);
  for (int i = 0; i < p.block_count(); ++i) {
    for (int j = 0; j < p.block_count(); ++j) {
      p.G.Block(i, j) = G.block(p.G.offset(i), p.G.offset(j), p.G.size(i), p.G.size(j));
    }
  }
  p.g = g;
  p.target = p.R = VectorXd::Zero(p.rows());
  p.mu = VectorXd::Zero(p.block_count());
  for (int i = 0; i < p.block_count(); ++i) {
    if (types[static_cast<std::size_t>(i)] == BlockType::kCoulomb) p.mu[i] = mu;
  }
  return p;
}

ContactProblem PointMass(double m, const Vector3d& g, double mu) {
  return Dense({BlockType::kCoulomb}, {3}, MatrixXd::Identity(3, 3) / m, g, mu);
}

double WorstOwn(const ContactProblem& p, const RowVector& lambda) {
  RowVector sigma;
  ComputeSigma(p, lambda, &sigma);
  return Judge(ContactLaw::kLcp, p, lambda, sigma).worst();
}

class Lcp : public testing::TestWithParam<const char*> {
 protected:
  std::unique_ptr<ContactSolver> Make(const ContactSolverConfig& config = {}) const {
    return FindSolver(GetParam())->make(config);
  }
  VectorXd Solve(const ContactProblem& p, double eps = 1e-9) const {
    ContactSolverConfig config;
    config.eps_abs = eps;
    ContactSolution solution;
    EXPECT_EQ(Make(config)->Solve(p, &solution), SolveStatus::kConverged);
    EXPECT_LE(WorstOwn(p, solution.lambda), eps);
    return solution.lambda;
  }
};

TEST_P(Lcp, EachTangentAxisSticksOrSlidesByItself) {
  const VectorXd stick = Solve(PointMass(2, {4.8, -4.9, -10}, 0.5));  // outside the disk, inside the square
  EXPECT_LT((stick - Vector3d(-9.6, 9.8, 20)).norm(), 1e-8);
  const VectorXd mixed = Solve(PointMass(2, {7, 1, -10}, 0.5));
  EXPECT_LT((mixed - Vector3d(-10, -2, 20)).norm(), 1e-8);
  const VectorXd corner = Solve(PointMass(2, {7, 8, -10}, 0.5));
  EXPECT_NEAR(corner.head<2>().norm(), std::sqrt(2) * 0.5 * 20, 1e-8);
}

TEST_P(Lcp, OpeningContactAndNoFriction) {
  EXPECT_EQ(Solve(PointMass(2, {7, 1, 1}, 0.5)).norm(), 0);
  EXPECT_LT((Solve(PointMass(1, {3, -1, -9.81}, 0)) - Vector3d(0, 0, 9.81)).norm(), 1e-8);
}

TEST_P(Lcp, ComplianceEntersEveryRow) {
  ContactProblem p = PointMass(1, {1, 0, -10}, 0.5);
  p.R << 3, 0, 1;
  EXPECT_LT((Solve(p) - Vector3d(-0.25, 0, 5)).norm(), 1e-8);
}

TEST_P(Lcp, RedundantContactsShareTheLoadSomehow) {
  // One point mass held by three contacts at the same place: rank 3 of 9.
  MatrixXd J(9, 3);
  for (int i = 0; i < 3; ++i) J.middleRows<3>(3 * i).setIdentity();
  const VectorXd lambda = Solve(Dense(std::vector<BlockType>(3, BlockType::kCoulomb), {3, 3, 3},
                                      J * J.transpose(), J * Vector3d(9, 1, -10), 0.5),
                                1e-8);
  EXPECT_LT((J.transpose() * lambda - Vector3d(-5, -1, 10)).norm(), 1e-6);
}

TEST_P(Lcp, LimitAndEqualityRows) {
  // A unit mass on the ground, its y held by an equality (given twice), its x running into a stop.
  MatrixXd J(6, 3);
  J << MatrixXd::Identity(3, 3), -1, 0, 0, 0, 1, 0, 0, 1, 0;
  const VectorXd lambda = Solve(Dense({BlockType::kCoulomb, BlockType::kLimit, BlockType::kEquality},
                                      {3, 1, 2}, J * J.transpose(), J * Vector3d(8, 3, -10), 0.5));
  EXPECT_NEAR(lambda[2], 10, 1e-8);
  EXPECT_NEAR(lambda[0] - lambda[3], -8, 1e-8);
  EXPECT_NEAR(lambda[1] + lambda[4] + lambda[5], -3, 1e-8);
}

TEST_P(Lcp, LimitsAlone) {
  MatrixXd G(2, 2);
  G << 2, 1, 1, 2;
  const VectorXd lambda =
      Solve(Dense({BlockType::kLimit, BlockType::kLimit}, {1, 1}, G, Eigen::Vector2d(-3, -1), 0));
  EXPECT_LT((lambda - Eigen::Vector2d(1.5, 0)).norm(), 1e-8);
}

// Four contacts on a body of 6 degrees of freedom, as a robot's feet: rank 6 of 12.
ContactProblem FourFeet(unsigned seed, double mu) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  MatrixXd J(12, 6);
  for (int i = 0; i < 4; ++i) {
    const Vector3d r(i % 2 ? 0.2 : -0.2, i / 2 ? 0.15 : -0.15, -0.25);
    J.block<3, 3>(3 * i, 0).setIdentity();
    J.block<3, 3>(3 * i, 3) << 0, r.z(), -r.y(), -r.z(), 0, r.x(), r.y(), -r.x(), 0;
  }
  Eigen::Matrix<double, 6, 1> weight, push;
  weight << 0.4, 0.4, 0.4, 20, 20, 20;
  push << 3 * normal(random), 3 * normal(random), -10, 8 * normal(random), 8 * normal(random),
      8 * normal(random);
  return Dense(std::vector<BlockType>(4, BlockType::kCoulomb), {3, 3, 3, 3},
               J * weight.asDiagonal() * J.transpose(), J * push, mu);
}

TEST_P(Lcp, FeetOfABodyWithGuessesOldAndNew) {
  ContactSolverConfig config;
  config.eps_abs = 1e-7;
  config.max_iterations = 100000;
  const std::unique_ptr<ContactSolver> solver = Make(config);
  ContactSolution solution;  // each solve starts from the forces of the one before
  for (unsigned seed = 0; seed < 40; ++seed) {
    const ContactProblem p = FourFeet(seed, 0.3);
    ASSERT_EQ(solver->Solve(p, &solution), SolveStatus::kConverged) << seed;
    EXPECT_LE(WorstOwn(p, solution.lambda), 1e-7);
    ASSERT_EQ(solver->Solve(p, &solution), SolveStatus::kConverged);
    EXPECT_EQ(solution.iterations, 0);
  }
}

TEST_P(Lcp, BudgetIsExact) {
  ContactSolverConfig config;
  config.budget = 2;
  ContactSolution solution;
  std::vector<IterationRecord> trace;
  const std::unique_ptr<ContactSolver> solver = Make(config);
  solver->set_trace(&trace);
  solver->Solve(FourFeet(1, 0.3), &solution);
  EXPECT_EQ(solution.iterations, 2);
  EXPECT_EQ(trace.size(), 3u);
}

INSTANTIATE_TEST_SUITE_P(Solvers, Lcp, testing::Values("lcp_lemke", "lcp_pgs", "lcp_staggered"),
                         [](const auto& param) { return std::string(param.param); });

TEST(LcpPgs, PublishedStepNeverConvergesOnAnAnisotropicContactThatTheSafeStepSolves) {
  const ContactProblem p =
      Dense({BlockType::kCoulomb}, {3}, Vector3d(0.1, 0.001, 0.01).asDiagonal().toDenseMatrix(),
            Vector3d(0.05, 0.03, -1), 0.7);
  ContactSolution safe, paper;
  EXPECT_EQ(MakeLcpPgs({})->Solve(p, &safe), SolveStatus::kConverged);
  ContactSolverConfig config;
  config.paper_step = true;
  EXPECT_EQ(MakeLcpPgs(config)->Solve(p, &paper), SolveStatus::kMaxIterations);
}

}  // namespace
}  // namespace tread
