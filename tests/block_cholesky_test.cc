// The factorisation against Eigen's dense one: dense and sparse, blocks of all sizes, patterns that change, and matrices that have no factor.
#include "sim/contact/block_cholesky.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <chrono>
#include <cstdio>
#include <random>

#include "sim/contact/dense_panel.h"

namespace tread {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Pairs = std::vector<std::pair<int, int>>;

// G = J J' with one sparse row of J-blocks per block: positive semidefinite, with just the pattern asked for.
void FillPositive(const std::vector<int>& sizes, const Pairs& pairs, unsigned seed, BlockMatrix* G) {
  G->SetPattern(sizes, pairs);
  G->SetZero();
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  for (auto [i, j] : pairs) {
    MatrixXd a(sizes[static_cast<std::size_t>(i)], 2), b(sizes[static_cast<std::size_t>(j)], 2);
    for (MatrixXd* m : {&a, &b}) *m = m->unaryExpr([&](double) { return normal(random); });
    G->Block(i, i) += a * a.transpose();
    if (i == j) continue;
    G->Block(j, j) += b * b.transpose();
    G->Block(i, j) += a * b.transpose();
    G->Block(j, i) += b * a.transpose();
  }
}

void ExpectSolves(const BlockMatrix& G, double diagonal, BlockCholesky* cholesky) {
  RowVector d, x;
  d = VectorXd::LinSpaced(G.rows(), diagonal, 2 * diagonal);
  const VectorXd b = VectorXd::LinSpaced(G.rows(), -1, 2);
  x = b;
  ASSERT_TRUE(cholesky->Factor(G, d));
  cholesky->Solve(&x);
  MatrixXd A = G.ToDense();
  A.diagonal() += d;
  const VectorXd expected = A.llt().solve(b);
  EXPECT_LT((x - expected).norm(), 1e-10 * expected.norm()) << G.rows() << " rows";
}

Pairs RandomPairs(int blocks, int count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<int> pick(0, blocks - 1);
  Pairs pairs;
  for (int k = 0; k < count; ++k) pairs.emplace_back(pick(random), pick(random));
  return pairs;
}

TEST(BlockCholesky, AgreesWithDenseOnRandomPatterns) {
  BlockCholesky cholesky;  // the same one throughout: patterns change under it
  BlockMatrix G;
  for (int blocks : {1, 2, 4, 19, 20, 21, 60, 150}) {
    for (int density : {0, 1, 3}) {
      const std::vector<int> threes(static_cast<std::size_t>(blocks), 3);
      FillPositive(threes, RandomPairs(blocks, density * blocks, 7), 1, &G);
      ExpectSolves(G, 0.1, &cholesky);
      std::vector<int> mixed;
      for (int i = 0; i < blocks; ++i) mixed.push_back(1 + i % 7);
      FillPositive(mixed, RandomPairs(blocks, density * blocks, 8), 2, &G);
      ExpectSolves(G, 0.1, &cholesky);
    }
  }
}

TEST(BlockCholesky, FollowsValuesAndPatternOfEqualSize) {
  BlockCholesky cholesky;
  BlockMatrix G;
  const std::vector<int> sizes(40, 3);
  for (unsigned seed = 1; seed < 5; ++seed) {
    FillPositive(sizes, RandomPairs(40, 80, seed % 2), seed, &G);
    ExpectSolves(G, 1e-3, &cholesky);
  }
}

TEST(BlockCholesky, InverseOfFewRows) {
  BlockCholesky cholesky;
  BlockMatrix G;
  FillPositive({3, 1, 2, 3}, {{0, 1}, {1, 2}, {0, 3}}, 3, &G);
  RowVector d;
  d.setZero(9);
  d.setConstant(0.5);
  ASSERT_TRUE(cholesky.Factor(G, d));
  MatrixXd inverse(9, 9);
  cholesky.Invert(inverse.data());
  const MatrixXd A = G.ToDense() + 0.5 * MatrixXd::Identity(9, 9);
  EXPECT_LT((A * inverse - MatrixXd::Identity(9, 9)).norm(), 1e-12);
}

TEST(BlockCholesky, SaysWhenThereIsNoFactor) {
  BlockCholesky cholesky;
  BlockMatrix G;
  for (int blocks : {4, 100}) {
    FillPositive(std::vector<int>(static_cast<std::size_t>(blocks), 3), RandomPairs(blocks, 2 * blocks, 1), 1,
                 &G);
    RowVector d;
    d.setZero(G.rows());
    d.setConstant(-1e3);
    EXPECT_FALSE(cholesky.Factor(G, d));
    d.setConstant(std::nan(""));
    EXPECT_FALSE(cholesky.Factor(G, d));
    ExpectSolves(G, 1, &cholesky);  // a failure leaves nothing behind
  }
}

// Contacts between neighbours on a cubic lattice of balls: two contacts couple when they share a ball.
Pairs PilePairs(int side, int* contacts) {
  std::vector<std::vector<int>> at(static_cast<std::size_t>(side * side * side));
  const auto ball = [&](int x, int y, int z) { return static_cast<std::size_t>((x * side + y) * side + z); };
  *contacts = 0;
  const auto touch = [&](std::size_t a, std::size_t b) {
    at[a].push_back(*contacts), at[b].push_back((*contacts)++);
  };
  for (int x = 0; x < side; ++x) {
    for (int y = 0; y < side; ++y) {
      for (int z = 0; z < side; ++z) {
        if (x + 1 < side) touch(ball(x, y, z), ball(x + 1, y, z));
        if (y + 1 < side) touch(ball(x, y, z), ball(x, y + 1, z));
        if (z + 1 < side) touch(ball(x, y, z), ball(x, y, z + 1));
      }
    }
  }
  Pairs pairs;
  for (const std::vector<int>& shared : at) {
    for (int i : shared) {
      for (int j : shared) {
        if (i < j) pairs.emplace_back(i, j);
      }
    }
  }
  return pairs;
}

TEST(DensePanel, LuAgreesWithEigenAndSaysWhenItIsSingular) {
  for (int n : {1, 2, 3, 4, 5, 7, 12, 13, 16, 17, 33, 63, 130}) {
    std::mt19937 random(static_cast<unsigned>(n));
    std::normal_distribution<double> normal;
    MatrixXd A = MatrixXd::NullaryExpr(n, n, [&] { return normal(random); });
    A(0, 0) = 0;  // needs an exchange
    if (n == 1) A(0, 0) = -2;
    const VectorXd b = VectorXd::LinSpaced(n, -1, 2);
    const VectorXd expected = A.partialPivLu().solve(b);
    MatrixXd LU = A;
    VectorXd x = b, buffer(4 * n);
    std::vector<int> pivots(static_cast<std::size_t>(n));
    ASSERT_TRUE(FactorLu(n, LU.data(), pivots.data(), buffer.data())) << n;
    SolveLu(n, LU.data(), pivots.data(), x.data());
    EXPECT_LT((x - expected).norm(), 1e-11 * A.norm() * expected.norm()) << n;
    LU = A;
    LU.col(n / 2).setZero();
    EXPECT_FALSE(FactorLu(n, LU.data(), pivots.data(), buffer.data())) << n;
    LU = A;
    LU(n - 1, n / 2) = NAN;
    EXPECT_FALSE(FactorLu(n, LU.data(), pivots.data(), buffer.data())) << n;
  }
}

TEST(BlockCholesky, PileOfAThousandContacts) {
  int contacts = 0;
  const Pairs pairs = PilePairs(7, &contacts);
  ASSERT_GT(contacts, 850);
  BlockMatrix G;
  FillPositive(std::vector<int>(static_cast<std::size_t>(contacts), 3), pairs, 5, &G);
  BlockCholesky cholesky;
  RowVector d, x;
  d.setZero(G.rows()), d.setConstant(0.1);
  x = d;
  const auto first = std::chrono::steady_clock::now();
  ASSERT_TRUE(cholesky.Factor(G, d));  // analyses the pattern too
  const auto start = std::chrono::steady_clock::now();
  ASSERT_TRUE(cholesky.Factor(G, d));
  const auto factored = std::chrono::steady_clock::now();
  cholesky.Solve(&x);
  const auto end = std::chrono::steady_clock::now();
  const auto seconds = [](auto a, auto b) { return std::chrono::duration<double>(b - a).count(); };
  std::printf("%d contacts: %zu entries, first %.4f s, factor %.4f s, solve %.4f s\n", contacts,
              cholesky.factor_entries(), seconds(first, start), seconds(start, factored),
              seconds(factored, end));
  ExpectSolves(G, 0.1, &cholesky);
  EXPECT_LT(seconds(start, factored), 5.0);  // generous: debug builds and busy machines
}

}  // namespace
}  // namespace tread
