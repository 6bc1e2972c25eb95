#include "robots/tree_factor.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace tread {
namespace {

constexpr int kBase = 6;  // dofs of a floating base: loops of this constant length are unrolled

// y -= f x over n entries.
inline void Subtract(int n, double f, const double* __restrict x, double* __restrict y) {
  int j = 0;
  if (n >= kBase) {
    for (; j < kBase; ++j) y[j] -= f * x[j];
  }
#pragma GCC unroll 1
  for (; j < n; ++j) y[j] -= f * x[j];
}

// The lower triangle of x xᵀ, packed by rows, off y.
inline void SubtractSquare(const double* __restrict x, double* __restrict y) {
  for (int e = 0; e < kBase; ++e) {
    for (int j = 0; j <= e; ++j) *y++ -= x[e] * x[j];
  }
}

}  // namespace

void TreeFactor::Resize(std::span<const int> parents) {
  for (std::size_t k = 0; k < parents.size(); ++k) {
    if (parents[k] < -1 || parents[k] >= static_cast<int>(k)) {
      throw std::invalid_argument("TreeFactor: the parent of dof " + std::to_string(k) + " is " +
                                  std::to_string(parents[k]) + ", which does not come before it");
    }
  }
  parents_.assign(parents.begin(), parents.end());
  dofs_.resize(parents.size());
  chains_.clear();
  for (int k = 0; k < size(); ++k) {
    Dof& dof = dofs_[static_cast<std::size_t>(k)];
    dof = {static_cast<int>(chains_.size()), 0, 0};
    if (const int parent = parents[static_cast<std::size_t>(k)]; parent >= 0) {
      const Dof& above = dofs_[static_cast<std::size_t>(parent)];
      dof.depth = above.depth + 1;
      for (int e = 0; e < dof.depth; ++e)
        chains_.push_back(chains_[static_cast<std::size_t>(above.start + e)]);
    }
    chains_.push_back(k);
    while (dof.run <= dof.depth && chains_[static_cast<std::size_t>(dof.start + dof.run)] == dof.run)
      ++dof.run;
    dof.run = std::min(dof.run, dof.depth);
  }
  entries_.assign(chains_.size(), 0);
  inverse_diagonal_.setZero(size());
}

void TreeFactor::Compute(const Eigen::MatrixXd& M_upper) {
  const int n = size();
  if (M_upper.rows() != n || M_upper.cols() != n)
    throw std::invalid_argument("TreeFactor: M has the wrong size");
  for (int k = 0; k < n; ++k) {
    const Dof& dof = dofs_[static_cast<std::size_t>(k)];
    const int* chain = Chain(dof);
    const double* column = M_upper.data() + static_cast<std::ptrdiff_t>(k) * n;
    double* row = entries_.data() + dof.start;
    for (int e = 0; e < dof.run; ++e) row[e] = column[e];
    for (int e = dof.run; e <= dof.depth; ++e) row[e] = column[chain[e]];
  }
  for (int k = n - 1; k >= 0; --k) {
    const Dof& dof = dofs_[static_cast<std::size_t>(k)];
    const int* chain = Chain(dof);
    double* row = entries_.data() + dof.start;
    if (!(row[dof.depth] > 0)) {
      throw std::domain_error("TreeFactor: the mass matrix is not positive definite at dof " +
                              std::to_string(k));
    }
    const double inverse = 1 / std::sqrt(row[dof.depth]);
    inverse_diagonal_[k] = inverse;
    for (int e = 0; e <= dof.depth; ++e) row[e] *= inverse;
    // The ancestor at depth e has the first e + 1 dofs of this chain as its own; the rows of a base are the first entries.
    int e = 0;
    if (dof.run >= kBase) {
      SubtractSquare(row, entries_.data());
      e = kBase;
    }
    for (; e < dof.depth; ++e) {
      Subtract(e + 1, row[e], row, entries_.data() + dofs_[static_cast<std::size_t>(chain[e])].start);
    }
  }
}

template <int kRows>
void TreeFactor::SolveLTRows(std::span<const int> chain, double* x, int rows) const {
  const int m = kRows > 0 ? kRows : rows;
  for (std::size_t c = chain.size(); c-- > 0;) {
    const double* row = entries_.data() + dofs_[static_cast<std::size_t>(chain[c])].start;
    double* x_c = x + static_cast<std::ptrdiff_t>(c) * m;
    for (int r = 0; r < m; ++r) x_c[r] *= inverse_diagonal_[chain[c]];
    double* x_a = x;
    for (std::size_t a = 0; a < c; ++a, x_a += m) {
      for (int r = 0; r < m; ++r) x_a[r] -= row[a] * x_c[r];
    }
  }
}

void TreeFactor::SolveLTChain(std::span<const int> chain, double* x, int stride_rows) const {
  if (stride_rows == 3) return SolveLTRows<3>(chain, x, 3);
  if (stride_rows == 1) return SolveLTRows<1>(chain, x, 1);
  SolveLTRows<0>(chain, x, stride_rows);
}

void TreeFactor::SolveLT(Eigen::Ref<Eigen::VectorXd> x_ref) const {
  double* x = x_ref.data();
  for (int k = size() - 1; k >= 0; --k) {
    const Dof& dof = dofs_[static_cast<std::size_t>(k)];
    const int* chain = Chain(dof);
    const double* row = entries_.data() + dof.start;
    const double x_k = x[k] *= inverse_diagonal_[k];
    Subtract(dof.run, x_k, row, x);
    for (int e = dof.run; e < dof.depth; ++e) x[chain[e]] -= row[e] * x_k;
  }
}

void TreeFactor::SolveL(Eigen::Ref<Eigen::VectorXd> x_ref) const {
  double* x = x_ref.data();
  for (int k = 0; k < size(); ++k) {
    const Dof& dof = dofs_[static_cast<std::size_t>(k)];
    const int* chain = Chain(dof);
    const double* row = entries_.data() + dof.start;
    double sum = x[k];
    int e = 0;
    if (dof.run >= kBase) {
      for (; e < kBase; ++e) sum -= row[e] * x[e];
    }
    for (; e < dof.depth; ++e) sum -= row[e] * x[chain[e]];
    x[k] = sum * inverse_diagonal_[k];
  }
}

void TreeFactor::SolveInPlace(Eigen::Ref<Eigen::VectorXd> x) const {
  SolveLT(x);
  SolveL(x);
}

Eigen::MatrixXd TreeFactor::L() const {
  Eigen::MatrixXd L = Eigen::MatrixXd::Zero(size(), size());
  for (int k = 0; k < size(); ++k) {
    const Dof& dof = dofs_[static_cast<std::size_t>(k)];
    for (int e = 0; e <= dof.depth; ++e)
      L(k, Chain(dof)[e]) = entries_[static_cast<std::size_t>(dof.start + e)];
  }
  return L;
}

}  // namespace tread
