// Cholesky factors of A = G + diag(d) for a BlockMatrix G, and solutions of A x = b.
//
// Few rows: one dense panel, in the order they come. More: the blocks are put in a fill-reducing order (minimum degree on the
// graph of blocks), columns of L with equal structure form supernodes, and the numeric phase goes left to right over them: A's entries, minus
// what the supernodes on the left contribute, then a dense factorisation of the panel. Blocks may have any size; all arithmetic is
// on dense panels, and a dense matrix is a single one.
//
// The order and the structure are computed when the pattern of G differs from the last one: a few milliseconds for a thousand blocks.
// Memory is taken only when a problem is larger than all before. Cost of a factorisation: the sum over columns of the square of their fill.
// Fails, and says so, when a pivot is not positive: A is singular or indefinite to rounding. Make d large enough that it is not.
// Reference: Davis, Direct Methods for Sparse Linear Systems, 2006.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/contact/block_matrix.h"

namespace tread {

class BlockCholesky {
 public:
  static constexpr int kDenseRows = 60;  // up to here one dense panel

  // False when a pivot is not positive (or not a number); Solve must not be called then. The upper triangle of G by blocks is read.
  bool Factor(const BlockMatrix& G, const RowVector& diagonal);
  // x <- A^-1 x; x has rows() numbers.
  void Solve(double* x);
  void Solve(RowVector* x) { Solve(x->data()); }
  // Column-major A^-1, rows() squared numbers; meant for few rows.
  void Invert(double* inverse);

  int rows() const { return rows_; }
  std::size_t factor_entries() const { return values_.size(); }

 private:
  struct Supernode {
    int first = 0, last = 0;  // its columns are the blocks in positions first .. last - 1
    int begin = 0, end = 0;  // its rows in row_blocks_: positions, rising; the first ones are its own columns
    int height = 0, width = 0;  // of the panel, in numbers
    std::size_t values = 0;     // where the panel starts
  };
  bool SamePattern(const BlockMatrix& G) const;
  void CopyPattern(const BlockMatrix& G);
  void Analyse(const BlockMatrix& G);
  void Order(const BlockMatrix& G);
  void Eliminate(int block);
  int NextBlock() const;
  void SetPositions();
  std::span<int> Column(int p);
  void FindSupernodes();
  void AddSupernode(int first, int last, std::span<const int> structure);
  void FillPanel(const BlockMatrix& G, const RowVector& diagonal, const Supernode& node);
  void Subtract(const Supernode& from, int done, int upto, const Supernode& to);

  void SolveLower(const Supernode& node, double* x);
  void SolveUpper(const Supernode& node, double* x);

  int SizeAt(int position) const { return start_[U(position) + 1] - start_[U(position)]; }
  static std::size_t U(int i) { return static_cast<std::size_t>(i); }

  int rows_ = 0;
  std::vector<int> sizes_, neighbour_end_, neighbours_;  // the pattern that the rest belongs to
  std::vector<int> block_at_, position_of_;              // the order, and its inverse
  std::vector<int> start_;                               // first row of a position, one more at the end
  std::vector<std::uint64_t> graph_;  // of what is left to eliminate: a row of bits per block, words_ long
  std::size_t words_ = 0;
  std::vector<int> degree_;
  std::vector<int> structure_, structure_end_;  // rows below the diagonal of each column of L
  std::vector<Supernode> nodes_;
  std::vector<int> node_of_;     // per position
  std::vector<int> row_blocks_;  // of all supernodes
  std::vector<int> row_place_;   // per entry of row_blocks_: its first row in the panel
  std::vector<double> values_, update_, x_, below_;
  std::vector<int> place_;                    // per position: row in the panel at work
  std::vector<int> list_head_, next_, done_;  // supernodes that still contribute, by the next one they reach
};

}  // namespace tread
