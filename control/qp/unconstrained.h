// The shortcut before any QP solver: where the minimum without constraints satisfies them all, it is the answer, exactly.
//
// Most ticks of a calm walk are of this kind, and a Cholesky factor is cheaper than an iterative solver (docs/design.md). Tried again only after a success, or every
// eighth time, so that problems with active constraints rarely pay for it.
#pragma once

#include <Eigen/Cholesky>

#include "control/qp/qp.h"

namespace tread {

class Unconstrained {
 public:
  // True if it solved the problem; the result is then as from a solver with zero iterations, multipliers zero.
  bool Solve(const DenseQp& qp, QpResult* result) {
    if (!worth_it_ && ++skipped_ % 8 != 0) return false;
    factor_.compute(qp.H);
    worth_it_ = false;
    if (factor_.info() != Eigen::Success) return false;
    x_ = -qp.g;
    factor_.solveInPlace(x_);
    if (rows_.size() != qp.C.rows()) rows_.resize(qp.C.rows());
    rows_.noalias() = qp.C * x_;
    constexpr double kSlack = 1e-9;
    if (((rows_ - qp.u).array() > kSlack).any() || ((qp.l - rows_).array() > kSlack).any()) return false;
    worth_it_ = true;
    result->x = x_;
    result->y.setZero(qp.C.rows());
    result->status = QpStatus::kSolved;
    result->iterations = 0;
    result->primal_residual = result->dual_residual = 0;
    return true;
  }

 private:
  Eigen::LLT<Eigen::MatrixXd> factor_;
  Eigen::VectorXd x_, rows_;
  bool worth_it_ = true;
  int skipped_ = 0;
};

}  // namespace tread
