#include "sim/contact/contact_solver.h"

namespace tread {
namespace {

// 0 x number is 0 unless the number is infinite or NaN, and NaN survives a sum.
bool AllFinite(const RowVector& x) {
  return (0.0 * x).sum() == 0.0;
}

}  // namespace

const char* Name(SolveStatus status) {
  switch (status) {
    case SolveStatus::kConverged:
      return "converged";
    case SolveStatus::kMaxIterations:
      return "max_iterations";
    case SolveStatus::kStalled:
      return "stalled";
    case SolveStatus::kFailed:
      return "failed";
  }
  return "";
}

SolveStatus ContactSolver::Solve(const ContactProblem& problem, ContactSolution* solution) {
  RowVector& lambda = solution->lambda;
  solution->iterations = 0;
  if (lambda.size() != problem.rows()) lambda.setZero(problem.rows());
  if (problem.rows() == 0) return SolveStatus::kConverged;

  // Whatever is not finite in G, R, g, c* or lambda is so in sigma.
  ComputeSigma(problem, lambda, &sigma_);
  if (!AllFinite(sigma_) || !AllFinite(problem.mu)) return SolveStatus::kFailed;
  force_limit_ = config_.eps_abs * scale_.force;
  velocity_limit_ = config_.eps_abs * scale_.velocity;
  power_limit_ = config_.eps_abs * scale_.force * scale_.velocity;
  Trace(problem, lambda, 0, solution->rho);
  if (tests() && Accepts(problem, lambda, sigma_)) return SolveStatus::kConverged;

  entry_ = lambda;
  const SolveStatus status = Run(problem, solution);
  if (status == SolveStatus::kFailed) lambda = entry_;
  return status;
}

bool ContactSolver::Accepts(const ContactProblem& problem, const RowVector& lambda,
                            const RowVector& sigma) const {
  for (int i = 0; i < problem.block_count(); ++i) {
    const int o = problem.G.offset(i);
    BlockCriteria c;
    switch (problem.types[static_cast<std::size_t>(i)]) {
      case BlockType::kCoulomb:
        if (law_ == ContactLaw::kNcp) {
          c = JudgeNcpContact(problem.mu[i], lambda.data() + o, sigma.data() + o);
        } else {
          const double* G = problem.G.diagonal_data(i);
          c = JudgeContact(law_, problem.mu[i], lambda.segment<3>(o), sigma.segment<3>(o), {G[6], G[7]},
                           G[8] + problem.R[o + 2]);
        }
        break;
      case BlockType::kLimit:
        c = JudgeLimit(lambda[o], sigma[o]);
        break;
      case BlockType::kEquality:
        c.eps_d = sigma.segment(o, problem.G.size(i)).norm();
        break;
    }
    if (!Passes(c)) return false;
  }
  return true;
}

void ContactSolver::Record(const ContactProblem& problem, const RowVector& lambda, int iteration,
                           double rho) {
  ComputeSigma(problem, lambda, &trace_sigma_);
  const ContactCriteria c = Judge(law_, problem, lambda, trace_sigma_);
  const double cost = 0.5 * lambda.dot(trace_sigma_ + problem.g - problem.target);
  trace_->push_back({iteration, c.eps_p, c.eps_d, c.eps_c, cost, rho});
}

}  // namespace tread
