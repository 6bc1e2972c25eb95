#include "sim/contact/lemke.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tread {
namespace {

constexpr double kPivot = 1e-10;     // smaller coefficients count as zero
constexpr double kTie = 1e-12;       // ratios that differ by less count as equal
constexpr double kNegative = 1e-14;  // of q: smaller ones need no force

}  // namespace

void Lemke::Resize(int n) {
  n_ = n;
  M_.assign(Index(n) * Index(n), 0);
  table_.resize(Index(n) * Index(n + 1));
  factor_.resize(Index(n) * Index(n + 1));
  for (std::vector<double>* v : {&q_, &constant_}) v->assign(Index(n), 0);
  basic_.resize(Index(n));
  chosen_.resize(Index(n));
  nonbasic_.resize(Index(n + 1));
  position_.resize(Index(2 * n + 1));
  free_.assign(Index(n), 0);
}

Lemke::State Lemke::Begin() {
  for (int i = 0; i < n_; ++i) {
    std::copy_n(M_.data() + Index(i) * Index(n_), n_, Row(i));
    Row(i)[n_] = free_[Index(i)] ? 0 : 1;
    constant_[Index(i)] = q_[Index(i)];
    basic_[Index(i)] = i, position_[Index(i)] = i;
    nonbasic_[Index(i)] = n_ + i, position_[Index(n_ + i)] = -1 - i;
  }
  nonbasic_[Index(n_)] = 2 * n_, position_[Index(2 * n_)] = -1 - n_;
  EliminateFree();
  int worst = -1;
  for (int i = 0; i < n_; ++i) {
    if (free_[Index(i)] || constant_[Index(i)] >= -kNegative) continue;
    if (worst < 0 || constant_[Index(i)] <= constant_[Index(worst)])
      worst = i;  // of equals the last: lexicographic
  }
  if (worst < 0) return State::kSolved;
  // Eliminating the free pairs changed the coefficients of z0; 1 in every row that can be negative keeps it a covering vector.
  for (int i = 0; i < n_; ++i) Row(i)[n_] = free_[Index(i)] ? 0 : 1;
  const int leaves = basic_[Index(worst)];
  Exchange(worst, n_);
  entering_ = n_ + leaves;
  return State::kRunning;
}

void Lemke::EliminateFree() {
  for (;;) {
    int best = -1;
    for (int i = 0; i < n_; ++i) {
      if (!free_[Index(i)] || basic_[Index(i)] != i) continue;
      if (best < 0 || Row(i)[i] > Row(best)[best]) best = i;
    }
    if (best < 0 || Row(best)[best] < kPivot) return;
    Exchange(best, best);
  }
}

Lemke::State Lemke::Pivot() {
  const int column = -1 - position_[Index(entering_)];
  const int row = Leaving(column);
  if (row < 0) return State::kRay;
  const int leaves = basic_[Index(row)];
  Exchange(row, column);
  if (leaves == 2 * n_) return State::kSolved;
  entering_ = leaves < n_ ? leaves + n_ : leaves - n_;
  return State::kRunning;
}

// The row whose variable reaches 0 first as the entering one grows; z0 before others, then the lexicographic order. -1: none.
int Lemke::Leaving(int column) const {
  double smallest = HUGE_VAL;
  for (int i = 0; i < n_; ++i) {
    const double a = Row(i)[column];
    if (a < -kPivot && !free_[Index(i)])
      smallest = std::min(smallest, std::max(0.0, constant_[Index(i)]) / -a);
  }
  if (smallest == HUGE_VAL) return -1;
  int best = -1;
  for (int i = 0; i < n_; ++i) {
    const double a = Row(i)[column];
    if (!(a < -kPivot) || free_[Index(i)]) continue;
    if (std::max(0.0, constant_[Index(i)]) / -a > smallest + kTie * (1 + smallest)) continue;
    if (basic_[Index(i)] == 2 * n_) return i;
    if (best < 0 || LexicographicallyLess(i, best, column)) best = i;
  }
  return best;
}

// q is thought of as q_j + e^(j + 1), e small: the constant of row i then has e^(j + 1) times 1 where it is w_j's own row, times minus the
// coefficient of w_j where w_j is nonbasic.
bool Lemke::LexicographicallyLess(int a, int b, int column) const {
  const double scale_a = -1 / Row(a)[column], scale_b = -1 / Row(b)[column];
  for (int j = 0; j < n_; ++j) {
    const int p = position_[Index(j)];
    if (free_[Index(j)] || (p >= 0 && p != a && p != b)) continue;
    const double of_a = p >= 0 ? (p == a ? 1.0 : 0.0) : -Row(a)[-1 - p];
    const double of_b = p >= 0 ? (p == b ? 1.0 : 0.0) : -Row(b)[-1 - p];
    const double difference = of_a * scale_a - of_b * scale_b;
    if (std::abs(difference) > kPivot) return difference < 0;
  }
  return false;
}

void Lemke::Exchange(int row, int column) {
  double* pivot_row = Row(row);
  const double inverse = 1 / pivot_row[column];
  for (int j = 0; j <= n_; ++j) pivot_row[j] *= -inverse;
  pivot_row[column] = inverse;
  constant_[Index(row)] *= -inverse;
  for (int i = 0; i < n_; ++i) {
    double* at = Row(i);
    const double f = at[column];
    if (i == row || f == 0) continue;
    at[column] = 0;
    for (int j = 0; j <= n_; ++j) at[j] += f * pivot_row[j];
    constant_[Index(i)] += f * constant_[Index(row)];
  }
  std::swap(basic_[Index(row)], nonbasic_[Index(column)]);
  position_[Index(basic_[Index(row)])] = row;
  position_[Index(nonbasic_[Index(column)])] = -1 - column;
}

bool Lemke::SolveBasis(const std::vector<char>& basic, std::vector<double>* z) {
  int m = 0;
  for (int i = 0; i < n_; ++i) {
    if (basic[Index(i)]) chosen_[Index(m++)] = i;
  }
  const auto at = [this, m](int i, int j) -> double& { return factor_[Index(i) * Index(m + 1) + Index(j)]; };
  for (int i = 0; i < m; ++i) {
    const double* source = M_.data() + Index(chosen_[Index(i)]) * Index(n_);
    for (int j = 0; j < m; ++j) at(i, j) = source[chosen_[Index(j)]];
    at(i, m) = -q_[Index(chosen_[Index(i)])];
  }
  for (int k = 0; k < m; ++k) {
    int pivot = k;
    for (int i = k + 1; i < m; ++i) {
      if (std::abs(at(i, k)) > std::abs(at(pivot, k))) pivot = i;
    }
    if (!(std::abs(at(pivot, k)) > 1e-13)) return false;
    if (pivot != k) std::swap_ranges(&at(k, k), &at(k, m) + 1, &at(pivot, k));
    for (int i = k + 1; i < m; ++i) {
      const double f = at(i, k) / at(k, k);
      if (f == 0) continue;
      for (int j = k + 1; j <= m; ++j) at(i, j) -= f * at(k, j);
    }
  }
  z->assign(Index(n_), 0);
  for (int k = m - 1; k >= 0; --k) {
    double sum = at(k, m);
    for (int j = k + 1; j < m; ++j) sum -= at(k, j) * (*z)[Index(chosen_[Index(j)])];
    (*z)[Index(chosen_[Index(k)])] = sum / at(k, k);
  }
  return true;
}

}  // namespace tread
