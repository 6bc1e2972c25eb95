// Siconos as an oracle for the exact law: its solver's forces pass our judge, and our solvers' forces pass its measure of error.
//
// Optional: Debian's libsiconos-numerics-dev, which nothing else here links (tests/CMakeLists.txt). Without it the tests are skipped.
#include <gtest/gtest.h>

#include "tests/solver_test_fixture.h"

#ifdef TREAD_HAVE_SICONOS
#include <siconos/numerics/FrictionContactProblem.h>
#include <siconos/numerics/Friction_cst.h>
#include <siconos/numerics/NonSmoothDrivers.h>
#include <siconos/numerics/SolverOptions.h>
#include <siconos/numerics/fc3d_compute_error.h>

#include <cstdlib>
#include <memory>
#endif

namespace tread {
namespace {

#ifdef TREAD_HAVE_SICONOS

struct Free {
  void operator()(FrictionContactProblem* p) const { frictionContactProblem_free(p); }
  void operator()(SolverOptions* o) const {
    solver_options_delete(o);
    std::free(o);
  }
};
using Options = std::unique_ptr<SolverOptions, Free>;

// A problem of contacts alone, as Siconos keeps it: rows n, t1, t2, a dense matrix, memory that it frees itself.
class SiconosProblem {
 public:
  explicit SiconosProblem(const ContactProblem& p) {
    MatrixXd A = p.G.ToDense();
    A.diagonal() += p.R;
    const int n = p.rows();
    NumericsMatrix* M = NM_create(NM_DENSE, n, n);
    double* q = Numbers(n);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) M->matrix0[There(i) + n * There(j)] = A(i, j);
      q[There(i)] = p.g[i] - p.target[i];
    }
    double* mu = Numbers(p.block_count());
    std::copy(p.mu.data(), p.mu.data() + p.block_count(), mu);
    problem_.reset(frictionContactProblem_new_with_data(3, p.block_count(), M, q, mu));
  }

  // Its non-smooth Gauss-Seidel.
  VectorXd Solve(double tolerance) {
    const Options options(solver_options_create(SICONOS_FRICTION_3D_NSGS));
    options->dparam[SICONOS_DPARAM_TOL] = tolerance;
    options->iparam[SICONOS_IPARAM_MAX_ITER] = 100000;
    VectorXd reaction = VectorXd::Zero(rows()), velocity = reaction, lambda = reaction;
    EXPECT_EQ(fc3d_driver(problem_.get(), reaction.data(), velocity.data(), options.get()), 0);
    for (int i = 0; i < rows(); ++i) lambda[i] = reaction[There(i)];
    return lambda;
  }

  // The residual of the natural map, |r - P_K(r - (u + Gamma(u)))| / |r|.
  double Error(const VectorXd& lambda) {
    const Options options(solver_options_create(SICONOS_FRICTION_3D_NSGS));
    VectorXd reaction = lambda, velocity = lambda;
    for (int i = 0; i < rows(); ++i) reaction[There(i)] = lambda[i];
    double error = HUGE_VAL;
    fc3d_compute_error(problem_.get(), reaction.data(), velocity.data(), 1e-12, options.get(), 0, &error);
    return error;
  }

 private:
  static int There(int row) { return row - row % 3 + (row % 3 + 1) % 3; }  // of (t1, t2, n) in (n, t1, t2)
  static double* Numbers(int n) { return static_cast<double*>(std::calloc(static_cast<std::size_t>(n), 8)); }
  int rows() const { return 3 * problem_->numberOfContacts; }

  std::unique_ptr<FrictionContactProblem, Free> problem_;
};

// Sticking, sliding and opening contacts; from seed 20 on also compliance and targets.
ContactProblem Case(unsigned seed) {
  ContactProblem p = RandomProblem(seed, 1 + static_cast<int>(seed % 6));
  if (seed < 20) return p;
  Random random(seed);
  for (int i = 0; i < p.rows(); ++i) p.R[i] = random(0, 0.3), p.target[i] = random(-0.5, 0.5);
  return p;
}

TEST(Siconos, ItsForcesPassOurJudge) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    const ContactProblem p = Case(seed);
    const RowVector lambda = SiconosProblem(p).Solve(1e-13);
    RowVector sigma;
    ComputeSigma(p, lambda, &sigma);
    EXPECT_LE(Judge(ContactLaw::kNcp, p, lambda, sigma).worst(), 1e-9) << seed;
  }
}

TEST(Siconos, OurForcesPassItsMeasureAndVelocitiesAgree) {
  for (const SolverEntry& entry : SolverTable()) {
    if (entry.law != ContactLaw::kNcp) continue;
    for (unsigned seed = 0; seed < 40; ++seed) {
      const ContactProblem p = Case(seed);
      const Result ours = Solve(entry, p, {.eps_abs = 1e-12});
      if (entry.peer && ours.status != SolveStatus::kConverged) continue;
      ASSERT_EQ(ours.status, SolveStatus::kConverged) << entry.name << " " << seed;
      SiconosProblem theirs(p);
      RowVector sigma;
      ComputeSigma(p, theirs.Solve(1e-13), &sigma);
      // eps_c is quadratic in the angle between friction and slip, both of these linear: the root of 1e-12
      EXPECT_LE(theirs.Error(ours.lambda), 1e-5) << entry.name << " " << seed;
      EXPECT_LE((ours.sigma - sigma).norm(), 1e-5) << entry.name << " " << seed;
    }
  }
}

TEST(Siconos, ForcesOfTheConvexLawFailItsMeasureWhereContactsSlide) {
  SiconosProblem sliding(PointMass(1, {8, 0, -10}, 0.5));
  // by hand: r = (-5.6, 0, 11.2) and u = (2.4, 0, 1.2) leave a residual of 1.073
  const Result convex = Solve(*FindSolver("ccp_newton"), PointMass(1, {8, 0, -10}, 0.5));
  EXPECT_NEAR(sliding.Error(convex.lambda), 1.073 / 12.522, 1e-3);
}

#else

TEST(Siconos, IsAnOracle) {
  GTEST_SKIP() << "Siconos is not installed (Debian: libsiconos-numerics-dev); no oracle from outside";
}

#endif

}  // namespace
}  // namespace tread
