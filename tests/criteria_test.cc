#include "sim/contact/criteria.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace tread {
namespace {

using Eigen::Vector3d;

constexpr ContactLaw kLaws[] = {ContactLaw::kNcp, ContactLaw::kCcp, ContactLaw::kLcp, ContactLaw::kRaisim};

double Worst(ContactLaw law, double mu, const Vector3d& lambda, const Vector3d& sigma) {
  const BlockCriteria c = JudgeContact(law, mu, lambda, sigma);
  return std::max({c.eps_p, c.eps_d, c.eps_c});
}

TEST(Judge, AcceptsSeparationAndStictionUnderEveryLaw) {
  for (ContactLaw law : kLaws) {
    EXPECT_EQ(Worst(law, 0.5, {0, 0, 0}, {0, 0, 3}), 0) << Name(law);
    EXPECT_EQ(Worst(law, 0.5, {0.3, -0.1, 1}, {0, 0, 0}), 0) << Name(law);
    EXPECT_EQ(Worst(law, 0.0, {0, 0, 2}, {0, 0, 0}), 0) << Name(law);
  }
}

TEST(Judge, SlidingAlongTheGroundIsExactForNcpAndRaisimButNotForCcp) {
  const Vector3d lambda(-0.5, 0, 1), sigma(2, 0, 0);
  EXPECT_NEAR(Worst(ContactLaw::kNcp, 0.5, lambda, sigma), 0, 1e-15);
  EXPECT_NEAR(Worst(ContactLaw::kRaisim, 0.5, lambda, sigma), 0, 1e-15);
  EXPECT_GT(Worst(ContactLaw::kCcp, 0.5, lambda, sigma), 0.5);
  // the convex law takes off with sigma_n = mu |sigma_T|
  EXPECT_NEAR(Worst(ContactLaw::kCcp, 0.5, lambda, {2, 0, 1}), 0, 1e-15);
}

TEST(Judge, SquareCornerSatisfiesLcpAndLeavesTheRoundCone) {
  const Vector3d lambda(-0.5, -0.5, 1), sigma(1, 3, 0);
  EXPECT_NEAR(Worst(ContactLaw::kLcp, 0.5, lambda, sigma), 0, 1e-15);
  EXPECT_NEAR(JudgeContact(ContactLaw::kNcp, 0.5, lambda, sigma).eps_p,
              (std::sqrt(0.5) - 0.5) / std::sqrt(1.25), 1e-15);
}

TEST(Judge, MeasuresEachViolationInItsOwnUnit) {
  EXPECT_DOUBLE_EQ(JudgeContact(ContactLaw::kNcp, 0.5, {0, 0, -2}, {0, 0, 0}).eps_p, 2);
  EXPECT_DOUBLE_EQ(JudgeContact(ContactLaw::kNcp, 0.5, {0, 0, 0}, {0, 0, -3}).eps_d, 3);
  EXPECT_DOUBLE_EQ(JudgeContact(ContactLaw::kNcp, 0.5, {0, 0, 2}, {0, 0, 3}).eps_c, 6);
  // friction that pushes along the slip
  EXPECT_DOUBLE_EQ(JudgeContact(ContactLaw::kNcp, 0.5, {0.5, 0, 1}, {2, 0, 0}).eps_c, 2);
}

TEST(Projection, IsTheNearestPointOfTheCone) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  for (int k = 0; k < 300; ++k) {
    const Vector3d x(normal(random), normal(random), normal(random));
    for (double mu : {0.0, 0.3, 1.0, 3.0}) {
      const Vector3d round = ProjectCircularCone(mu, x), square = ProjectSquareCone(mu, x);
      EXPECT_LE(round.head<2>().norm(), mu * round.z() + 1e-12);
      EXPECT_LE(square.head<2>().lpNorm<Eigen::Infinity>(), mu * square.z() + 1e-12);
      // Moreau: the residual is in the polar cone and orthogonal to the projection
      EXPECT_NEAR(round.dot(x - round), 0, 1e-12);
      EXPECT_NEAR(square.dot(x - square), 0, 1e-12);
      const Vector3d d = x - round, e = x - square;
      EXPECT_LE(mu * d.head<2>().norm() + d.z(), 1e-12);
      EXPECT_LE(mu * e.head<2>().lpNorm<1>() + e.z(), 1e-12);
    }
  }
}

}  // namespace
}  // namespace tread
