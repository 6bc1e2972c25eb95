// What every contact solver is: a problem in, forces out, and an honest word on how it ended.
#pragma once

#include <Eigen/Core>

#include "sim/contact/contact_problem.h"

namespace tread {

// converged: the solver's stop test holds. max_iterations: the cap came first. stalled: the iterate stopped moving before the test held.
// failed: a number became non-finite, or the method broke down; lambda is then what it was on entry.
enum class SolveStatus { kConverged, kMaxIterations, kStalled, kFailed };
const char* Name(SolveStatus status);

struct ContactSolverConfig {
  double eps_abs =
      1e-6;  // stop when eps_p, eps_d, eps_c of the solver's own law are all below [N, m/s^2, N m/s^2]
  int max_iterations = 10000;  // too low: status max_iterations and forces that leave a visible violation
  int budget = 0;              // > 0: exactly this many iterations, no stop test
  bool paper_step = false;     // step sizes as published instead of the safe ones; see the solver's header
  double relaxation = 1.0;     // lambda <- (1 - w) old + w new, 0 < w < 2
};

struct ContactSolution {
  RowVector lambda;  // warm start on entry (right size, else zero is used), forces on exit
  int iterations = 0;
};

class ContactSolver {
 public:
  virtual ~ContactSolver() = default;
  virtual SolveStatus Solve(const ContactProblem& problem, ContactSolution* solution) = 0;
  // Stop thresholds relative to a problem's scale: eps_p and eps_d and eps_c are multiplied by force, velocity, force x velocity.
  void set_scale(const ProblemScale& scale) { scale_ = scale; }

 protected:
  ProblemScale scale_;
};

}  // namespace tread
