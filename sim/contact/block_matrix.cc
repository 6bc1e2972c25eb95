#include "sim/contact/block_matrix.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace tread {

bool BlockMatrix::Same(std::span<const int> sizes) const {
  return std::equal(sizes.begin(), sizes.end(), sizes_.begin(), sizes_.end());
}

bool BlockMatrix::SetPattern(std::span<const int> sizes, std::span<const std::pair<int, int>> pairs) {
  if (!dense_ && Same(sizes) && std::equal(pairs.begin(), pairs.end(), pairs_.begin(), pairs_.end()))
    return false;
  const int n = static_cast<int>(sizes.size());
  for (auto [i, j] : pairs) {
    if (i < 0 || j < 0 || i >= n || j >= n) {
      throw std::invalid_argument("pair (" + std::to_string(i) + ", " + std::to_string(j) + ") of " +
                                  std::to_string(n) + " blocks: expected block numbers from 0");
    }
  }
  SetSizes(sizes);
  dense_ = false;
  pairs_.assign(pairs.begin(), pairs.end());

  // Both triangles and the diagonal, sorted by row, without repetition.
  sorted_.clear();
  for (int i = 0; i < n; ++i) sorted_.emplace_back(i, i);
  for (auto [i, j] : pairs) {
    sorted_.emplace_back(i, j);
    sorted_.emplace_back(j, i);
  }
  std::sort(sorted_.begin(), sorted_.end());
  sorted_.erase(std::unique(sorted_.begin(), sorted_.end()), sorted_.end());
  for (auto [i, j] : sorted_) AddSlot(i, j);
  FinishRows();
  return true;
}

bool BlockMatrix::SetDensePattern(std::span<const int> sizes) {
  if (dense_ && Same(sizes)) return false;
  SetSizes(sizes);
  dense_ = true;
  const int n = block_count();
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) AddSlot(i, j);
  }
  FinishRows();
  return true;
}

void BlockMatrix::SetSizes(std::span<const int> sizes) {
  sizes_.assign(sizes.begin(), sizes.end());
  offsets_.assign(1, 0);
  for (int s : sizes) offsets_.push_back(offsets_.back() + s);
  rows_.assign(sizes_.size(), Row{});
  columns_.clear();
  value_start_.clear();
}

void BlockMatrix::AddSlot(int i, int j) {
  columns_.push_back(j);
  rows_[static_cast<std::size_t>(i)].end = static_cast<int>(columns_.size());
}

void BlockMatrix::FinishRows() {
  std::size_t values = 0;
  int slot = 0;
  for (int i = 0; i < block_count(); ++i) {
    Row& row = rows_[static_cast<std::size_t>(i)];
    row.begin = slot;
    row.threes = true;
    for (; slot < row.end; ++slot) {
      const int j = column(slot);
      if (j == i) row.diagonal = slot;
      row.threes = row.threes && size(i) == 3 && size(j) == 3;
      value_start_.push_back(values);
      values += static_cast<std::size_t>(size(i) * size(j));
    }
    // sorted without repetition: contiguous when the count says so
    const int first = column(row.begin), count = row.end - row.begin;
    row.first_column = column(row.end - 1) - first == count - 1 ? offset(first) : -1;
    row.width = 3 * count;
  }
  values_.assign(values, 0.0);
}

void BlockMatrix::Reserve(int blocks, int neighbours) {
  const auto n = static_cast<std::size_t>(blocks), slots = n * static_cast<std::size_t>(neighbours);
  sizes_.reserve(n);
  offsets_.reserve(n + 1);
  rows_.reserve(n);
  columns_.reserve(slots);
  value_start_.reserve(slots);
  values_.reserve(9 * slots);
  pairs_.reserve(slots);
  sorted_.reserve(2 * slots);
}

void BlockMatrix::SetZero() {
  std::fill(values_.begin(), values_.end(), 0.0);
}

std::span<const int> BlockMatrix::neighbours(int i) const {
  return {columns_.data() + row_begin(i), static_cast<std::size_t>(row_end(i) - row_begin(i))};
}

int BlockMatrix::Find(int i, int j) const {
  const auto row = neighbours(i);
  const auto it = std::lower_bound(row.begin(), row.end(), j);
  if (it == row.end() || *it != j) {
    throw std::out_of_range("block (" + std::to_string(i) + ", " + std::to_string(j) +
                            ") is not in the pattern");
  }
  return row_begin(i) + static_cast<int>(it - row.begin());
}

Eigen::Map<Eigen::MatrixXd> BlockMatrix::Block(int i, int j) {
  return {block_data(Find(i, j)), size(i), size(j)};
}

Eigen::Map<const Eigen::MatrixXd> BlockMatrix::Block(int i, int j) const {
  return {block_data(Find(i, j)), size(i), size(j)};
}

// The panel's blocks meet scattered parts of x; otherwise as PanelTimes3.
void BlockMatrix::ScatteredRowTimes3(const Row& row, const double* x, double* y) const {
  DoublePair a{}, b{}, c{}, d{};
  double e = 0;
  const double* p = block_data(row.begin);
  for (int slot = row.begin; slot < row.end; ++slot, p += 9) {
    const double* xj = x + offset(column(slot));
    a += LoadPair(p) * DoublePair{xj[0], xj[0]};
    b += LoadPair(p + 2) * LoadPair(xj);
    c += LoadPair(p + 4) * DoublePair{xj[1], xj[1]};
    d += LoadPair(p + 6) * DoublePair{xj[2], xj[2]};
    e += p[8] * xj[2];
  }
  y[0] = a[0] + b[1] + d[0];
  y[1] = a[1] + c[0] + d[1];
  y[2] = b[0] + c[1] + e;
}

void BlockMatrix::GeneralRowTimes(int i, const double* x, double* y) const {
  const int rows = size(i);
  std::fill(y, y + rows, 0.0);
  const double* value = block_data(row_begin(i));
  for (int j : neighbours(i)) {
    const double* xj = x + offset(j);
    for (int k = 0; k < size(j); ++k) {
      for (int r = 0; r < rows; ++r) y[r] += *value++ * xj[k];
    }
  }
}

void BlockMatrix::Times(const RowVector& x, RowVector* y) const {
  y->resize(rows());
  for (int i = 0; i < block_count(); ++i) RowTimes(i, x, y->data() + offset(i));
}

Eigen::MatrixXd BlockMatrix::ToDense() const {
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(rows(), rows());
  for (int i = 0; i < block_count(); ++i) {
    for (int j : neighbours(i)) dense.block(offset(i), offset(j), size(i), size(j)) = Block(i, j);
  }
  return dense;
}

}  // namespace tread
