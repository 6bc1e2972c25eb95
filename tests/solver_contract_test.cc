// What every line of the solver table must do, whatever its law and method.
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "experiments/allocation_counter.h"
#include "tests/solver_test_fixture.h"

namespace tread {
namespace {

class Contract : public SolverTest {};
INSTANTIATE_TEST_SUITE_P(Table, Contract, testing::ValuesIn(SolverTable()), NameOf);

TEST_P(Contract, NoContactsNoForces) {
  ContactProblem empty;
  empty.G.SetPattern({}, {});
  const Result r = Solve(GetParam(), empty);
  EXPECT_EQ(r.status, SolveStatus::kConverged);
  EXPECT_EQ(r.lambda.size(), 0);
}

TEST_P(Contract, AnOpeningContactCarriesNothing) {
  const Result r = Solve(GetParam(), PointMass(2, {3, 1, 5}, 0.5), {.eps_abs = kEps}, Vector3d(1, 1, 9));
  EXPECT_EQ(r.status, SolveStatus::kConverged);
  EXPECT_LT(r.lambda.norm(), kForceTolerance);
}

TEST_P(Contract, WithoutFrictionOnlyTheNormalForceIsLeft) {
  const Result r = Solve(GetParam(), PointMass(1, {3, -1, -9.81}, 0));
  EXPECT_EQ(r.status, SolveStatus::kConverged);
  EXPECT_LT((r.lambda - Vector3d(0, 0, 9.81)).norm(), kForceTolerance);
}

TEST_P(Contract, OneContactSticksWithTheForceThatStopsIt) {
  const Result r = Solve(GetParam(), PointMass(2, {3, -2, -10}, 0.5));
  EXPECT_EQ(r.status, SolveStatus::kConverged);
  EXPECT_LT((r.lambda - Vector3d(-6, 4, 20)).norm(), kForceTolerance);
}

TEST_P(Contract, TwoEqualContactsShareTheLoadOfOne) {
  MatrixXd G(6, 6);
  for (int i = 0; i < 2; ++i)
    G.middleRows<3>(3 * i) << MatrixXd::Identity(3, 3) / 2, MatrixXd::Identity(3, 3) / 2;
  const VectorXd g = (VectorXd(6) << 3, -2, -10, 3, -2, -10).finished();
  const ContactProblem p = Problem({BlockType::kCoulomb, BlockType::kCoulomb}, {3, 3}, G, g, 0.5);
  const Result r = Solve(GetParam(), p);
  EXPECT_EQ(r.status, SolveStatus::kConverged);
  EXPECT_LT((r.lambda.head<3>() + r.lambda.tail<3>() - Vector3d(-6, 4, 20)).norm(), kForceTolerance);
  EXPECT_LT(r.sigma.norm(), kForceTolerance);
}

TEST_P(Contract, TheExactSolutionAsGuessIsReturnedUntouched) {
  const VectorXd exact = Vector3d(-6, 4, 20);
  const Result r = Solve(GetParam(), PointMass(2, {3, -2, -10}, 0.5), {.eps_abs = kEps}, exact);
  EXPECT_EQ(r.status, SolveStatus::kConverged);
  EXPECT_EQ(r.iterations, 0);
  EXPECT_EQ(r.lambda, exact);
}

TEST_P(Contract, SolvedAgainFromItsOwnSolutionMakesNoIteration) {
  const ContactProblem p = RandomProblem(7, 4);
  const Result first = Solve(GetParam(), p), again = Solve(GetParam(), p, {.eps_abs = kEps}, first.lambda);
  EXPECT_EQ(again.iterations, 0);
  EXPECT_EQ(again.lambda, first.lambda);
}

TEST_P(Contract, TheOrderOfContactsDoesNotMatter) {
  const int order[] = {2, 0, 3, 1};
  for (unsigned seed = 0; seed < 10; ++seed) {
    const ContactProblem p = RandomProblem(seed, 4);
    ContactProblem q = p;
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 4; ++j) q.G.Block(i, j) = p.G.Block(order[i], order[j]);
      q.g.segment<3>(3 * i) = p.g.segment<3>(3 * order[i]);
    }
    const Result a = Solve(GetParam(), p, {.eps_abs = kTightEps}),
                 b = Solve(GetParam(), q, {.eps_abs = kTightEps});
    if (GaveUp(a) || GaveUp(b)) continue;
    ASSERT_EQ(b.status, SolveStatus::kConverged) << seed;
    for (int i = 0; i < 4; ++i)
      EXPECT_LT((b.sigma.segment<3>(3 * i) - a.sigma.segment<3>(3 * order[i])).norm(), kTightVelocity)
          << seed;
  }
}

TEST_P(Contract, UnitsDoNotMatter) {
  for (const auto& [force, velocity] : {std::pair{1e3, 1.0}, {1.0, 1e-3}, {1e-2, 1e2}}) {
    for (unsigned seed = 0; seed < 5; ++seed) {
      const ContactProblem p = RandomProblem(seed, 4);
      ContactProblem q = p;
      for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) q.G.Block(i, j) *= velocity / force;
      }
      q.g *= velocity;
      const Result a = Solve(GetParam(), p, {.eps_abs = kTightEps}),
                   b = Solve(GetParam(), q, {.eps_abs = kTightEps}, {},
                             {.velocity = velocity, .force = force});
      if (GaveUp(a) || GaveUp(b)) continue;
      ASSERT_EQ(b.status, SolveStatus::kConverged) << force << " " << velocity << " " << seed;
      EXPECT_LT((b.sigma / velocity - a.sigma).norm(), kTightVelocity);
    }
  }
}

TEST_P(Contract, WhatIsNotFiniteIsRefusedAndTheForcesStayAsTheyWere) {
  const double nan = std::nan("");
  for (int budget : {0, 3}) {
    for (int where = 0; where < 7; ++where) {
      ContactProblem p = PointMass(1, {0, 1, -10}, 0.5);
      VectorXd entry = Vector3d(1, 2, 30);
      if (where == 0) p.g[1] = nan;
      if (where == 1) p.G.Block(0, 0)(2, 2) = nan;
      if (where == 2) p.G.Block(0, 0)(0, 0) = INFINITY;
      if (where == 3) p.mu[0] = nan;
      if (where == 4) p.R[2] = nan;
      if (where == 5) p.target[0] = -INFINITY;
      if (where == 6) entry[0] = nan;
      const Result r = Solve(GetParam(), p, {.eps_abs = kEps, .budget = budget}, entry);
      EXPECT_EQ(r.status, SolveStatus::kFailed) << where;
      EXPECT_EQ(r.lambda.tail<2>(), entry.tail<2>()) << where;
      EXPECT_TRUE(where == 6 || r.lambda[0] == entry[0]) << where;
    }
  }
}

TEST_P(Contract, ComplianceGivesWay) {
  // (1/m + R) lambda = -g along each axis: the normal spring takes its part, the tangential one lets the contact creep.
  ContactProblem p = PointMass(2, {1, 0, -10}, 0.5);
  p.R = Vector3d(0.25, 0.25, 0.75);
  const Result r = Solve(GetParam(), p);
  EXPECT_EQ(r.status, SolveStatus::kConverged);
  EXPECT_LT((r.lambda - Vector3d(-1 / 0.75, 0, 8)).norm(), kForceTolerance);
}

TEST_P(Contract, TheTargetIsWhatTheContactIsBroughtTo) {
  ContactProblem p = PointMass(2, {0, 0, -10}, 0.5);
  p.target = Vector3d(0.5, 0, 2);
  const Result r = Solve(GetParam(), p);
  EXPECT_EQ(r.status, SolveStatus::kConverged);
  EXPECT_LT((r.lambda - Vector3d(1, 0, 24)).norm(), kForceTolerance);
}

TEST_P(Contract, ALimitPushesAndNeverPulls) {
  const MatrixXd G = MatrixXd::Constant(1, 1, 4.0);
  for (double g : {-2.0, 2.0}) {
    const Result r = Solve(GetParam(), Problem({BlockType::kLimit}, {1}, G, VectorXd::Constant(1, g), 0));
    EXPECT_EQ(r.status, SolveStatus::kConverged);
    EXPECT_NEAR(r.lambda[0], g < 0 ? 0.5 : 0, kForceTolerance);
  }
}

TEST_P(Contract, EqualityRowsHoldOrAreRefused) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    const ContactProblem p = RandomProblem(seed, 3, true, true);
    const Result r = Solve(GetParam(), p);
    if (GetParam().peer && r.status == SolveStatus::kFailed) continue;
    ASSERT_EQ(r.status, SolveStatus::kConverged) << seed;
    EXPECT_LT(r.sigma.tail<2>().norm(), 1.001 * kEps) << seed;
    EXPECT_LE(Judge(GetParam().law, p, r.lambda, r.sigma).worst(), 1.001 * kEps) << seed;
  }
}

TEST_P(Contract, ABudgetIsTheNumberOfIterationsMade) {
  const ContactProblem p = RandomProblem(3, 4);
  const VectorXd solved = Solve(GetParam(), p).lambda;
  for (int budget : {1, 7, 30}) {
    for (const VectorXd& guess : {VectorXd(), solved}) {
      const Result r = Solve(GetParam(), p, {.eps_abs = kEps, .budget = budget}, guess);
      EXPECT_EQ(r.iterations, budget) << (guess.size() > 0 ? "warm" : "cold");
      EXPECT_NE(r.status, SolveStatus::kFailed);
      EXPECT_TRUE(r.lambda.allFinite());
    }
  }
}

TEST_P(Contract, TheCapIsKeptAndSaidSo) {
  const ContactProblem p = RandomProblem(3, 4);
  if (Solve(GetParam(), p).iterations <= 1) GTEST_SKIP() << "solved in one iteration";
  const Result r = Solve(GetParam(), p, {.eps_abs = kEps, .max_iterations = 1});
  EXPECT_EQ(r.status, SolveStatus::kMaxIterations);
  EXPECT_EQ(r.iterations, 1);
}

TEST_P(Contract, TheTraceHasOneLinePerIterationAndEndsAtTheResult) {
  const ContactProblem p = RandomProblem(3, 4);
  const auto solver = GetParam().make({.eps_abs = kEps});
  std::vector<IterationRecord> trace;
  solver->set_trace(&trace);
  ContactSolution solution;
  ASSERT_EQ(solver->Solve(p, &solution), SolveStatus::kConverged);
  ASSERT_EQ(static_cast<int>(trace.size()), solution.iterations + 1);
  for (std::size_t k = 0; k < trace.size(); ++k) EXPECT_EQ(trace[k].iteration, static_cast<int>(k));
  EXPECT_LE(std::max({trace.back().eps_p, trace.back().eps_d, trace.back().eps_c}), 1.001 * kEps);
}

TEST_P(Contract, WatchingChangesNothing) {
  if (GetParam().peer) GTEST_SKIP() << "called once per iteration while watched";
  for (unsigned seed = 0; seed < 5; ++seed) {
    const ContactProblem p = RandomProblem(seed, 4);
    const auto solver = GetParam().make({.eps_abs = kEps});
    std::vector<IterationRecord> trace;
    solver->set_trace(&trace);
    ContactSolution watched;
    solver->Solve(p, &watched);
    solver->set_trace(nullptr);
    const std::size_t lines = trace.size();
    ContactSolution alone;
    solver->Solve(p, &alone);
    EXPECT_EQ(trace.size(), lines);
    EXPECT_EQ(alone.lambda, watched.lambda) << seed;
    EXPECT_EQ(alone.iterations, watched.iterations) << seed;
  }
}

TEST_P(Contract, RelaxationLeavesTheSolutionWhereItIs) {
  for (double w : {0.7, 1.2}) {
    for (unsigned seed = 0; seed < 5; ++seed) {
      const ContactProblem p = RandomProblem(seed, 3);
      const Result plain = Solve(GetParam(), p),
                   relaxed = Solve(GetParam(), p, {.eps_abs = kEps, .relaxation = w});
      if (GaveUp(plain) || GaveUp(relaxed)) continue;
      ASSERT_EQ(relaxed.status, SolveStatus::kConverged) << w << " " << seed;
      EXPECT_LT((relaxed.sigma - plain.sigma).norm(), kVelocityTolerance) << w << " " << seed;
    }
  }
}

// lambda <- (1 - w) old + w new, after one update of one contact from zero forces: w times the force that stops it.
TEST(Relaxation, IsAShareOfTheNewForce) {
  for (const char* name : {"lcp_pgs", "ncp_pgs", "ncp_bgs", "ccp_pgs", "raisim"}) {
    for (double w : {0.5, 1.0, 1.5}) {
      const Result r = Solve(*FindSolver(name), PointMass(2, {0, 0, -10}, 0.5),
                             {.eps_abs = kEps, .budget = 1, .relaxation = w});
      EXPECT_NEAR(r.lambda[2], w * 20, 1e-9) << name << " " << w;
    }
  }
}

TEST_P(Contract, NothingIsRememberedButTheSolution) {
  const ContactProblem p = RandomProblem(3, 4), other = RandomProblem(4, 4);
  const auto solver = GetParam().make({.eps_abs = kEps});
  ContactSolution before, solution;
  solver->Solve(other, &before);
  solver->Solve(p, &solution);
  const Result fresh = Solve(GetParam(), p);
  EXPECT_EQ(solution.iterations, fresh.iterations);
  EXPECT_EQ(solution.lambda, fresh.lambda);
}

TEST_P(Contract, NoMemoryIsAskedForOnceTheLargestProblemWasSeen) {
  if (!kCountsAllocations) GTEST_SKIP() << kCountsNoAllocations;
  if (GetParam().peer) GTEST_SKIP() << "another library's: it allocates";
  std::vector<ContactProblem> problems;
  for (int contacts : {5, 2, 4, 1, 5}) problems.push_back(RandomProblem(11, contacts, true, true));
  const auto solver = GetParam().make({.eps_abs = kEps});
  ContactSolution solution;
  for (int warm_up = 0; warm_up < 2; ++warm_up) {
    for (const ContactProblem& p : problems) solver->Solve(p, &solution);
  }
  const long before = Allocations();
  for (int k = 0; k < 3; ++k) {
    for (const ContactProblem& p : problems) {
      solver->Solve(p, &solution);
      solver->Solve(p, &solution);  // warm
    }
  }
  EXPECT_EQ(Allocations(), before);
}

TEST(SolverTable, NamesAreUniqueAndFound) {
  std::set<std::string> names;
  for (const SolverEntry& entry : SolverTable()) {
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
    EXPECT_NE(FindSolver(entry.name), nullptr);
    EXPECT_STRNE(entry.summary, "");
  }
  EXPECT_EQ(FindSolver("no_such_solver"), nullptr);
}

}  // namespace
}  // namespace tread
