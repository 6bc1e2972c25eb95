// OSQP solves a QP in two variables whose answer follows by hand.
//
//   minimise  ½ xᵀ P x + qᵀ x   subject to   x₁ + x₂ = 1,  0 ≤ x ≤ 0.7,   P = [4 1; 1 2],  q = (1, 1)
//
// On the line x₂ = 1 − x₁ the cost is 2 x₁² − x₁ + const, so x₁ = 1/4 without bounds; x₂ ≤ 0.7 moves it to x = (0.3, 0.7).
#include <gtest/gtest.h>
#include <osqp.h>

#include <memory>

namespace {

TEST(Osqp, SolvesTwoVariableQpToClosedForm) {
  // upper triangle of P and all of A = [1 1; I], column by column
  c_float P_values[] = {4.0, 1.0, 2.0};
  c_int P_rows[] = {0, 0, 1};
  c_int P_columns[] = {0, 1, 3};
  c_float A_values[] = {1.0, 1.0, 1.0, 1.0};
  c_int A_rows[] = {0, 1, 0, 2};
  c_int A_columns[] = {0, 2, 4};
  c_float q[] = {1.0, 1.0};
  c_float lower[] = {1.0, 0.0, 0.0};
  c_float upper[] = {1.0, 0.7, 0.7};

  const std::unique_ptr<csc, void (*)(void*)> P(csc_matrix(2, 2, 3, P_values, P_rows, P_columns), c_free);
  const std::unique_ptr<csc, void (*)(void*)> A(csc_matrix(3, 2, 4, A_values, A_rows, A_columns), c_free);
  OSQPData data{};
  data.n = 2;
  data.m = 3;
  data.P = P.get();
  data.A = A.get();
  data.q = q;
  data.l = lower;
  data.u = upper;

  OSQPSettings settings;
  osqp_set_default_settings(&settings);
  settings.verbose = 0;
  settings.eps_abs = 1e-9;
  settings.eps_rel = 1e-9;
  settings.adaptive_rho_interval = 25;  // the default is chosen by the clock, so that runs would differ

  OSQPWorkspace* workspace = nullptr;
  ASSERT_EQ(osqp_setup(&workspace, &data, &settings), 0);
  ASSERT_EQ(osqp_solve(workspace), 0);
  EXPECT_EQ(workspace->info->status_val, OSQP_SOLVED);
  // 100 times the residual asked for
  EXPECT_NEAR(workspace->solution->x[0], 0.3, 1e-7);
  EXPECT_NEAR(workspace->solution->x[1], 0.7, 1e-7);
  osqp_cleanup(workspace);
}

// tread relies on 32-bit indices and double precision: both are choices of how OSQP was built
TEST(Osqp, IsBuiltWithIntAndDouble) {
  EXPECT_EQ(sizeof(c_int), sizeof(int));
  EXPECT_EQ(sizeof(c_float), sizeof(double));
}

}  // namespace
