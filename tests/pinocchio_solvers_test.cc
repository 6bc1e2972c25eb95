// What is particular to the peers: how blocks are mapped, what is refused, and that their own word is not taken.
#include "sim/contact/pinocchio_solvers.h"

#include <gtest/gtest.h>

#include "sim/contact/criteria.h"
#include "sim/contact/ncp_pgs.h"

namespace tread {
namespace {

ContactProblem Diagonal(const std::vector<BlockType>& types, const std::vector<int>& sizes,
                        const Eigen::VectorXd& G, const Eigen::VectorXd& g, double mu) {
  ContactProblem p;
  p.G.SetDensePattern(sizes);
  p.types = types;
  for (int i = 0; i < p.block_count(); ++i)
    p.G.Block(i, i) = Eigen::MatrixXd(G.segment(p.G.offset(i), p.G.size(i)).asDiagonal());
  p.g = g;
  p.target = p.R = Eigen::VectorXd::Zero(g.size());
  p.mu = Eigen::VectorXd::Constant(p.block_count(), mu);
  return p;
}

template <typename Make>
Eigen::VectorXd Solve(Make make, const ContactProblem& p, SolveStatus expected = SolveStatus::kConverged,
                      ContactSolverConfig config = {}) {
  ContactSolution solution;
  EXPECT_EQ(make(config)->Solve(p, &solution), expected);
  return solution.lambda;
}

TEST(PinocchioSolvers, ALimitIsAFrictionlessContactBetweenOthers) {
  const Eigen::VectorXd G = (Eigen::VectorXd(7) << 1, 1, 2, 4, 1, 1, 1).finished(),
                        g = (Eigen::VectorXd(7) << 0.1, 0, -2, -2, 0, 0, 3).finished();
  const ContactProblem p =
      Diagonal({BlockType::kCoulomb, BlockType::kLimit, BlockType::kCoulomb}, {3, 1, 3}, G, g, 0.5);
  for (auto make : {MakePinocchioPgs, MakePinocchioAdmm}) {
    const Eigen::VectorXd lambda = Solve(make, p);
    const Eigen::VectorXd expected = (Eigen::VectorXd(7) << -0.1, 0, 1, 0.5, 0, 0, 0).finished();
    EXPECT_TRUE(lambda.isApprox(expected, 1e-5)) << lambda.transpose();
  }
}

TEST(PinocchioSolvers, EqualityRowsAndContactsOfNoMassAreRefused) {
  for (auto make : {MakePinocchioPgs, MakePinocchioAdmm}) {
    Solve(make, Diagonal({BlockType::kEquality}, {2}, Eigen::Vector2d(1, 1), Eigen::Vector2d(1, 0), 0),
          SolveStatus::kFailed);
    Solve(make,
          Diagonal({BlockType::kCoulomb}, {3}, Eigen::Vector3d(1, 1, 0), Eigen::Vector3d(0, 0, -1), 0.5),
          SolveStatus::kFailed);
  }
}

TEST(PinocchioSolvers, AnisotropicContactIsBeyondThePgsAndWithinTheAdmm) {
  const ContactProblem p = Diagonal({BlockType::kCoulomb}, {3}, Eigen::Vector3d(0.1, 0.001, 0.01),
                                    Eigen::Vector3d(0.05, 0.03, -1), 0.7);
  ContactSolution solution;
  EXPECT_NE(MakePinocchioPgs({})->Solve(p, &solution), SolveStatus::kConverged);
  const Eigen::VectorXd lambda = Solve(MakePinocchioAdmm, p), ours = Solve(MakeNcpPgs, p);
  EXPECT_LT((lambda - ours).norm(), 1e-3);
}

TEST(PinocchioSolvers, AdmmSolvedAgainFromItsOwnDualAndPenaltyNeedsFewerIterations) {
  ContactProblem p =
      Diagonal({BlockType::kCoulomb}, {3}, Eigen::Vector3d(1, 2, 3), Eigen::Vector3d(1, 2, -4), 0.5);
  ContactSolverConfig config;
  config.eps_abs = 1e-9;
  const auto solver = MakePinocchioAdmm(config);
  ContactSolution solution, cold;
  ASSERT_EQ(solver->Solve(p, &solution), SolveStatus::kConverged);
  p.g[2] -= 1e-3;
  ASSERT_EQ(solver->Solve(p, &solution), SolveStatus::kConverged);
  ASSERT_EQ(solver->Solve(p, &cold), SolveStatus::kConverged);
  EXPECT_LT(solution.iterations, cold.iterations);
  ContactSolution again;  // cold means cold: nothing of the problem before is left
  ASSERT_EQ(MakePinocchioAdmm(config)->Solve(p, &again), SolveStatus::kConverged);
  EXPECT_EQ(again.iterations, cold.iterations);
  EXPECT_EQ(again.lambda, cold.lambda);
}

TEST(PinocchioSolvers, TraceHasOneLinePerIteration) {
  const ContactProblem p =
      Diagonal({BlockType::kCoulomb}, {3}, Eigen::Vector3d(1, 2, 3), Eigen::Vector3d(1, 2, -4), 0.5);
  for (auto make : {MakePinocchioPgs, MakePinocchioAdmm}) {
    const auto solver = make({});
    std::vector<IterationRecord> trace;
    solver->set_trace(&trace);
    ContactSolution solution;
    EXPECT_EQ(solver->Solve(p, &solution), SolveStatus::kConverged);
    EXPECT_EQ(static_cast<int>(trace.size()), solution.iterations + 1);
    EXPECT_EQ(trace.back().iteration, solution.iterations);
  }
}

}  // namespace
}  // namespace tread
