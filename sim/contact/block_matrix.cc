#include "sim/contact/block_matrix.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace tread {

void BlockMatrix::SetPattern(std::span<const int> sizes, std::span<const std::pair<int, int>> pairs) {
  sizes_.assign(sizes.begin(), sizes.end());
  offsets_.assign(1, 0);
  for (int s : sizes) offsets_.push_back(offsets_.back() + s);

  // Both triangles and the diagonal, sorted by row, without repetition.
  sorted_.clear();
  for (int i = 0; i < block_count(); ++i) sorted_.emplace_back(i, i);
  for (auto [i, j] : pairs) {
    sorted_.emplace_back(i, j);
    sorted_.emplace_back(j, i);
  }
  std::sort(sorted_.begin(), sorted_.end());
  sorted_.erase(std::unique(sorted_.begin(), sorted_.end()), sorted_.end());

  row_start_.assign(sizes_.size() + 1, 0);
  columns_.clear();
  value_start_.clear();
  std::size_t values = 0;
  for (auto [i, j] : sorted_) {
    columns_.push_back(j);
    value_start_.push_back(values);
    values += static_cast<std::size_t>(size(i) * size(j));
    row_start_[static_cast<std::size_t>(i) + 1] = static_cast<int>(columns_.size());
  }
  values_.assign(values, 0.0);
}

void BlockMatrix::SetDensePattern(std::span<const int> sizes) {
  std::vector<std::pair<int, int>> pairs;
  const int n = static_cast<int>(sizes.size());
  for (int i = 0; i < n; ++i) {
    for (int j = i + 1; j < n; ++j) pairs.emplace_back(i, j);
  }
  SetPattern(sizes, pairs);
}

std::span<const int> BlockMatrix::neighbours(int i) const {
  const auto begin = static_cast<std::size_t>(row_start_[static_cast<std::size_t>(i)]);
  const auto end = static_cast<std::size_t>(row_start_[static_cast<std::size_t>(i) + 1]);
  return {columns_.data() + begin, end - begin};
}

std::size_t BlockMatrix::Find(int i, int j) const {
  const auto row = neighbours(i);
  const auto it = std::lower_bound(row.begin(), row.end(), j);
  if (it == row.end() || *it != j) {
    throw std::out_of_range("block (" + std::to_string(i) + ", " + std::to_string(j) +
                            ") is not in the pattern");
  }
  return static_cast<std::size_t>(row_start_[static_cast<std::size_t>(i)] + (it - row.begin()));
}

Eigen::Map<Eigen::MatrixXd> BlockMatrix::Block(int i, int j) {
  return {values_.data() + value_start_[Find(i, j)], size(i), size(j)};
}

Eigen::Map<const Eigen::MatrixXd> BlockMatrix::Block(int i, int j) const {
  return {values_.data() + value_start_[Find(i, j)], size(i), size(j)};
}

void BlockMatrix::RowTimes(int i, const Eigen::VectorXd& x, double* y) const {
  const int rows = size(i);
  std::fill(y, y + rows, 0.0);
  const auto first = static_cast<std::size_t>(row_start_[static_cast<std::size_t>(i)]);
  const double* value = values_.data() + value_start_[first];
  for (int j : neighbours(i)) {
    const double* xj = x.data() + offset(j);
    for (int k = 0; k < size(j); ++k) {
      for (int r = 0; r < rows; ++r) y[r] += *value++ * xj[k];
    }
  }
}

void BlockMatrix::Times(const Eigen::VectorXd& x, Eigen::VectorXd* y) const {
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
