// What every contact solver is: a problem in, forces out, and an honest word on how it ended.
//
// Solve does what all of them share: no contacts, input that is not finite, a first guess that already satisfies the law (returned as it is), and
// forces put back when the method failed. What is left to a solver is Run. Stop tests are the judge's (sim/contact/criteria.h) on the law
// the solver claims, with velocities recomputed from scratch: sigma = (G + R) lambda + g - c*.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "sim/contact/contact_problem.h"
#include "sim/contact/criteria.h"

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
  RowVector
      dual;  // of solvers that keep one (ADMM): sigma + Gamma(sigma) per row, likewise; empty otherwise. On entry a block of zeros is
             // unknown, and so is all of it, and rho, when lambda is zero: a cold start
  double rho = 0;  // of ADMM: the penalty it ended with; 0: unknown
  int iterations = 0;
};

// One line per iteration, for plots of convergence.
struct IterationRecord {
  int iteration = 0;
  double eps_p = 0, eps_d = 0, eps_c = 0;  // the judge's, on the solver's own law
  double cost = 0;  // lambda' (G + R) lambda / 2 + lambda' (g - c*) [N m/s^2]: what the convex laws minimise
  double rho = 0;   // of ADMM; 0 otherwise
};

class ContactSolver {
 public:
  ContactSolver(const ContactSolverConfig& config, ContactLaw law) : config_(config), law_(law) {}
  virtual ~ContactSolver() = default;
  SolveStatus Solve(const ContactProblem& problem, ContactSolution* solution);

  // Stop thresholds relative to a problem's scale: eps_p and eps_d and eps_c are multiplied by force, velocity, force x velocity.
  void set_scale(const ProblemScale& scale) { scale_ = scale; }
  // Statistics per iteration are appended to `trace` (not owned; nullptr, the default: off, at no cost).
  void set_trace(std::vector<IterationRecord>* trace) { trace_ = trace; }

 protected:
  // lambda has the problem's size and is finite, there is at least one row, and sigma_ belongs to lambda. What Run leaves when it returns
  // kFailed is thrown away.
  virtual SolveStatus Run(const ContactProblem& problem, ContactSolution* solution) = 0;

  bool Passes(const BlockCriteria& c) const {
    return c.eps_p <= force_limit_ && c.eps_d <= velocity_limit_ && c.eps_c <= power_limit_;
  }
  // The judge's verdict on (lambda, sigma), block by block until one fails; and the same with sigma_ computed anew.
  bool Accepts(const ContactProblem& problem, const RowVector& lambda, const RowVector& sigma) const;
  bool Recheck(const ContactProblem& problem, const RowVector& lambda) {
    ComputeSigma(problem, lambda, &sigma_);
    return Accepts(problem, lambda, sigma_);
  }
  // Iterations to make, and whether to test for the end on the way.
  int iteration_limit() const { return config_.budget > 0 ? config_.budget : config_.max_iterations; }
  bool tests() const { return config_.budget == 0; }
  bool tracing() const { return trace_ != nullptr; }
  void Trace(const ContactProblem& problem, const RowVector& lambda, int iteration, double rho = 0) {
    if (trace_ != nullptr) Record(problem, lambda, iteration, rho);
  }

  ContactSolverConfig config_;
  ContactLaw law_;
  RowVector sigma_;
  double force_limit_ = 0, velocity_limit_ = 0, power_limit_ = 0;

 private:
  void Record(const ContactProblem& problem, const RowVector& lambda, int iteration, double rho);

  ProblemScale scale_;
  std::vector<IterationRecord>* trace_ = nullptr;
  RowVector entry_, trace_sigma_;
};

}  // namespace tread
