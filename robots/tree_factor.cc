#include "robots/tree_factor.h"

#include <cmath>
#include <stdexcept>
#include <string>

namespace tread {

void TreeFactor::Resize(std::span<const int> parents) {
  for (std::size_t k = 0; k < parents.size(); ++k) {
    if (parents[k] < -1 || parents[k] >= static_cast<int>(k)) {
      throw std::invalid_argument("TreeFactor: the parent of dof " + std::to_string(k) + " is " +
                                  std::to_string(parents[k]) + ", which does not come before it");
    }
  }
  parents_.assign(parents.begin(), parents.end());
  L_.setZero(size(), size());
  inverse_diagonal_.setZero(size());
}

void TreeFactor::Compute(const Eigen::MatrixXd& M_upper) {
  const int n = size();
  if (M_upper.rows() != n || M_upper.cols() != n)
    throw std::invalid_argument("TreeFactor: M has the wrong size");
  const int* parent = parents_.data();
  for (int k = 0; k < n; ++k) {
    for (int i = k; i >= 0; i = parent[i]) L_(k, i) = M_upper(i, k);
  }
  for (int k = n - 1; k >= 0; --k) {
    double* row = L_.data() + static_cast<std::ptrdiff_t>(k) * n;
    if (!(row[k] > 0)) {
      throw std::domain_error("TreeFactor: the mass matrix is not positive definite at dof " +
                              std::to_string(k));
    }
    row[k] = std::sqrt(row[k]);
    const double inverse = 1 / row[k];
    inverse_diagonal_[k] = inverse;
    for (int i = parent[k]; i >= 0; i = parent[i]) row[i] *= inverse;
    for (int i = parent[k]; i >= 0; i = parent[i]) {
      double* row_i = L_.data() + static_cast<std::ptrdiff_t>(i) * n;
      const double factor = row[i];
      for (int j = i; j >= 0; j = parent[j]) row_i[j] -= factor * row[j];
    }
  }
}

void TreeFactor::SolveLTChain(std::span<const int> chain, double* x, int stride_rows) const {
  const std::ptrdiff_t n = size();
  for (std::size_t c = chain.size(); c-- > 0;) {
    const int k = chain[c];
    const double* row = L_.data() + k * n;
    double* x_c = x + static_cast<std::ptrdiff_t>(c) * stride_rows;
    for (int r = 0; r < stride_rows; ++r) x_c[r] *= inverse_diagonal_[k];
    for (std::size_t a = 0; a < c; ++a) {
      const double factor = row[chain[a]];
      double* x_a = x + static_cast<std::ptrdiff_t>(a) * stride_rows;
      for (int r = 0; r < stride_rows; ++r) x_a[r] -= factor * x_c[r];
    }
  }
}

void TreeFactor::SolveLT(Eigen::Ref<Eigen::VectorXd> x) const {
  for (int k = size() - 1; k >= 0; --k) {
    x[k] *= inverse_diagonal_[k];
    for (int i = parents_[static_cast<std::size_t>(k)]; i >= 0; i = parents_[static_cast<std::size_t>(i)]) {
      x[i] -= L_(k, i) * x[k];
    }
  }
}

void TreeFactor::SolveL(Eigen::Ref<Eigen::VectorXd> x) const {
  for (int k = 0; k < size(); ++k) {
    double sum = x[k];
    for (int i = parents_[static_cast<std::size_t>(k)]; i >= 0; i = parents_[static_cast<std::size_t>(i)]) {
      sum -= L_(k, i) * x[i];
    }
    x[k] = sum * inverse_diagonal_[k];
  }
}

void TreeFactor::SolveInPlace(Eigen::Ref<Eigen::VectorXd> x) const {
  SolveLT(x);
  SolveL(x);
}

}  // namespace tread
