#include "sim/contact/block_cholesky.h"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>

#include "sim/contact/dense_panel.h"

namespace tread {

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

void BlockCholesky::Order(const BlockMatrix& G) {
  const int n = G.block_count();
  block_at_.resize(U(n));
  if (rows_ <= kDenseRows) {
    for (int i = 0; i < n; ++i) block_at_[U(i)] = i;
  } else {
    Eigen::SparseMatrix<double, Eigen::ColMajor, int> graph(n, n);
    std::vector<Eigen::Triplet<double, int>> edges;
    for (int i = 0; i < n; ++i) {
      for (int j : G.neighbours(i)) edges.emplace_back(i, j, 1.0);
    }
    graph.setFromTriplets(edges.begin(), edges.end());
    Eigen::AMDOrdering<int>::PermutationType order;
    Eigen::AMDOrdering<int>()(graph, order);
    for (int p = 0; p < n; ++p) block_at_[U(p)] = order.indices()[p];
  }
  position_of_.resize(U(n));
  start_.assign(1, 0);
  for (int p = 0; p < n; ++p) {
    position_of_[U(block_at_[U(p)])] = p;
    start_.push_back(start_.back() + sizes_[U(block_at_[U(p)])]);
  }
}

void BlockCholesky::AddSupernode(int first, int last, const std::vector<int>& structure) {
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

// structure[p]: positions below p in column p of L. Consecutive columns join when the left one has just the right one in addition.
void BlockCholesky::FindSupernodes(const std::vector<std::vector<int>>& structure,
                                   const std::vector<int>& parent) {
  const int n = static_cast<int>(structure.size());
  for (int first = 0; first < n;) {
    int last = first + 1;
    while (last < n && parent[U(last - 1)] == last &&
           structure[U(last - 1)].size() == structure[U(last)].size() + 1)
      ++last;
    AddSupernode(first, last, structure[U(last - 1)]);
    first = last;
  }
}

void BlockCholesky::Analyse(const BlockMatrix& G) {
  CopyPattern(G);
  Order(G);
  const int n = G.block_count();
  nodes_.clear(), row_blocks_.clear(), row_place_.clear(), values_.clear();
  node_of_.assign(U(n), 0);
  place_.assign(U(n), 0);
  x_.resize(U(rows_));
  if (rows_ <= kDenseRows) {
    AddSupernode(0, n, {});
  } else {
    // A column has the rows of A and those of its children: the columns whose first row below the diagonal it is.
    std::vector<std::vector<int>> structure(U(n)), children(U(n));
    std::vector<int> parent(U(n), -1), seen(U(n), -1);
    for (int p = 0; p < n; ++p) {
      std::vector<int>& below = structure[U(p)];
      const auto add = [&](int q) {
        if (q > p && seen[U(q)] != p) seen[U(q)] = p, below.push_back(q);
      };
      for (int j : G.neighbours(block_at_[U(p)])) add(position_of_[U(j)]);
      for (int c : children[U(p)]) {
        for (int q : structure[U(c)]) add(q);
      }
      std::sort(below.begin(), below.end());
      if (below.empty()) continue;
      parent[U(p)] = below.front();
      children[U(below.front())].push_back(p);
    }
    FindSupernodes(structure, parent);
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
