// NLopt, without gradients, finds the point of a disc that is nearest to a point outside of it.
//
//   minimise  (x − 3)² + (y − 4)²   subject to   x² + y² ≤ 1   ⇒   (x, y) = (3, 4)/5
#include <gtest/gtest.h>

#include <nlopt.hpp>

namespace {

double SquaredDistance(const std::vector<double>& x, std::vector<double>&, void*) {
  return (x[0] - 3.0) * (x[0] - 3.0) + (x[1] - 4.0) * (x[1] - 4.0);
}

double OutsideDisc(const std::vector<double>& x, std::vector<double>&, void*) {
  return x[0] * x[0] + x[1] * x[1] - 1.0;
}

TEST(Nlopt, FindsNearestPointOfDisc) {
  nlopt::opt search(nlopt::LN_COBYLA, 2);
  search.set_min_objective(SquaredDistance, nullptr);
  search.add_inequality_constraint(OutsideDisc, nullptr, 1e-10);
  search.set_xtol_rel(1e-10);
  search.set_maxeval(10000);

  std::vector<double> x{0.0, 0.0};
  double value = 0.0;
  EXPECT_GT(search.optimize(x, value), 0);
  // COBYLA's accuracy is about the square root of its step tolerance along the boundary
  EXPECT_NEAR(x[0], 0.6, 1e-5);
  EXPECT_NEAR(x[1], 0.8, 1e-5);
  EXPECT_NEAR(value, 16.0, 1e-5);
}

}  // namespace
