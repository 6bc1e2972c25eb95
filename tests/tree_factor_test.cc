// TreeFactor against a dense Cholesky factor, on random trees.
#include "robots/tree_factor.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <random>
#include <stdexcept>
#include <vector>

namespace tread {
namespace {

// M = Kᵀ K, K lower triangular with the tree's sparsity and a dominant diagonal.
Eigen::MatrixXd RandomMass(const std::vector<int>& parents, std::mt19937& rng) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  const int n = static_cast<int>(parents.size());
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n, n);
  for (int k = 0; k < n; ++k) {
    for (int i = k; i >= 0; i = parents[static_cast<std::size_t>(i)]) K(k, i) = 0.5 * uniform(rng);
    K(k, k) = 2 + uniform(rng);
  }
  return K.transpose() * K;
}

std::vector<int> RandomTree(int n, bool branched, std::mt19937& rng) {
  std::vector<int> parents;
  for (int k = 0; k < n; ++k) {
    parents.push_back(branched ? std::uniform_int_distribution<int>(-1, k - 1)(rng) : k - 1);
  }
  return parents;
}

TEST(TreeFactor, AgreesWithDenseCholesky) {
  std::mt19937 rng(7);
  for (int trial = 0; trial < 60; ++trial) {
    const std::vector<int> parents = RandomTree(1 + trial % 30, trial % 2 == 1, rng);
    const Eigen::Index n = static_cast<Eigen::Index>(parents.size());
    const Eigen::MatrixXd M = RandomMass(parents, rng);
    Eigen::MatrixXd upper = M.triangularView<Eigen::Upper>();
    upper.triangularView<Eigen::StrictlyLower>().setConstant(NAN);  // must not be read

    TreeFactor factor;
    factor.Resize(parents);
    EXPECT_THROW(factor.Compute(Eigen::MatrixXd::Zero(n, n)), std::domain_error);  // leaves no trace
    factor.Compute(upper);
    const Eigen::MatrixXd L = factor.L();
    EXPECT_LT((L.transpose() * L - M).cwiseAbs().maxCoeff(), 1e-12 * M.norm());
    EXPECT_EQ(L.triangularView<Eigen::StrictlyUpper>().toDenseMatrix().cwiseAbs().maxCoeff(), 0);

    const Eigen::VectorXd b = Eigen::VectorXd::Random(n);
    Eigen::VectorXd x = b;
    factor.SolveInPlace(x);
    EXPECT_LT((x - M.llt().solve(b)).norm(), 1e-12);
    x = b;
    factor.SolveL(x);
    EXPECT_LT((L * x - b).norm(), 1e-12);
    x = b;
    factor.SolveLT(x);
    EXPECT_LT((L.transpose() * x - b).norm(), 1e-12);
  }
}

TEST(TreeFactor, ChainsKeepTheirSupport) {
  std::mt19937 rng(11);
  for (int trial = 0; trial < 60; ++trial) {
    const std::vector<int> parents = RandomTree(2 + trial % 25, trial % 3 != 0, rng);
    const int n = static_cast<int>(parents.size());
    const Eigen::MatrixXd M = RandomMass(parents, rng);
    TreeFactor factor;
    factor.Resize(parents);
    factor.Compute(M);

    std::vector<int> chain;
    const int last = std::uniform_int_distribution<int>(0, n - 1)(rng);
    for (int i = last; i >= 0; i = parents[static_cast<std::size_t>(i)]) chain.push_back(i);
    std::reverse(chain.begin(), chain.end());
    const int m = 1 + trial % 4;
    const Eigen::MatrixXd packed = Eigen::MatrixXd::Random(m, static_cast<Eigen::Index>(chain.size()));
    Eigen::MatrixXd J = Eigen::MatrixXd::Zero(m, n);
    for (std::size_t c = 0; c < chain.size(); ++c) J.col(chain[c]) = packed.col(static_cast<Eigen::Index>(c));

    Eigen::MatrixXd Y = packed;
    factor.SolveLTChain(chain, Y.data(), m);
    const Eigen::MatrixXd delassus = J * M.llt().solve(J.transpose());
    EXPECT_LT((Y * Y.transpose() - delassus).cwiseAbs().maxCoeff(), 1e-12);
    for (int r = 0; r < m; ++r) {
      Eigen::VectorXd full = J.row(r).transpose();
      factor.SolveLT(full);
      for (std::size_t c = 0; c < chain.size(); ++c) {
        EXPECT_NEAR(full[chain[c]], Y(r, static_cast<Eigen::Index>(c)), 1e-13);
        full[chain[c]] = 0;
      }
      EXPECT_EQ(full.norm(), 0);
    }
  }
}

TEST(TreeFactor, RefusesBadInput) {
  TreeFactor factor;
  EXPECT_THROW(factor.Resize(std::vector<int>{-1, 1}), std::invalid_argument);
  EXPECT_THROW(factor.Resize(std::vector<int>{-2}), std::invalid_argument);
  factor.Resize(std::vector<int>{-1, 0});
  EXPECT_THROW(factor.Compute(Eigen::MatrixXd::Identity(3, 3)), std::invalid_argument);
  EXPECT_THROW(factor.Compute(-Eigen::MatrixXd::Identity(2, 2)), std::domain_error);
}

}  // namespace
}  // namespace tread
