// ProxQP solves a QP in two variables whose answer follows by hand.
//
//   minimise  ½ xᵀ H x + gᵀ x   subject to   x₁ + x₂ = 1,  0 ≤ x ≤ 0.7,   H = [4 1; 1 2],  g = (1, 1)
//
// On the line x₂ = 1 − x₁ the cost is 2 x₁² − x₁ + const, so x₁ = 1/4 without bounds; x₂ ≤ 0.7 moves it to x = (0.3, 0.7).
#include <gtest/gtest.h>

#include <proxsuite/proxqp/dense/dense.hpp>

namespace {

TEST(ProxSuite, SolvesTwoVariableQpToClosedForm) {
  const Eigen::Matrix2d H{{4.0, 1.0}, {1.0, 2.0}};
  const Eigen::Vector2d g(1.0, 1.0);
  const Eigen::RowVector2d A(1.0, 1.0);
  const Eigen::Matrix<double, 1, 1> b(1.0);
  const Eigen::Matrix2d C = Eigen::Matrix2d::Identity();
  const Eigen::Vector2d lower = Eigen::Vector2d::Zero();
  const Eigen::Vector2d upper = Eigen::Vector2d::Constant(0.7);

  proxsuite::proxqp::dense::QP<double> qp(2, 1, 2);
  qp.settings.eps_abs = 1e-10;
  qp.init(H, g, A, b, C, lower, upper);
  qp.solve();
  EXPECT_EQ(qp.results.info.status, proxsuite::proxqp::QPSolverOutput::PROXQP_SOLVED);
  // 100 times the residual asked for
  EXPECT_NEAR(qp.results.x(0), 0.3, 1e-8);
  EXPECT_NEAR(qp.results.x(1), 0.7, 1e-8);
}

}  // namespace
