// What theory says of the contact laws, held against every solver that claims one.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tests/solver_test_fixture.h"

namespace tread {
namespace {

class Law : public SolverTest {};
INSTANTIATE_TEST_SUITE_P(Table, Law, testing::ValuesIn(SolverTable()), NameOf);

// Not the judge's own projection: the cone as it is defined.
void ExpectInCone(ContactLaw law, double mu, const Vector3d& f) {
  EXPECT_GE(f.z(), -kEps);
  const double friction =
      law == ContactLaw::kLcp ? f.head<2>().lpNorm<Eigen::Infinity>() : f.head<2>().norm();
  EXPECT_LE(friction, mu * f.z() + 2 * kEps);
}

TEST_P(Law, OwnLawHoldsAndForcesAreInTheirCone) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    const ContactProblem p = RandomProblem(seed, 1 + static_cast<int>(seed % 5), seed % 2 == 1);
    const Result r = Solve(GetParam(), p);
    if (GaveUp(r)) continue;
    ASSERT_EQ(r.status, SolveStatus::kConverged) << seed;
    EXPECT_LE(Judge(GetParam().law, p, r.lambda, r.sigma).worst(), 1.001 * kEps) << seed;
    for (int i = 0; i < p.block_count(); ++i) {
      const int o = p.G.offset(i);
      if (p.G.size(i) == 3) ExpectInCone(GetParam().law, p.mu[i], r.lambda.segment<3>(o));
      EXPECT_GE(r.lambda[o + p.G.size(i) - 1], -kEps);
    }
  }
}

TEST_P(Law, WhereAllContactsStickAllLawsAgree) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    ContactProblem p = RandomProblem(seed, 4);
    Random random(seed + 100);
    VectorXd inside(12);
    for (int i = 0; i < 4; ++i) inside.segment<3>(3 * i) << random(-1, 1), random(-1, 1), random(5, 9);
    p.g = -p.G.ToDense() * inside;
    const Result r = Solve(GetParam(), p);
    if (GaveUp(r)) continue;
    ASSERT_EQ(r.status, SolveStatus::kConverged) << seed;
    EXPECT_LT((r.lambda - inside).norm(), kForceTolerance) << seed;
  }
}

TEST_P(Law, SolversOfOneLawAgreeOnVelocities) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const ContactProblem p = RandomProblem(seed, 2 + static_cast<int>(seed % 4), seed % 2 == 1);
    const Result mine = Solve(GetParam(), p, {.eps_abs = kTightEps});
    if (GaveUp(mine)) continue;
    ASSERT_EQ(mine.status, SolveStatus::kConverged) << seed;
    for (const SolverEntry& other : SolverTable()) {
      if (other.law != GetParam().law || std::string(other.name) == GetParam().name) continue;
      const Result theirs = Solve(other, p, {.eps_abs = kTightEps});
      if (theirs.status != SolveStatus::kConverged) continue;  // that is for its own line to say
      EXPECT_LT((mine.sigma - theirs.sigma).norm(), kTightVelocity) << other.name << " " << seed;
    }
  }
}

TEST_P(Law, ASlidingContactDoesWhatItsLawSays) {
  const double mu = 0.5;
  for (const Vector3d& g : {Vector3d(8, 0, -10), Vector3d(6, 6, -10)}) {
    const Result r = Solve(GetParam(), PointMass(1, g, mu));
    ASSERT_EQ(r.status, SolveStatus::kConverged);
    const double slip = r.sigma.head<2>().norm(), friction = r.lambda.head<2>().norm();
    EXPECT_GT(slip, 0.1);
    EXPECT_LT(r.lambda.head<2>().dot(r.sigma.head<2>()), 0);
    if (GetParam().law == ContactLaw::kCcp) {
      EXPECT_NEAR(r.sigma[2], mu * slip, 1e-5);  // it takes off as it slides
      EXPECT_NEAR(friction, mu * r.lambda[2], 1e-5);
      continue;
    }
    EXPECT_NEAR(r.sigma[2], 0, 1e-5);
    const bool corner = GetParam().law == ContactLaw::kLcp && g.y() != 0;  // of the square
    EXPECT_NEAR(friction, (corner ? std::sqrt(2.0) : 1.0) * mu * 10, 1e-5);
  }
}

TEST_P(Law, WhereNormalAndSlipCoupleOnlyRaisimLeavesTheDirectionOfSlip) {
  ContactProblem p = PointMass(1, {8, 3, -10}, 0.3);
  const Eigen::Matrix3d G = (Eigen::Matrix3d() << 1, 0, 0.3, 0, 1, -0.2, 0.3, -0.2, 1).finished();
  p.G.Block(0, 0) = G;
  const Result r = Solve(GetParam(), p);
  ASSERT_EQ(r.status, SolveStatus::kConverged);
  RowVector sigma;
  ComputeSigma(p, r.lambda, &sigma);
  const ContactCriteria exact = Judge(ContactLaw::kNcp, p, r.lambda, sigma);
  switch (GetParam().law) {
    case ContactLaw::kNcp:
      EXPECT_LT(exact.dissipation_angle, 1e-3);
      break;
    case ContactLaw::kRaisim:
      EXPECT_GT(exact.dissipation_angle, 0.01);
      EXPECT_NEAR(sigma[2], 0, 1e-5);  // yet it stays on the ground
      break;
    case ContactLaw::kCcp:
      EXPECT_LT(exact.dissipation_angle, 1e-3);
      EXPECT_GT(exact.eps_c, 0.1);
      break;
    case ContactLaw::kLcp:
      EXPECT_GT(exact.eps_p, 0.1);  // the corner of the square is outside of the circle
      break;
  }
}

}  // namespace
}  // namespace tread
