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
  Eigen::MatrixXd L() const;  // dense, with the zeros above the diagonal and off the tree

 private:
  // Row k of L is packed: its entry e belongs to the ancestor of k at depth e, chains_[start + e], the last to k itself.
  // An ancestor's chain is the beginning of its descendants' chains, so packed rows are subtracted without indices.
  struct Dof {
    int start = 0;  // of its row in entries_, and of its chain in chains_
    int depth = 0;  // number of ancestors
    int run = 0;    // the first ancestors that are dofs 0, 1, ..., run - 1
  };
  const int* Chain(const Dof& dof) const { return chains_.data() + dof.start; }
  template <int kRows>
  void SolveLTRows(std::span<const int> chain, double* x, int rows) const;  // kRows = 0: any number of rows

  std::vector<int> parents_, chains_;
  std::vector<Dof> dofs_;
  std::vector<double> entries_;
  Eigen::VectorXd inverse_diagonal_;  // 1 / L(k, k)
};

}  // namespace tread
