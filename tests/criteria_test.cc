#include "sim/contact/criteria.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
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

// Four corners of a box of 2 kg, 0.4 m x 0.2 m x 0.1 m, on the ground: rows t1 = x, t2 = y, n = z of the contact points.
struct BoxOnCorners {
  Eigen::Matrix<double, 12, 6> J;
  ContactProblem problem;
  BoxOnCorners() {
    const double m = 2, x = 0.2, y = 0.1, z = 0.05;
    for (int i = 0; i < 4; ++i) {
      const Vector3d p(i % 2 == 0 ? x : -x, i < 2 ? y : -y, -z);
      J.block<3, 3>(3 * i, 0).setIdentity();
      J.block<3, 3>(3 * i, 3) << 0, p.z(), -p.y(), -p.z(), 0, p.x(), p.y(), -p.x(), 0;
    }
    Eigen::Matrix<double, 6, 1> inverse_mass;
    inverse_mass << 1 / m, 1 / m, 1 / m, 3 / (m * (y * y + z * z)), 3 / (m * (x * x + z * z)),
        3 / (m * (x * x + y * y));
    const Eigen::MatrixXd G = J * inverse_mass.asDiagonal() * J.transpose();
    const int sizes[] = {3, 3, 3, 3};
    problem.G.SetDensePattern(sizes);
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 4; ++j) problem.G.Block(i, j) = G.block<3, 3>(3 * i, 3 * j);
    }
    problem.types.assign(4, BlockType::kCoulomb);
    problem.g = Vector3d(0, 0, -9.81).replicate(4, 1);
    problem.target = problem.R = Eigen::VectorXd::Zero(12);
    problem.mu = Eigen::VectorXd::Constant(4, 0.5);
  }
};

TEST(InternalForce, SeesASqueezeBetweenTwoCornersAndNoForceThatCarriesAWrench) {
  const BoxOnCorners box;
  Eigen::VectorXd weight = Vector3d(0, 0, 2 * 9.81 / 4).replicate(4, 1);
  EXPECT_NEAR(InternalForce(box.problem, weight), 0, 1e-12);
  Eigen::Matrix<double, 6, 1> twist;
  twist << 1, -2, 3, 4, 5, -6;
  EXPECT_NEAR(InternalForce(box.problem, box.J * twist), 0, 1e-10);  // orthogonal to the null space of J'
  // corners 0 and 1 along x, then 0 and 3 along their diagonal
  Eigen::VectorXd squeeze = Eigen::VectorXd::Zero(12);
  squeeze[0] = 3, squeeze[3] = -3;
  EXPECT_NEAR(InternalForce(box.problem, weight + squeeze), std::sqrt(18.0), 1e-10);
  squeeze.setZero();
  squeeze.head<2>() = Eigen::Vector2d(0.4, 0.2), squeeze.tail<3>().head<2>() = -squeeze.head<2>();
  EXPECT_NEAR(InternalForce(box.problem, weight + squeeze), squeeze.norm(), 1e-10);
  EXPECT_EQ(InternalForce(ContactProblem(), Eigen::VectorXd()), 0);
}

TEST(Judge, CompliantForcesPassWithRAndSinkIntoTheGroundWithoutIt) {
  ContactProblem p = BoxOnCorners().problem;
  p.R = Vector3d(0, 0, 0.25).replicate(4, 1);
  // by symmetry one normal force per corner: (4 / m' + R) n = 9.81 with m' = 2 kg
  const Eigen::VectorXd lambda = Vector3d(0, 0, 9.81 / (4 / 2.0 + 0.25)).replicate(4, 1);
  RowVector sigma;
  ComputeSigma(p, lambda, &sigma);
  EXPECT_LT(Judge(ContactLaw::kNcp, p, lambda, sigma).worst(), 1e-12);
  p.R.setZero();
  ComputeSigma(p, lambda, &sigma);
  // dist of (0, 0, -R n) to the dual cone: no slip, so the whole sigma where it is inside the polar cone
  EXPECT_NEAR(Judge(ContactLaw::kNcp, p, lambda, sigma).eps_d, 0.25 * 9.81 / 2.25, 1e-12);
}

TEST(Judge, LimitsAreUnilateralAndEqualitiesHaveNoSign) {
  ContactProblem p;
  const int sizes[] = {1, 2};
  p.G.SetPattern(sizes, {});
  p.types = {BlockType::kLimit, BlockType::kEquality};
  p.g = p.target = p.R = Eigen::Vector3d::Zero();
  p.mu = Eigen::Vector2d::Zero();
  for (ContactLaw law : kLaws) {
    EXPECT_EQ(Judge(law, p, Vector3d(2, -5, 7), Vector3d(0, 0, 0)).worst(), 0);
    EXPECT_EQ(Judge(law, p, Vector3d(0, -5, 7), Vector3d(4, 0, 0)).worst(), 0);
    const ContactCriteria c = Judge(law, p, Vector3d(-2, 1, 1), Vector3d(3, 3, -4));
    EXPECT_EQ(c.eps_p, 2);
    EXPECT_EQ(c.eps_d, 5);  // of the equality
    EXPECT_EQ(c.eps_c, 6);
    EXPECT_EQ(c.signorini, 6);
    EXPECT_EQ(c.mean_d, 2.5);
    EXPECT_EQ(Judge(law, p, Vector3d(0, 0, 0), Vector3d(-3, 0, 0)).eps_d, 3);
    EXPECT_TRUE(std::isnan(Judge(law, p, Vector3d(NAN, 0, 0), Vector3d(1, 0, 0)).worst()));
  }
}

TEST(Judge, WithoutFrictionAnyTangentialForceIsAViolationAndSlipIsFree) {
  for (ContactLaw law : kLaws) {
    EXPECT_EQ(Worst(law, 0, {0, 0, 2}, {3, -4, 0}), 0) << Name(law);
    EXPECT_DOUBLE_EQ(JudgeContact(law, 0, {0.3, 0.4, 1}, {0, 0, 0}).eps_p, 0.5) << Name(law);
    EXPECT_DOUBLE_EQ(JudgeContact(law, 0, {0, 0, 0}, {1, 0, -2}).eps_d, 2) << Name(law);
  }
}

TEST(Judge, ClosedFormOfTheExactLawEqualsItsProjections) {
  std::mt19937 random(11);
  std::normal_distribution<double> normal;
  for (int k = 0; k < 1000; ++k) {
    const double mu = k % 4 * 0.4;
    const Vector3d l(normal(random), normal(random), normal(random)),
        s(normal(random), normal(random), normal(random));
    const Vector3d shifted = s + Vector3d(0, 0, mu * s.head<2>().norm());
    const BlockCriteria c = JudgeContact(ContactLaw::kNcp, mu, l, s);
    EXPECT_NEAR(c.eps_p, (l - ProjectCircularCone(mu, l)).norm(), 1e-14);
    EXPECT_NEAR(c.eps_d, ProjectCircularCone(mu, -shifted).norm(), 1e-14);
    EXPECT_NEAR(c.eps_c, std::abs(l.dot(shifted)), 1e-14);
  }
}

TEST(Judge, DissipationAngleLooksAtSlidingContactsOnly) {
  ContactProblem p;
  const int size = 3;
  p.G.SetDensePattern({&size, 1});
  p.G.Block(0, 0).setIdentity();
  p.types = {BlockType::kCoulomb};
  p.g = Vector3d(0, 0, -10);
  p.target = p.R = Vector3d::Zero();
  p.mu = Eigen::VectorXd::Constant(1, 0.5);
  const auto angle = [&](const Vector3d& lambda, const Vector3d& sigma) {
    return Judge(ContactLaw::kNcp, p, lambda, sigma).dissipation_angle;
  };
  EXPECT_NEAR(angle({-5, 0, 10}, {1, 1e-9, 0}), 1e-9, 1e-15);
  EXPECT_NEAR(angle({-5, 0, 10}, {1, 1, 0}), std::numbers::pi / 4, 1e-15);
  EXPECT_NEAR(angle({5, 0, 10}, {1, 0, 0}), std::numbers::pi, 1e-15);
  EXPECT_NEAR(angle({0, 0, 10}, {1, 0, 0}), std::numbers::pi / 2, 1e-15);
  EXPECT_EQ(angle({5, 0, 10}, {0.9e-3, 0, 0}), 0);  // 1e-4 x 10 m/s^2: sticking
  EXPECT_EQ(angle({1e-4, 0, 1e-3}, {1, 0, 0}), 0);  // carries nothing
  EXPECT_NEAR(Judge(ContactLaw::kNcp, p, Vector3d(3, 4, 8), Vector3d::Zero()).friction_cone, 1, 1e-15);
  p.mu[0] = 0;
  EXPECT_EQ(angle({0, 0, 10}, {1, 0, 0}), 0);
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
