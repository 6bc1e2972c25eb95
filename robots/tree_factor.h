// Factor of a mass matrix that keeps the zeros of the kinematic tree.
//
//   M = Lᵀ L,  L lower triangular (n x n),  L(k, i) != 0 only if i is k or an ancestor of k
//
// (Featherstone, Rigid Body Dynamics Algorithms, 2008, table 6.3). Unlike Cholesky's L Lᵀ it has no fill-in. With J
// (m x n) the Jacobian of a point on one body, Y = L⁻ᵀ Jᵀ has its nonzeros where Jᵀ has them, on the body's ancestor
// chain, and J M⁻¹ Jᵀ = Yᵀ Y.
// Limits: M must be positive definite (throws std::domain_error if not). Nothing allocates after Resize.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

namespace tread {

class TreeFactor {
 public:
  using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  // parents[k] is the dof before k on the way to the root, -1 at the root; parents[k] < k, else std::invalid_argument.
  void Resize(std::span<const int> parents);

  // Reads the upper triangle only, as Pinocchio's crba leaves it.
  void Compute(const Eigen::MatrixXd& M_upper);

  // x <- L⁻ᵀ x for stride_rows right-hand sides at once. chain: a dof and all its ancestors, ascending. Entry r of the
  // right-hand side at dof chain[c] is x[r + c stride_rows]: a column-major matrix, stride_rows x chain.size().
  void SolveLTChain(std::span<const int> chain, double* x, int stride_rows) const;

  void SolveLT(Eigen::Ref<Eigen::VectorXd> x) const;       // x <- L⁻ᵀ x
  void SolveL(Eigen::Ref<Eigen::VectorXd> x) const;        // x <- L⁻¹ x
  void SolveInPlace(Eigen::Ref<Eigen::VectorXd> x) const;  // x <- M⁻¹ x = L⁻¹ L⁻ᵀ x

  int size() const { return static_cast<int>(parents_.size()); }
  const std::vector<int>& parents() const { return parents_; }
  const RowMatrix& L() const { return L_; }  // zeros above the diagonal and off the tree

 private:
  std::vector<int> parents_;
  RowMatrix L_;
  Eigen::VectorXd inverse_diagonal_;  // 1 / L(k, k)
};

}  // namespace tread
