// What runs inside a step asks for no memory: pattern, solver, judge, grounds.
#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <utility>
#include <vector>

#include "experiments/allocation_counter.h"
#include "sim/contact/criteria.h"
#include "sim/contact/solver_table.h"
#include "sim/terrain.h"

namespace tread {
namespace {

using Eigen::Vector3d;

// Diagonals that grow with k, weak coupling everywhere else.
void Fill(int k, ContactProblem* p) {
  for (int i = 0; i < p->block_count(); ++i) {
    for (int slot = p->G.row_begin(i); slot < p->G.row_end(i); ++slot) {
      const int rows = p->G.size(i), columns = p->G.size(p->G.column(slot));
      const bool diagonal = p->G.column(slot) == i;
      for (int e = 0; e < rows * columns; ++e)
        p->G.block_data(slot)[e] = diagonal && e % (rows + 1) == 0 ? 1.0 + 0.01 * k : 0.05;
    }
  }
}

ContactProblem MakeProblem() {
  ContactProblem p;
  const int sizes[] = {3, 3, 3, 3, 1};
  p.G.SetDensePattern(sizes);
  p.types.assign(5, BlockType::kCoulomb);
  p.types[4] = BlockType::kLimit;
  p.g = Eigen::VectorXd::Constant(13, -3);
  p.target = p.R = Eigen::VectorXd::Zero(13);
  p.mu = Eigen::VectorXd::Constant(5, 0.5);
  p.mu[4] = 0;
  return p;
}

TEST(Allocation, PatternsOfASizeOnceReachedNeedNone) {
  if (!kCountsAllocations) GTEST_SKIP() << kCountsNoAllocations;
  const std::vector<int> five = {3, 3, 3, 3, 1}, two = {3, 3};
  const std::vector<std::pair<int, int>> chain = {{0, 1}, {1, 2}, {2, 3}, {3, 4}}, pair = {{0, 1}};
  BlockMatrix G;
  G.SetDensePattern(five);
  G.SetPattern(five, chain);
  const long before = Allocations();
  for (int k = 0; k < 3; ++k) {
    G.SetPattern(two, pair);
    G.SetDensePattern(five);
    G.SetDensePattern(five);
    G.SetPattern(five, chain);
  }
  EXPECT_EQ(Allocations(), before);
}

TEST(Allocation, SolversAndJudgeNeedNoneOnceTheyHaveSeenTheSize) {
  if (!kCountsAllocations) GTEST_SKIP() << kCountsNoAllocations;
  for (const SolverEntry& entry : SolverTable()) {
    ContactProblem p = MakeProblem();
    const auto solver = entry.make({});
    ContactSolution solution;
    RowVector sigma;
    const int sizes[] = {3, 3, 3, 3, 1};
    long before = 0;
    for (int k = 0; k < 20; ++k) {
      if (k == 2) before = Allocations();
      p.G.SetDensePattern(sizes);
      Fill(k, &p);
      if (k % 5 == 4) solution.lambda.setZero();  // cold, else warm
      solver->set_scale(ComputeScale(p));
      EXPECT_EQ(solver->Solve(p, &solution), SolveStatus::kConverged) << entry.name;
      ComputeSigma(p, solution.lambda, &sigma);
      EXPECT_LT(Judge(entry.law, p, solution.lambda, sigma).worst(), 1e-3) << entry.name;
    }
    if (!entry.peer) {
      EXPECT_EQ(Allocations(), before) << entry.name;
    }
  }
}

// A chain of thirty contacts, in which every third may also touch the next but one: sparse factors, of two patterns in turn.
TEST(Allocation, SparseProblemsOfPatternsSeenBeforeNeedNone) {
  if (!kCountsAllocations) GTEST_SKIP() << kCountsNoAllocations;
  const std::vector<int> sizes(30, 3);
  std::vector<std::pair<int, int>> patterns[2];
  for (int i = 0; i + 1 < 30; ++i) {
    for (auto& pairs : patterns) pairs.emplace_back(i, i + 1);
    if (i % 3 == 0 && i + 2 < 30) patterns[1].emplace_back(i, i + 2);
  }
  for (const SolverEntry& entry : SolverTable()) {
    if (entry.peer) continue;
    ContactProblem p;
    p.types.assign(30, BlockType::kCoulomb);
    p.g = Eigen::VectorXd::Constant(90, -3);
    p.target = p.R = Eigen::VectorXd::Zero(90);
    p.mu = Eigen::VectorXd::Constant(30, 0.5);
    const auto solver = entry.make({});
    ContactSolution solution;
    long before = 0;
    for (int k = 0; k < 12; ++k) {
      if (k == 4) before = Allocations();
      p.G.SetPattern(sizes, patterns[k % 2]);
      Fill(k, &p);
      if (k % 4 < 2) solution.lambda.setZero();  // cold, else warm
      EXPECT_EQ(solver->Solve(p, &solution), SolveStatus::kConverged) << entry.name;
    }
    EXPECT_EQ(Allocations(), before) << entry.name;
  }
}

TEST(Allocation, GroundsNeedNone) {
  if (!kCountsAllocations) GTEST_SKIP() << kCountsNoAllocations;
  const std::string map = testing::TempDir() + "allocation_test_map.txt";
  std::ofstream(map) << "3 3 0.5 -0.5 -0.5\n0 0.1 0\n0.1 0.2 0\n0 0 0.1\n";
  for (const TerrainEntry& entry : TerrainTable()) {
    TerrainConfig config;
    config.type = entry.name;
    config.file = map;
    const std::unique_ptr<Terrain> terrain = MakeTerrain(config, 1);
    SurfacePoint points[8];
    std::uint32_t features[8];
    double sum = 0;
    const long before = Allocations();
    for (int k = 0; k < 200; ++k) {
      const double x = 0.013 * k - 1.3, y = 0.4 * x;
      const Vector3d c(x, y, terrain->Height(x, y) + 0.019), b = c + Vector3d(0.1, 0.12, 0.02);
      sum += terrain->Closest(c).distance + terrain->Normal(x, y).z() + terrain->MayTouch(c, 0.02);
      sum += terrain->Touches(c, 0.02, 0.005, 8, points, features);
      sum += terrain->TouchesCapsule(c, b, 0.02, 0.005, 3, points, features);
    }
    EXPECT_EQ(Allocations(), before) << entry.name;
    EXPECT_GT(sum, 0);
  }
}

}  // namespace
}  // namespace tread
