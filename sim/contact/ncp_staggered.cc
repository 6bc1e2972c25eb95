#include "sim/contact/ncp_staggered.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace tread {
namespace {

constexpr int kInnerSweeps = 100;
constexpr double kInnerShare = 0.1;  // of the outer stop test

class NcpStaggered final : public ContactSolver {
 public:
  explicit NcpStaggered(const ContactSolverConfig& config) : ContactSolver(config, ContactLaw::kNcp) {}

 private:
  // Constants of one Coulomb block: steps are 0 where the diagonal is 0.
  struct Steps {
    double normal = 0, disk = 0;
  };

  SolveStatus Run(const ContactProblem& problem, ContactSolution* solution) override {
    if (!Prepare(problem)) return SolveStatus::kFailed;
    RowVector& lambda = solution->lambda;
    for (int k = 1; k <= iteration_limit(); ++k) {
      before_ = lambda;
      Repeat(problem, &lambda, &NcpStaggered::NormalSweep);
      if (config_.relaxation != 1) old_ = lambda;
      Repeat(problem, &lambda, &NcpStaggered::TangentSweep);
      if (config_.relaxation != 1) Relax(problem, &lambda);
      solution->iterations = k;
      Trace(problem, lambda, k);
      const double moved = (lambda - before_).lpNorm<Eigen::Infinity>();
      if (!(moved < HUGE_VAL)) return SolveStatus::kFailed;
      if (!tests()) continue;
      if (Recheck(problem, lambda)) return SolveStatus::kConverged;
      if (moved == 0) return SolveStatus::kStalled;
    }
    return Recheck(problem, lambda) ? SolveStatus::kConverged : SolveStatus::kMaxIterations;
  }

  bool Prepare(const ContactProblem& problem) {
    steps_.assign(static_cast<std::size_t>(problem.block_count()), {});
    int largest = 3;
    for (int i = 0; i < problem.block_count(); ++i) {
      const int o = problem.G.offset(i), size = problem.G.size(i);
      const double* G = problem.G.diagonal_data(i);
      largest = std::max(largest, size);
      for (int r = 0; r < size; ++r) {
        if (G[r * size + r] + problem.R[o + r] < 0) return false;
      }
      if (problem.types[static_cast<std::size_t>(i)] != BlockType::kCoulomb) continue;
      const double a = G[0] + problem.R[o], b = G[4] + problem.R[o + 1], n = G[8] + problem.R[o + 2];
      const double curvature = 0.5 * (a + b) + std::hypot(0.5 * (a - b), G[3]);
      Steps& s = steps_[static_cast<std::size_t>(i)];
      s.normal = n > 0 ? 1 / n : 0;
      s.disk = curvature > 0 ? 1 / curvature : 0;
    }
    row_.resize(static_cast<std::size_t>(largest));
    return true;
  }

  // Sweeps until the velocities they still change are below the inner tolerance. A sweep returns the largest |change| / step [m/s^2].
  void Repeat(const ContactProblem& problem, RowVector* lambda,
              double (NcpStaggered::*sweep)(const ContactProblem&, RowVector*)) {
    for (int k = 0; k < kInnerSweeps; ++k) {
      if (!((this->*sweep)(problem, lambda) > kInnerShare * velocity_limit_)) return;
    }
  }

  void Sigma(const ContactProblem& problem, int i, const RowVector& lambda) {
    const int o = problem.G.offset(i);
    problem.G.RowTimes(i, lambda, row_.data());
    for (int r = 0; r < problem.G.size(i); ++r) {
      row_[static_cast<std::size_t>(r)] +=
          problem.R[o + r] * lambda[o + r] + problem.g[o + r] - problem.target[o + r];
    }
  }

  double NormalSweep(const ContactProblem& problem, RowVector* lambda) {
    double largest = 0;
    for (int i = 0; i < problem.block_count(); ++i) {
      const int o = problem.G.offset(i), size = problem.G.size(i);
      const BlockType type = problem.types[static_cast<std::size_t>(i)];
      for (int r = type == BlockType::kCoulomb ? 2 : 0; r < size; ++r) {
        const double diagonal = problem.G.diagonal_data(i)[r * size + r] + problem.R[o + r];
        if (diagonal == 0) continue;
        Sigma(problem, i, *lambda);
        double& l = (*lambda)[o + r];
        double next = l - row_[static_cast<std::size_t>(r)] / diagonal;
        if (type != BlockType::kEquality) next = std::max(next, 0.0);
        largest = std::max(largest, std::abs(next - l) * diagonal);
        l = next;
      }
    }
    return largest;
  }

  double TangentSweep(const ContactProblem& problem, RowVector* lambda) {
    double largest = 0;
    for (int i = 0; i < problem.block_count(); ++i) {
      if (problem.types[static_cast<std::size_t>(i)] != BlockType::kCoulomb) continue;
      const Steps& s = steps_[static_cast<std::size_t>(i)];
      if (s.disk == 0) continue;
      Sigma(problem, i, *lambda);
      double* l = lambda->data() + problem.G.offset(i);
      const double radius = problem.mu[i] * l[2], x = l[0], y = l[1];
      MoveInDisk(s, radius, l);
      largest = std::max({largest, std::abs(l[0] - x) / s.disk, std::abs(l[1] - y) / s.disk});
    }
    return largest;
  }

  void MoveInDisk(const Steps& s, double radius, double* l) const {
    l[0] -= s.disk * row_[0], l[1] -= s.disk * row_[1];
    const double length = std::hypot(l[0], l[1]);
    if (length > radius) l[0] *= radius / length, l[1] *= radius / length;
  }

  // Friction a step towards the new one; both satisfy the bound of the present normal forces only if the old one is shrunk to it.
  void Relax(const ContactProblem& problem, RowVector* lambda) const {
    for (int i = 0; i < problem.block_count(); ++i) {
      if (problem.types[static_cast<std::size_t>(i)] != BlockType::kCoulomb) continue;
      const int o = problem.G.offset(i);
      for (int r = o; r < o + 2; ++r) (*lambda)[r] = old_[r] + config_.relaxation * ((*lambda)[r] - old_[r]);
      const Eigen::Vector3d l = lambda->segment<3>(o);
      const double radius = problem.mu[i] * l.z(), length = l.head<2>().norm();
      if (length > radius) lambda->segment<2>(o) *= radius / length;
    }
  }

  std::vector<Steps> steps_;
  std::vector<double> row_;
  RowVector before_, old_;
};

}  // namespace

std::unique_ptr<ContactSolver> MakeNcpStaggered(const ContactSolverConfig& config) {
  return std::make_unique<NcpStaggered>(config);
}

}  // namespace tread
