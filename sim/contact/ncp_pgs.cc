#include "sim/contact/ncp_pgs.h"

#include <cmath>
#include <vector>

#include "sim/contact/criteria.h"

namespace tread {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

class NcpPgs final : public ContactSolver {
 public:
  explicit NcpPgs(const ContactSolverConfig& config) : config_(config) {}

  SolveStatus Solve(const ContactProblem& problem, ContactSolution* solution) override {
    VectorXd& lambda = solution->lambda;
    solution->iterations = 0;
    if (lambda.size() != problem.rows()) lambda.setZero(problem.rows());
    if (problem.rows() == 0) return SolveStatus::kConverged;
    if (!problem.g.allFinite() || !lambda.allFinite()) return SolveStatus::kFailed;
    entry_ = lambda;
    ComputeSteps(problem);

    // A warm start that already solves the problem is returned as it is.
    if (config_.budget == 0 && Accept(problem, lambda)) return SolveStatus::kConverged;
    const int sweeps = config_.budget > 0 ? config_.budget : config_.max_iterations;
    for (int k = 1; k <= sweeps; ++k) {
      moved_ = false;
      stale_ = true;
      for (int i = 0; i < problem.block_count(); ++i) UpdateBlock(problem, i, &lambda);
      solution->iterations = k;
      if (config_.budget > 0) continue;
      if (stale_ && Accept(problem, lambda)) return SolveStatus::kConverged;
      if (!moved_) return SolveStatus::kStalled;
    }
    if (!lambda.allFinite()) {
      lambda = entry_;
      return SolveStatus::kFailed;
    }
    return Accept(problem, lambda) ? SolveStatus::kConverged : SolveStatus::kMaxIterations;
  }

 private:
  bool Passes(const BlockCriteria& c) const {
    const double e = config_.eps_abs;
    return c.eps_p <= e * scale_.force && c.eps_d <= e * scale_.velocity &&
           c.eps_c <= e * scale_.force * scale_.velocity;
  }

  bool Accept(const ContactProblem& problem, const VectorXd& lambda) {
    ComputeSigma(problem, lambda, &sigma_);
    const ContactCriteria c = Judge(ContactLaw::kNcp, problem, lambda, sigma_);
    return Passes({c.eps_p, c.eps_d, c.eps_c});
  }

  void ComputeSteps(const ContactProblem& problem) {
    tangent_step_.resize(static_cast<std::size_t>(problem.block_count()));
    for (int i = 0; i < problem.block_count(); ++i) {
      if (problem.types[static_cast<std::size_t>(i)] != BlockType::kCoulomb) continue;
      const auto G = problem.G.Diagonal(i);
      const int o = problem.G.offset(i);
      const double a = G(0, 0) + problem.R[o], b = G(1, 1) + problem.R[o + 1], c = G(0, 1);
      const double largest = 0.5 * (a + b) + std::sqrt(0.25 * (a - b) * (a - b) + c * c);
      tangent_step_[static_cast<std::size_t>(i)] = 1.0 / (config_.paper_step ? std::min(a, b) : largest);
    }
  }

  void UpdateBlock(const ContactProblem& problem, int i, VectorXd* lambda) {
    const int o = problem.G.offset(i), size = problem.G.size(i);
    if (problem.types[static_cast<std::size_t>(i)] != BlockType::kCoulomb) {
      for (int r = 0; r < size; ++r) UpdateRow(problem, i, r, lambda);
      return;
    }
    const auto G = problem.G.Diagonal(i);
    const double mu = problem.mu[i];
    Vector3d sigma;
    problem.G.RowTimes(i, *lambda, sigma.data());
    const Vector3d old = lambda->segment<3>(o);
    sigma +=
        problem.R.segment<3>(o).cwiseProduct(old) + problem.g.segment<3>(o) - problem.target.segment<3>(o);
    if (!Passes(JudgeContact(ContactLaw::kNcp, mu, old, sigma))) stale_ = false;

    // normal, then tangent with the normal's change already felt
    Vector3d next = old;
    next.z() = std::max(0.0, old.z() - sigma.z() / (G(2, 2) + problem.R[o + 2]));
    const double change = next.z() - old.z();
    next.head<2>() -= tangent_step_[static_cast<std::size_t>(i)] *
                      Eigen::Vector2d(sigma[0] + G(0, 2) * change, sigma[1] + G(1, 2) * change);
    const double t = next.head<2>().norm(), radius = mu * next.z();
    if (t > radius) next.head<2>() *= t > 0 ? radius / t : 0.0;
    Store(old + config_.relaxation * (next - old), o, lambda);
  }

  void UpdateRow(const ContactProblem& problem, int i, int r, VectorXd* lambda) {
    const int row = problem.G.offset(i) + r;
    row_.resize(static_cast<std::size_t>(problem.G.size(i)));
    problem.G.RowTimes(i, *lambda, row_.data());
    const double old = (*lambda)[row], diagonal = problem.G.Diagonal(i)(r, r) + problem.R[row];
    const double sigma =
        row_[static_cast<std::size_t>(r)] + problem.R[row] * old + problem.g[row] - problem.target[row];
    const bool limit = problem.types[static_cast<std::size_t>(i)] == BlockType::kLimit;
    const BlockCriteria c = limit ? BlockCriteria{0, std::max(0.0, -sigma), std::abs(old * sigma)}
                                  : BlockCriteria{0, std::abs(sigma), 0};
    if (!Passes(c)) stale_ = false;
    double next = old - config_.relaxation * sigma / diagonal;
    if (limit) next = std::max(0.0, next);
    if (next != old) moved_ = true;
    (*lambda)[row] = next;
  }

  void Store(const Vector3d& next, int o, VectorXd* lambda) {
    if (next != lambda->segment<3>(o)) moved_ = true;
    lambda->segment<3>(o) = next;
  }

  ContactSolverConfig config_;
  VectorXd sigma_, entry_;
  std::vector<double> tangent_step_, row_;
  bool moved_ = false;  // some force changed in this sweep
  bool stale_ = true;   // every block passed the test on the values it had before its update
};

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

std::unique_ptr<ContactSolver> MakeNcpPgs(const ContactSolverConfig& config) {
  return std::make_unique<NcpPgs>(config);
}

}  // namespace tread
