#include "sim/contact/box_qp.h"

#include <algorithm>
#include <cmath>

namespace tread {

void BoxQp::resize(int rows) {
  for (RowVector* v :
       {&low, &high, &step_, &residual_, &direction_, &product_, &diagonal_, &trial_, &trial_sigma_}) {
    v->resize(rows);
  }
  free_.resize(static_cast<std::size_t>(rows));
}

double BoxQp::Solve(const ContactProblem& problem, double tolerance, double reduction, int max_rounds,
                    RowVector* x, RowVector* sigma) {
  int largest_block = 1;
  for (int i = 0; i < problem.block_count(); ++i) {
    const int size = problem.G.size(i), o = problem.G.offset(i);
    largest_block = std::max(largest_block, size);
    for (int r = 0; r < size; ++r) {
      diagonal_[o + r] = problem.G.diagonal_data(i)[r * size + r] + problem.R[o + r];
    }
  }
  row_.resize(static_cast<std::size_t>(largest_block));

  *x = x->cwiseMax(low).cwiseMin(high);
  ComputeSigma(problem, *x, sigma);
  double violation = Violation(*x, *sigma);
  const double enough = std::max(tolerance, reduction * violation);
  for (int round = 0; round < max_rounds && violation > enough; ++round) {
    Sweep(problem, x);
    Sweep(problem, x);
    ComputeSigma(problem, *x, sigma);
    violation = Violation(*x, *sigma);
    if (!(violation > enough)) break;
    if (Descend(problem, 0.1 * enough, *x, *sigma)) Accept(problem, x, sigma);
    violation = Violation(*x, *sigma);
  }
  return violation;
}

void BoxQp::Sweep(const ContactProblem& problem, RowVector* x) {
  for (int i = 0; i < problem.block_count(); ++i) {
    const int size = problem.G.size(i), o = problem.G.offset(i);
    const double* G = problem.G.diagonal_data(i);
    bool product_known = false;  // a block whose rows are all fixed costs nothing
    for (int r = 0; r < size; ++r) {
      const int at = o + r;
      if (low[at] == high[at] || !(diagonal_[at] > 0)) continue;
      if (!product_known) problem.G.RowTimes(i, x->data(), row_.data());
      product_known = true;
      const double old = (*x)[at];
      const double sigma =
          row_[static_cast<std::size_t>(r)] + problem.R[at] * old + problem.g[at] - problem.target[at];
      const double next = std::max(low[at], std::min(high[at], old - sigma / diagonal_[at]));
      (*x)[at] = next;
      for (int s = r + 1; s < size; ++s) row_[static_cast<std::size_t>(s)] += G[r * size + s] * (next - old);
    }
  }
}

double BoxQp::Violation(const RowVector& x, const RowVector& sigma) {
  double largest = 0;
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    free_[static_cast<std::size_t>(i)] = x[i] > low[i] && x[i] < high[i];
    const bool falls = (sigma[i] > 0 && x[i] > low[i]) || (sigma[i] < 0 && x[i] < high[i]);
    if (falls || !std::isfinite(sigma[i])) largest = std::max(std::abs(sigma[i]), largest);
    if (std::isnan(sigma[i])) return sigma[i];
  }
  return largest;
}

void BoxQp::Product(const ContactProblem& problem, const RowVector& p) {
  problem.G.Times(p, &product_);
  product_ += problem.R.cwiseProduct(p);
}

// Conjugate gradients for (G + R) step = -sigma on the free rows. False when there is nothing to gain.
bool BoxQp::Descend(const ContactProblem& problem, double tolerance, const RowVector& x,
                    const RowVector& sigma) {
  const auto free = [this](Eigen::Index i) {
    return free_[static_cast<std::size_t>(i)] != 0 && diagonal_[i] > 0;
  };
  step_.setZero();
  direction_.setZero();
  double size = 0;  // residual' preconditioner residual
  int count = 0;
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    residual_[i] = free(i) ? -sigma[i] : 0;
    if (!free(i)) continue;
    direction_[i] = residual_[i] / diagonal_[i];
    size += residual_[i] * direction_[i];
    ++count;
  }
  bool moved = false;
  for (int k = 0; k < 2 * count && residual_.lpNorm<Eigen::Infinity>() > tolerance; ++k) {
    Product(problem, direction_);
    const double curvature = direction_.dot(product_);
    if (!(curvature > 1e-15 * direction_.cwiseAbs2().dot(diagonal_))) break;  // flat: the null space
    const double length = size / curvature;
    step_ += length * direction_;
    moved = true;
    double next_size = 0;
    for (Eigen::Index i = 0; i < x.size(); ++i) {
      if (!free(i)) continue;
      residual_[i] -= length * product_[i];
      next_size += residual_[i] * residual_[i] / diagonal_[i];
    }
    const double ratio = next_size / size;
    size = next_size;
    for (Eigen::Index i = 0; i < x.size(); ++i) {
      if (free(i)) direction_[i] = residual_[i] / diagonal_[i] + ratio * direction_[i];
    }
  }
  return moved;
}

void BoxQp::Accept(const ContactProblem& problem, RowVector* x, RowVector* sigma) {
  for (double t = 1; t > 1e-3; t *= 0.5) {
    trial_ = (*x + t * step_).cwiseMax(low).cwiseMin(high);
    direction_ = trial_ - *x;
    Product(problem, direction_);
    // the change of the cost, exactly: no cancellation of large costs near the end
    const double change = direction_.dot(*sigma) + 0.5 * direction_.dot(product_);
    if (!(change < 0)) continue;
    *x = trial_;
    *sigma += product_;
    return;
  }
}

}  // namespace tread
