#include "sim/contact/block_cholesky.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "sim/contact/dense_panel.h"

namespace tread {
namespace {

constexpr int kGone = 1 << 30;  // degree of a block that is eliminated

}  // namespace

bool BlockCholesky::SamePattern(const BlockMatrix& G) const {
  if (G.rows() != rows_ || G.block_count() != static_cast<int>(sizes_.size())) return false;
  const bool dense = rows_ <= kDenseRows;
  for (int i = 0; i < G.block_count(); ++i) {
    if (G.size(i) != sizes_[U(i)]) return false;
    if (dense) continue;
    if (G.row_end(i) != neighbour_end_[U(i)]) return false;
    const auto row = G.neighbours(i);
    if (!std::equal(row.begin(), row.end(), neighbours_.begin() + G.row_begin(i))) return false;
  }
  return true;
}

void BlockCholesky::CopyPattern(const BlockMatrix& G) {
  rows_ = G.rows();
  sizes_.clear(), neighbour_end_.clear(), neighbours_.clear();
  for (int i = 0; i < G.block_count(); ++i) {
    sizes_.push_back(G.size(i));
    if (rows_ <= kDenseRows) continue;
    neighbour_end_.push_back(G.row_end(i));
    for (int j : G.neighbours(i)) neighbours_.push_back(j);
  }
}

// Removes `block` from the graph of what is left: its neighbours, the structure of its column, become a clique.
void BlockCholesky::Eliminate(int block) {
  const std::uint64_t* row = graph_.data() + U(block) * words_;
  const std::size_t begin = structure_.size();
  for (std::size_t w = 0; w < words_; ++w) {
    for (std::uint64_t bits = row[w]; bits != 0; bits &= bits - 1)
      structure_.push_back(static_cast<int>(64 * w) + std::countr_zero(bits));
  }
  for (std::size_t k = begin; k < structure_.size(); ++k) {
    const int q = structure_[k];
    std::uint64_t* other = graph_.data() + U(q) * words_;
    int degree = 0;
    for (std::size_t w = 0; w < words_; ++w) other[w] |= row[w];
    other[block / 64] &= ~(std::uint64_t{1} << (block % 64));
    other[q / 64] &= ~(std::uint64_t{1} << (q % 64));
    for (std::size_t w = 0; w < words_; ++w) degree += std::popcount(other[w]);
    degree_[U(q)] = degree;
  }
  degree_[U(block)] = kGone;
  block_at_.push_back(block);
  structure_end_.push_back(static_cast<int>(structure_.size()));
}

// The last one's neighbour that has no others than they share comes next: same structure, hence same supernode. Else the least degree.
int BlockCholesky::NextBlock() const {
  const std::size_t done = block_at_.size();
  const int end = done > 0 ? structure_end_[done - 1] : 0, begin = done > 1 ? structure_end_[done - 2] : 0;
  for (int k = begin; k < end; ++k) {
    if (degree_[U(structure_[U(k)])] == end - begin - 1) return structure_[U(k)];
  }
  return static_cast<int>(std::min_element(degree_.begin(), degree_.end()) - degree_.begin());
}

// Minimum degree, exact, on a graph kept as one row of bits per block; structure_ then names positions, sorted.
void BlockCholesky::Order(const BlockMatrix& G) {
  const int n = G.block_count();
  block_at_.clear(), structure_.clear(), structure_end_.clear();
  words_ = (U(n) + 63) / 64;
  graph_.assign(U(n) * words_, 0);
  degree_.resize(U(n));
  for (int i = 0; i < n; ++i) {
    for (int j : G.neighbours(i)) {
      if (j != i) graph_[U(i) * words_ + U(j / 64)] |= std::uint64_t{1} << (j % 64);
    }
    degree_[U(i)] = static_cast<int>(G.neighbours(i).size()) - 1;
  }
  for (int p = 0; p < n; ++p) Eliminate(NextBlock());
  SetPositions();
  for (int& b : structure_) b = position_of_[U(b)];
  for (int p = 0; p < n; ++p) {
    const auto column = Column(p);
    std::sort(column.begin(), column.end());
  }
}

void BlockCholesky::SetPositions() {
  const int n = static_cast<int>(sizes_.size());
  position_of_.resize(U(n));
  start_.assign(1, 0);
  for (int p = 0; p < n; ++p) {
    position_of_[U(block_at_[U(p)])] = p;
    start_.push_back(start_.back() + sizes_[U(block_at_[U(p)])]);
  }
}

std::span<int> BlockCholesky::Column(int p) {
  const int begin = p > 0 ? structure_end_[U(p - 1)] : 0;
  return {structure_.data() + begin, U(structure_end_[U(p)] - begin)};
}

void BlockCholesky::AddSupernode(int first, int last, std::span<const int> structure) {
  Supernode node{first, last, static_cast<int>(row_blocks_.size()), 0, 0, 0, values_.size()};
  const auto add = [&](int position) {
    row_blocks_.push_back(position);
    row_place_.push_back(node.height);
    node.height += SizeAt(position);
  };
  for (int p = first; p < last; ++p) add(p);
  node.width = node.height;
  for (int p : structure) add(p);
  node.end = static_cast<int>(row_blocks_.size());
  for (int p = first; p < last; ++p) node_of_[U(p)] = static_cast<int>(nodes_.size());
  values_.resize(values_.size() + U(node.height) * U(node.width));
  nodes_.push_back(node);
}

// Consecutive columns join when the left one has just the right one in addition.
void BlockCholesky::FindSupernodes() {
  const int n = static_cast<int>(sizes_.size());
  for (int first = 0; first < n;) {
    int last = first + 1;
    for (; last < n; ++last) {
      const auto left = Column(last - 1);
      if (left.empty() || left.front() != last || left.size() != Column(last).size() + 1) break;
    }
    AddSupernode(first, last, Column(last - 1));
    first = last;
  }
}

void BlockCholesky::Analyse(const BlockMatrix& G) {
  CopyPattern(G);
  const int n = G.block_count();
  nodes_.clear(), row_blocks_.clear(), row_place_.clear(), values_.clear();
  node_of_.assign(U(n), 0);
  place_.assign(U(n), 0);
  x_.resize(U(rows_));
  if (rows_ <= kDenseRows) {
    block_at_.resize(U(n));
    std::iota(block_at_.begin(), block_at_.end(), 0);
    SetPositions();
    AddSupernode(0, n, {});
  } else {
    Order(G);
    FindSupernodes();
  }
  list_head_.resize(nodes_.size()), next_.resize(nodes_.size()), done_.resize(nodes_.size());
  // the largest contribution is as high and as wide as the rows below a supernode
  std::size_t most = 0;
  for (const Supernode& node : nodes_) most = std::max(most, U(node.height - node.width));
  below_.resize(most);
  update_.resize(most * most);
}

// A's entries at and below the diagonal, by blocks; zero elsewhere.
void BlockCholesky::FillPanel(const BlockMatrix& G, const RowVector& diagonal, const Supernode& node) {
  double* panel = values_.data() + node.values;
  std::fill(panel, panel + U(node.height) * U(node.width), 0.0);
  for (int r = node.begin; r < node.end; ++r) place_[U(row_blocks_[U(r)])] = row_place_[U(r)];
  for (int p = node.first; p < node.last; ++p) {
    const int b = block_at_[U(p)], size = G.size(b);
    double* columns = panel + static_cast<std::ptrdiff_t>(place_[U(p)]) * node.height;
    for (int slot = G.row_begin(b); slot < G.row_end(b); ++slot) {
      const int q = position_of_[U(G.column(slot))];
      if (q < p) continue;
      const double* value = G.block_data(slot);  // the transpose of what is wanted
      double* to = columns + place_[U(q)];
      for (int c = 0; c < G.size(G.column(slot)); ++c) {
        for (int r = 0; r < size; ++r) to[c + r * node.height] = *value++;
      }
    }
    for (int r = 0; r < size; ++r) columns[place_[U(p)] + r + r * node.height] += diagonal[G.offset(b) + r];
  }
}

// to -= L_below L_rows', where the rows of `from` numbered done .. upto - 1 are columns of `to`.
void BlockCholesky::Subtract(const Supernode& from, int done, int upto, const Supernode& to) {
  const int top = row_place_[U(done)];
  const int m = from.height - top;
  const int n = (upto < from.end ? row_place_[U(upto)] : from.height) - top;
  const double* L = values_.data() + from.values + top;
  std::fill(update_.begin(), update_.begin() + static_cast<std::ptrdiff_t>(m) * n, 0.0);
  SubtractProduct(m, n, from.width, L, from.height, L, from.height, update_.data(), m, true);
  double* panel = values_.data() + to.values;
  for (int c = done; c < upto; ++c) {
    const int column = row_place_[U(c)] - top;
    for (int k = 0; k < SizeAt(row_blocks_[U(c)]); ++k) {
      double* target = panel + static_cast<std::ptrdiff_t>(place_[U(row_blocks_[U(c)])] + k) * to.height;
      const double* source = update_.data() + static_cast<std::ptrdiff_t>(column + k) * m;
      for (int r = c; r < from.end; ++r) {
        const int p = row_blocks_[U(r)], at = row_place_[U(r)] - top;
        for (int i = 0; i < SizeAt(p); ++i) target[place_[U(p)] + i] += source[at + i];
      }
    }
  }
}

bool BlockCholesky::Factor(const BlockMatrix& G, const RowVector& diagonal) {
  if (!SamePattern(G)) Analyse(G);
  std::fill(list_head_.begin(), list_head_.end(), -1);
  for (int s = 0; s < static_cast<int>(nodes_.size()); ++s) {
    const Supernode& node = nodes_[U(s)];
    FillPanel(G, diagonal, node);
    // every supernode on the list reaches this one; afterwards it moves to the list of the next that it reaches
    for (int from = list_head_[U(s)]; from >= 0;) {
      const int following = next_[U(from)];
      const Supernode& left = nodes_[U(from)];
      int upto = done_[U(from)];
      while (upto < left.end && row_blocks_[U(upto)] < node.last) ++upto;
      Subtract(left, done_[U(from)], upto, node);
      done_[U(from)] = upto;
      if (upto < left.end) {
        int& head = list_head_[U(node_of_[U(row_blocks_[U(upto)])])];
        next_[U(from)] = head, head = from;
      }
      from = following;
    }
    if (!FactorPanel(values_.data() + node.values, node.height, node.width)) return false;
    done_[U(s)] = node.begin + node.last - node.first;
    if (done_[U(s)] < node.end) {
      int& head = list_head_[U(node_of_[U(row_blocks_[U(done_[U(s)])])])];
      next_[U(s)] = head, head = s;
    }
  }
  return true;
}

void BlockCholesky::Solve(double* x) {
  if (nodes_.size() == 1) {  // in the order it came
    SolveLower(nodes_[0], x);
    SolveUpper(nodes_[0], x);
    return;
  }
  int from = 0;
  for (std::size_t b = 0; b < sizes_.size(); from += sizes_[b++])
    std::copy(x + from, x + from + sizes_[b], x_.begin() + start_[U(position_of_[b])]);
  for (const Supernode& node : nodes_) SolveLower(node, x_.data());
  for (std::size_t s = nodes_.size(); s-- > 0;) SolveUpper(nodes_[s], x_.data());
  int to = 0;
  for (std::size_t b = 0; b < sizes_.size(); to += sizes_[b++]) {
    const auto at = x_.begin() + start_[U(position_of_[b])];
    std::copy(at, at + sizes_[b], x + to);
  }
}

void BlockCholesky::SolveLower(const Supernode& node, double* x) {
  const double* L = values_.data() + node.values;
  double* own = x + start_[U(node.first)];
  const int below = node.height - node.width;
  std::fill(below_.begin(), below_.begin() + below, 0.0);
  for (int j = 0; j < node.width; ++j, L += node.height) {
    const double xj = own[j] *= L[j];
    for (int i = j + 1; i < node.width; ++i) own[i] -= L[i] * xj;
    const double* l = L + node.width;
    for (int i = 0; i < below; ++i) below_[U(i)] += l[i] * xj;
  }
  const double* sum = below_.data();
  for (int r = node.begin + node.last - node.first; r < node.end; ++r) {
    double* to = x + start_[U(row_blocks_[U(r)])];
    for (int i = 0; i < SizeAt(row_blocks_[U(r)]); ++i) to[i] -= *sum++;
  }
}

void BlockCholesky::SolveUpper(const Supernode& node, double* x) {
  double* own = x + start_[U(node.first)];
  double* gathered = below_.data();
  for (int r = node.begin + node.last - node.first; r < node.end; ++r) {
    const double* from = x + start_[U(row_blocks_[U(r)])];
    for (int i = 0; i < SizeAt(row_blocks_[U(r)]); ++i) *gathered++ = from[i];
  }
  const double* L = values_.data() + node.values + U(node.width) * U(node.height);
  for (int j = node.width - 1; j >= 0; --j) {
    L -= node.height;
    double sum = own[j];
    for (int i = j + 1; i < node.width; ++i) sum -= L[i] * own[i];
    for (int i = node.width; i < node.height; ++i) sum -= L[i] * below_[U(i - node.width)];
    own[j] = sum * L[j];
  }
}

void BlockCholesky::Invert(double* inverse) {
  std::fill(inverse, inverse + U(rows_) * U(rows_), 0.0);
  for (int j = 0; j < rows_; ++j) {
    inverse[j + static_cast<std::ptrdiff_t>(j) * rows_] = 1;
    Solve(inverse + static_cast<std::ptrdiff_t>(j) * rows_);
  }
}

}  // namespace tread
