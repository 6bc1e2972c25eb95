// Lemke's complementary pivoting on w = M z + q, w, z >= 0, w_i z_i = 0, with free pairs (w_i = 0, z_i of any sign).
//
// The dictionary keeps every basic variable as a constant plus a row of coefficients of the nonbasic ones; one pivot is one rank-one update,
// n^2 operations. Free pairs are pivoted first, largest diagonal first; a pair that depends on the others keeps z_i = 0. Then the artificial
// variable z0, with covering vector 1, enters and the complement of whatever left follows, until z0 leaves. Ties of the ratio test are broken
// lexicographically, so that degenerate problems (every contact problem) do not cycle in exact arithmetic. M is expected to be
// scaled to a diagonal near 1, for the tolerances are absolute.
// Reference: Cottle, Pang, Stone, The Linear Complementarity Problem, 1992, section 4.4.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace tread {

class Lemke {
 public:
  enum class State { kRunning, kSolved, kRay };

  // Sets n, and M and q to zero; no allocation while n does not grow.
  void Resize(int n);
  double& M(int i, int j) { return M_[Index(i) * Index(n_) + Index(j)]; }
  double& q(int i) { return q_[Index(i)]; }
  void set_free(int i) { free_[Index(i)] = 1; }
  int size() const { return n_; }

  // Sets up the dictionary: kSolved when q alone is a solution.
  State Begin();
  // One pivot.
  State Pivot();
  // z of the dictionary as it is.
  double z(int i) const {
    return position_[Index(n_ + i)] < 0 ? 0 : constant_[Index(position_[Index(n_ + i)])];
  }
  bool IsBasic(int i) const { return position_[Index(n_ + i)] >= 0; }

  // z_B from M_BB z_B = -q_B, the rest 0: the original numbers, free of what pivoting added to them. False when singular.
  bool SolveBasis(const std::vector<char>& basic, std::vector<double>* z);

 private:
  static std::size_t Index(int i) { return static_cast<std::size_t>(i); }
  double* Row(int i) { return table_.data() + Index(i) * Index(n_ + 1); }
  const double* Row(int i) const { return table_.data() + Index(i) * Index(n_ + 1); }
  void Exchange(int row, int column);
  void EliminateFree();
  int Leaving(int column) const;
  bool LexicographicallyLess(int a, int b, int column) const;

  // Variables: w_i is i, z_i is n + i, z0 is 2 n. position_ >= 0: basic in that row; else nonbasic in column -1 - position_.
  int n_ = 0, entering_ = 0;
  std::vector<double> M_, q_, table_, constant_, factor_;
  std::vector<int> basic_, nonbasic_, position_, chosen_;
  std::vector<char> free_;
};

}  // namespace tread
