// The pieces that any simulator of the standing Solo-12 has to compute, by plain calls of Pinocchio and dense algebra: what the
// benchmark of a whole step is measured against.
#pragma once

#include <Eigen/Core>
#include <memory>

namespace tread {

class BarePinocchio {
 public:
  BarePinocchio();
  ~BarePinocchio();
  // Bias forces, mass matrix, Jacobians of the four feet, dense Cholesky factor, G = J M^-1 J' (12 x 12).
  const Eigen::MatrixXd& Compute(const Eigen::VectorXd& q, const Eigen::VectorXd& v);

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace tread
