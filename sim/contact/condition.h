// The condition number of a Delassus matrix, lambda_max(G) / lambda_min(G): how far rows of one contact problem are from depending on
// each other.
//
// Exact up to rounding, by the eigenvalues of the dense matrix; a few microseconds for two feet, so a log may ask once per tick. Over all rows, those of
// joint limits included. 1 without rows; infinity where G is singular to working precision, as it is where contacts are redundant;
// NaN, not computed, for regular problems of more than kMostRows rows, where eigenvalues would cost more than the step.
#pragma once

#include <Eigen/Eigenvalues>

#include "sim/contact/contact_problem.h"

namespace tread {

class ConditionNumber {
 public:
  static constexpr int kMostRows = 36;

  // dofs: of the scene; the rank of G = J M^-1 J' is not larger. Does not allocate.
  double Compute(const BlockMatrix& G, int dofs);

 private:
  using Dense = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, kMostRows, kMostRows>;
  Dense dense_;
  Eigen::SelfAdjointEigenSolver<Dense> eigen_;
};

}  // namespace tread
