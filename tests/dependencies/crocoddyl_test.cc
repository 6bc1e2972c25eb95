// Crocoddyl's FDDP solves a linear-quadratic problem of one step, whose answer follows by hand.
//
//   minimise  ½ (x₀² + u²) + ½ x₁²   with   x₁ = x₀ + u   ⇒   u = −x₀/2
#include <gtest/gtest.h>

#include <crocoddyl/core/actions/lqr.hpp>
#include <crocoddyl/core/optctrl/shooting.hpp>
#include <crocoddyl/core/solvers/fddp.hpp>

namespace {

TEST(Crocoddyl, SolvesOneStepLqrToClosedForm) {
  const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(1, 1);
  const Eigen::MatrixXd zero = Eigen::MatrixXd::Zero(1, 1);
  // A, B, Q, R, N of x' = A x + B u and ½ (xᵀ Q x + uᵀ R u) + xᵀ N u
  const auto model = std::make_shared<crocoddyl::ActionModelLQR>(one, one, one, one, zero);

  const Eigen::VectorXd x0 = Eigen::VectorXd::Constant(1, 2.0);
  const auto problem = std::make_shared<crocoddyl::ShootingProblem>(
      x0, std::vector<std::shared_ptr<crocoddyl::ActionModelAbstract>>{model}, model);
  crocoddyl::SolverFDDP solver(problem);
  EXPECT_TRUE(solver.solve());
  // linear-quadratic: one Newton step is exact up to the solver's regularisation of 1e-9
  EXPECT_NEAR(solver.get_us()[0](0), -1.0, 1e-6);
  EXPECT_NEAR(solver.get_xs()[1](0), 1.0, 1e-6);
}

}  // namespace
