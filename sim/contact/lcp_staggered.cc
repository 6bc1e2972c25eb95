#include "sim/contact/lcp_staggered.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/contact/box_qp.h"

namespace tread {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int kRounds = 20;          // of one inner solution; what is left is left to the next iteration
constexpr double kReduction = 0.01;  // of the violation, by one inner solution
constexpr int kPatience = 20;        // iterations without progress before the damping grows at first,
constexpr int kPatienceGrowth = 4;   // and how much longer it takes each time: damped iterations are slower
constexpr double kSmallestWeight = 0.05;

class LcpStaggered final : public ContactSolver {
 public:
  explicit LcpStaggered(const ContactSolverConfig& config) : ContactSolver(config, ContactLaw::kLcp) {}

 private:
  SolveStatus Run(const ContactProblem& problem, ContactSolution* solution) override {
    for (int i = 0; i < problem.block_count(); ++i) {
      for (int r = 0; r < problem.G.size(i); ++r) {
        if (problem.G.diagonal_data(i)[r * problem.G.size(i) + r] + problem.R[problem.G.offset(i) + r] < 0)
          return SolveStatus::kFailed;
      }
    }
    RowVector& lambda = solution->lambda;
    qp_.resize(problem.rows());
    double weight = config_.relaxation, best = kInfinity;
    int since_best = 0, patience = kPatience;
    for (int k = 1; k <= iteration_limit(); ++k) {
      before_ = lambda;
      if (!Iterate(problem, weight, &lambda)) return SolveStatus::kFailed;
      solution->iterations = k;
      Trace(problem, lambda, k);
      if (!tests()) continue;
      if (Accepts(problem, lambda, sigma_) && Recheck(problem, lambda)) return SolveStatus::kConverged;
      const double change = (lambda - before_).lpNorm<Eigen::Infinity>() / weight;
      if (change == 0) return SolveStatus::kStalled;
      since_best = change < 0.9 * best ? 0 : since_best + 1;
      best = std::min(best, change);
      if (since_best < patience) continue;
      weight = std::max(0.5 * weight, kSmallestWeight);
      since_best = 0, patience *= kPatienceGrowth;
      best = kInfinity;
    }
    return Recheck(problem, lambda) ? SolveStatus::kConverged : SolveStatus::kMaxIterations;
  }

  // Both halves; false when a number is no longer finite.
  bool Iterate(const ContactProblem& problem, double weight, RowVector* lambda) {
    SetNormalBounds(problem, *lambda);
    const double normal = qp_.Solve(problem, Tolerance(*lambda), kReduction, kRounds, lambda, &sigma_);
    if (weight != 1) {
      for (int i = 0; i < problem.block_count(); ++i) {
        if (problem.types[static_cast<std::size_t>(i)] != BlockType::kCoulomb) continue;
        const int n = problem.G.offset(i) + 2;
        (*lambda)[n] = std::max(0.0, before_[n] + weight * ((*lambda)[n] - before_[n]));
      }
    }
    SetTangentBounds(problem, *lambda);
    const double tangent = qp_.Solve(problem, Tolerance(*lambda), kReduction, kRounds, lambda, &sigma_);
    return std::isfinite(normal) && std::isfinite(tangent) && std::isfinite(lambda->sum());
  }

  // Of |sigma| in the halves: eps_c multiplies it by forces.
  double Tolerance(const RowVector& lambda) const {
    const double largest = lambda.lpNorm<Eigen::Infinity>();
    return 0.1 * std::min(velocity_limit_, largest > 0 ? power_limit_ / largest : kInfinity);
  }

  void SetNormalBounds(const ContactProblem& problem, const RowVector& lambda) {
    qp_.low = lambda;
    qp_.high = lambda;
    for (int i = 0; i < problem.block_count(); ++i) {
      const int o = problem.G.offset(i);
      switch (problem.types[static_cast<std::size_t>(i)]) {
        case BlockType::kCoulomb:
          qp_.low[o + 2] = 0, qp_.high[o + 2] = kInfinity;
          break;
        case BlockType::kLimit:
          qp_.low[o] = 0, qp_.high[o] = kInfinity;
          break;
        case BlockType::kEquality:
          Free(problem, i);
          break;
      }
    }
  }

  void SetTangentBounds(const ContactProblem& problem, const RowVector& lambda) {
    qp_.low = lambda;
    qp_.high = lambda;
    for (int i = 0; i < problem.block_count(); ++i) {
      const int o = problem.G.offset(i);
      const BlockType type = problem.types[static_cast<std::size_t>(i)];
      if (type == BlockType::kEquality) Free(problem, i);
      if (type != BlockType::kCoulomb) continue;
      qp_.high[o] = qp_.high[o + 1] = problem.mu[i] * lambda[o + 2];
      qp_.low[o] = qp_.low[o + 1] = -qp_.high[o];
    }
  }

  void Free(const ContactProblem& problem, int i) {
    qp_.low.segment(problem.G.offset(i), problem.G.size(i)).setConstant(-kInfinity);
    qp_.high.segment(problem.G.offset(i), problem.G.size(i)).setConstant(kInfinity);
  }

  BoxQp qp_;
  RowVector before_;
};

}  // namespace

std::unique_ptr<ContactSolver> MakeLcpStaggered(const ContactSolverConfig& config) {
  return std::make_unique<LcpStaggered>(config);
}

}  // namespace tread
