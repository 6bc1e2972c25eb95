// Symmetric matrix stored by block rows: the Delassus matrix with the sparsity of who touches whom.
//
// Block row i holds the blocks (i, j) of its neighbours j as one column-major panel of size s_i x sum_j s_j. Four feet of one
// robot all couple, and the panel is then a dense row; a pile of bodies has few neighbours each. Both triangles are stored, so a
// Gauss-Seidel sweep reads memory in order. Storage is kept between problems: no allocation once it has been large enough.
#pragma once

#include <Eigen/Core>
#include <span>
#include <utility>
#include <vector>

namespace tread {

class BlockMatrix {
 public:
  // Sizes of the blocks and the pairs (i, j), i <= j, that couple; diagonal pairs are implied. Values start at zero.
  void SetPattern(std::span<const int> sizes, std::span<const std::pair<int, int>> pairs);
  // Every block couples with every other.
  void SetDensePattern(std::span<const int> sizes);

  int block_count() const { return static_cast<int>(sizes_.size()); }
  int rows() const { return offsets_.empty() ? 0 : offsets_.back(); }
  int offset(int i) const { return offsets_[static_cast<std::size_t>(i)]; }
  int size(int i) const { return sizes_[static_cast<std::size_t>(i)]; }
  std::span<const int> neighbours(int i) const;

  // Block (i, j); throws std::out_of_range when the pair does not couple.
  Eigen::Map<Eigen::MatrixXd> Block(int i, int j);
  Eigen::Map<const Eigen::MatrixXd> Block(int i, int j) const;
  Eigen::Map<const Eigen::MatrixXd> Diagonal(int i) const { return Block(i, i); }

  // y_i = sum_j G_ij x_j for one block row (y has size s_i); and the whole product.
  void RowTimes(int i, const Eigen::VectorXd& x, double* y) const;
  void Times(const Eigen::VectorXd& x, Eigen::VectorXd* y) const;
  Eigen::MatrixXd ToDense() const;

 private:
  std::size_t Find(int i, int j) const;

  std::vector<int> sizes_, offsets_;      // per block; offsets_ has one more entry
  std::vector<int> row_start_, columns_;  // CSR pattern over blocks
  std::vector<std::size_t> value_start_;  // per stored block
  std::vector<double> values_;
  std::vector<std::pair<int, int>> sorted_;  // scratch of SetPattern
};

}  // namespace tread
