// Symmetric matrix stored by block rows: the Delassus matrix with the sparsity of who touches whom.
//
// Block row i holds the blocks (i, j) of its neighbours j as one column-major panel of size s_i x sum_j s_j. Four feet of one
// robot all couple, and the panel is then a dense row; a pile of bodies has few neighbours each. Both triangles are stored, so a
// Gauss-Seidel sweep reads memory in order. Storage is kept between problems: no allocation once it has been large enough.
//
// Whoever assembles walks the slots: the stored blocks of row i are row_begin(i) .. row_end(i) - 1, in the order of neighbours(i), and
// block_data(slot) is s_i x s_column(slot), column-major. Pointers hold until the pattern changes.
#pragma once

#include <Eigen/Core>
#include <span>
#include <utility>
#include <vector>

#include "sim/contact/row_vector.h"

namespace tread {

class BlockMatrix {
 public:
  // Sizes of the blocks and the pairs (i, j) that couple; diagonal pairs are implied. Returns true when that differs from the last call:
  // all values are then zero. Equal arguments return false at once and leave the values as they were, so either overwrite every block
  // or call SetZero before adding to them. Throws std::invalid_argument for a pair that names no block.
  bool SetPattern(std::span<const int> sizes, std::span<const std::pair<int, int>> pairs);
  // Every block couples with every other; the same contract.
  bool SetDensePattern(std::span<const int> sizes);
  void SetZero();
  // Room for so many blocks of size 3 with so many neighbours each, taken at once.
  void Reserve(int blocks, int neighbours);

  int block_count() const { return static_cast<int>(sizes_.size()); }
  int rows() const { return offsets_.empty() ? 0 : offsets_.back(); }
  int offset(int i) const { return offsets_[static_cast<std::size_t>(i)]; }
  int size(int i) const { return sizes_[static_cast<std::size_t>(i)]; }
  std::span<const int> neighbours(int i) const;

  // Slots: stored blocks in memory order.
  int row_begin(int i) const { return rows_[static_cast<std::size_t>(i)].begin; }
  int row_end(int i) const { return rows_[static_cast<std::size_t>(i)].end; }
  int diagonal_slot(int i) const { return rows_[static_cast<std::size_t>(i)].diagonal; }
  int column(int slot) const { return columns_[static_cast<std::size_t>(slot)]; }
  double* block_data(int slot) { return values_.data() + value_start_[static_cast<std::size_t>(slot)]; }
  const double* block_data(int slot) const {
    return values_.data() + value_start_[static_cast<std::size_t>(slot)];
  }
  double* diagonal_data(int i) { return block_data(diagonal_slot(i)); }
  const double* diagonal_data(int i) const { return block_data(diagonal_slot(i)); }

  // Block (i, j), found by binary search; throws std::out_of_range when the pair does not couple.
  Eigen::Map<Eigen::MatrixXd> Block(int i, int j);
  Eigen::Map<const Eigen::MatrixXd> Block(int i, int j) const;
  Eigen::Map<const Eigen::MatrixXd> Diagonal(int i) const { return {diagonal_data(i), size(i), size(i)}; }

  // y_i = sum_j G_ij x_j for one block row (x has all rows, y has size s_i); and the whole product.
  void RowTimes(int i, const double* x, double* y) const;
  void RowTimes(int i, const RowVector& x, double* y) const { RowTimes(i, x.data(), y); }
  void Times(const RowVector& x, RowVector* y) const;
  Eigen::MatrixXd ToDense() const;

 private:
  struct Row {
    int begin = 0, end = 0, diagonal = 0;  // slots
    int first_column = -1;  // where in x the panel begins if its blocks follow each other, else -1
    int width = 0;          // columns of the panel, if threes
    bool threes = false;    // s_i = 3, and so are all neighbours
  };
  bool Same(std::span<const int> sizes) const;
  void SetSizes(std::span<const int> sizes);
  void AddSlot(int i, int j);  // slots come sorted by row, then column
  void FinishRows();
  int Find(int i, int j) const;
  void ScatteredRowTimes3(const Row& row, const double* x, double* y) const;
  void GeneralRowTimes(int i, const double* x, double* y) const;

  std::vector<int> sizes_, offsets_;  // per block; offsets_ has one more entry
  std::vector<Row> rows_;
  std::vector<int> columns_;              // per slot
  std::vector<std::size_t> value_start_;  // per slot
  std::vector<double> values_;
  std::vector<std::pair<int, int>> pairs_, sorted_;  // of the last SetPattern, and its scratch
  bool dense_ = false;                               // the last call was SetDensePattern
};

// Two doubles in one register (SSE2, NEON); GCC and Clang.
using DoublePair = double __attribute__((vector_size(16)));
inline DoublePair LoadPair(const double* p) {
  DoublePair pair;
  __builtin_memcpy(&pair, p, sizeof pair);
  return pair;
}

// y = P x for a column-major 3 x n panel: two columns fill three registers, summed in three independent chains.
inline void PanelTimes3(const double* p, const double* x, int n, double* y) {
  DoublePair a{}, b{},
      c{};  // rows (0, 1) of even columns; row 2 of even and 0 of odd ones; rows (1, 2) of odd ones
  for (; n >= 2; n -= 2, p += 6, x += 2) {
    a += LoadPair(p) * DoublePair{x[0], x[0]};
    b += LoadPair(p + 2) * LoadPair(x);
    c += LoadPair(p + 4) * DoublePair{x[1], x[1]};
  }
  if (n > 0) {
    a += LoadPair(p) * DoublePair{x[0], x[0]};
    b += DoublePair{p[2] * x[0], 0};
  }
  y[0] = a[0] + b[1];
  y[1] = a[1] + c[0];
  y[2] = b[0] + c[1];
}

inline void BlockMatrix::RowTimes(int i, const double* x, double* y) const {
  const Row& row = rows_[static_cast<std::size_t>(i)];
  if (!row.threes) return GeneralRowTimes(i, x, y);
  if (row.first_column < 0) return ScatteredRowTimes3(row, x, y);
  PanelTimes3(block_data(row.begin), x + row.first_column, row.width, y);
}

}  // namespace tread
