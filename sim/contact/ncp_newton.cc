#include "sim/contact/ncp_newton.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/contact/dense_panel.h"
#include "sim/contact/ncp_pgs.h"

namespace tread {
namespace {

using Eigen::Matrix2d;
using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr double kRegularisation = 1e-9;  // of 1 / rho
constexpr int kHalvings = 6;
constexpr int kFirstSweeps = 10, kMostSweeps = 320;
constexpr int kPatience = 60;  // iterations without a smaller residual before giving up

ContactSolverConfig SweepConfig(ContactSolverConfig config) {
  config.budget = kFirstSweeps;
  config.relaxation = 1;
  config.paper_step = false;
  return config;
}

class NcpNewton final : public ContactSolver {
 public:
  explicit NcpNewton(const ContactSolverConfig& config)
      : ContactSolver(config, ContactLaw::kNcp), sweeps_(MakeNcpPgs(SweepConfig(config))) {}

 private:
  SolveStatus Run(const ContactProblem& problem, ContactSolution* solution) override {
    if (!Prepare(problem)) return SolveStatus::kFailed;
    RowVector& lambda = solution->lambda;
    best_ = lambda;
    double best_residual = HUGE_VAL;
    int rounds = 1, since_best = 0;
    bool sweep = true;  // a few cheap sweeps first find out who sticks and who slides
    for (int k = 1; k <= iteration_limit(); ++k) {
      if (sweep) {
        for (int r = 0; r < rounds; ++r) Sweep(problem, &lambda);
        rounds = std::min(2 * rounds, kMostSweeps / kFirstSweeps);
      }
      const double before = Residual(problem, lambda);
      const double after = NewtonStep(problem, before, &lambda);
      if (!std::isfinite(after)) return SolveStatus::kFailed;
      sweep = after > 0.5 * before;
      solution->iterations = k;
      Trace(problem, lambda, k);
      since_best = after < 0.99 * best_residual ? 0 : since_best + 1;
      if (after < best_residual) best_residual = after, best_ = lambda;
      if (!tests()) continue;
      trial_ = lambda;
      ProjectOnCones(problem, &trial_);
      if (Recheck(problem, trial_)) {
        lambda = trial_;
        return SolveStatus::kConverged;
      }
      if (since_best > kPatience) break;
    }
    lambda = best_;
    ProjectOnCones(problem, &lambda);
    if (Recheck(problem, lambda)) return SolveStatus::kConverged;
    return solution->iterations < iteration_limit() ? SolveStatus::kStalled : SolveStatus::kMaxIterations;
  }

  // rho per row; false when a diagonal is negative.
  bool Prepare(const ContactProblem& problem) {
    rho_.resize(problem.rows());
    for (int i = 0; i < problem.block_count(); ++i) {
      const int o = problem.G.offset(i), size = problem.G.size(i);
      const auto G = problem.G.Diagonal(i);
      for (int r = 0; r < size; ++r) {
        const double diagonal = G(r, r) + problem.R[o + r];
        if (diagonal < 0) return false;
        rho_[o + r] = diagonal > 0 ? 1 / diagonal : 1;
      }
      if (problem.types[static_cast<std::size_t>(i)] != BlockType::kCoulomb) continue;
      const double a = G(0, 0) + problem.R[o], b = G(1, 1) + problem.R[o + 1], c = G(0, 1);
      const double largest = 0.5 * (a + b) + std::hypot(0.5 * (a - b), c);
      rho_[o] = rho_[o + 1] = largest > 0 ? 1 / largest : 1;
    }
    const auto n = static_cast<std::size_t>(problem.rows());
    jacobian_.resize(n * n), pivots_.resize(n), buffer_.resize(4 * n);
    return true;
  }

  void Sweep(const ContactProblem& problem, RowVector* lambda) {
    swept_.lambda = *lambda;
    if (sweeps_->Solve(problem, &swept_) != SolveStatus::kFailed) *lambda = swept_.lambda;
  }

  // P at y of one contact, and its derivative D where asked for.
  static Vector3d Project(double mu, const Vector3d& y, Matrix3d* D) {
    const double n = std::max(0.0, y.z()), radius = mu * n, length = y.head<2>().norm();
    if (D != nullptr) D->setZero();
    Vector3d p(y.x(), y.y(), n);
    if (D != nullptr && y.z() > 0) (*D)(2, 2) = 1;
    if (length <= radius) {
      if (D != nullptr) D->topLeftCorner<2, 2>().setIdentity();
      return p;
    }
    const Vector2d t = y.head<2>() / length;
    p.head<2>() = radius * t;
    if (D != nullptr) {
      D->topLeftCorner<2, 2>() = (radius / length) * (Matrix2d::Identity() - t * t.transpose());
      if (y.z() > 0) D->topRightCorner<2, 1>() = mu * t;
    }
    return p;
  }

  // F of block i into residual_.
  void BlockResidual(const ContactProblem& problem, int i, const RowVector& lambda) {
    const int o = problem.G.offset(i), size = problem.G.size(i);
    switch (problem.types[static_cast<std::size_t>(i)]) {
      case BlockType::kCoulomb: {
        const Vector3d l = lambda.segment<3>(o);
        const Vector3d y = l - rho_.segment<3>(o).cwiseProduct(sigma_.segment<3>(o));
        residual_.segment<3>(o) = l - Project(problem.mu[i], y, nullptr);
        break;
      }
      case BlockType::kLimit:
        residual_[o] = lambda[o] - std::max(0.0, lambda[o] - rho_[o] * sigma_[o]);
        break;
      case BlockType::kEquality:
        residual_.segment(o, size) = rho_.segment(o, size).cwiseProduct(sigma_.segment(o, size));
        break;
    }
  }

  // |F|; leaves sigma_ and residual_ of lambda.
  double Residual(const ContactProblem& problem, const RowVector& lambda) {
    ComputeSigma(problem, lambda, &sigma_);
    residual_.resize(problem.rows());
    for (int i = 0; i < problem.block_count(); ++i) BlockResidual(problem, i, lambda);
    return residual_.norm();
  }

  // Rows of block i: (I - D) + D rho (A + eps).
  void FillRows(const ContactProblem& problem, int i, const RowVector& lambda) {
    const int o = problem.G.offset(i), size = problem.G.size(i);
    const BlockType type = problem.types[static_cast<std::size_t>(i)];
    Matrix3d D = Matrix3d::Identity();
    if (type == BlockType::kCoulomb) {
      const Vector3d y = lambda.segment<3>(o) - rho_.segment<3>(o).cwiseProduct(sigma_.segment<3>(o));
      Project(problem.mu[i], y, &D);
    }
    double* jacobian = jacobian_.data();
    const bool open = type == BlockType::kLimit && lambda[o] - rho_[o] * sigma_[o] <= 0;
    for (int slot = problem.G.row_begin(i); slot < problem.G.row_end(i); ++slot) {
      const int j = problem.G.column(slot), columns = problem.G.size(j), oj = problem.G.offset(j);
      const Eigen::Map<const Eigen::MatrixXd> G(problem.G.block_data(slot), size, columns);
      for (int c = 0; c < columns; ++c) {
        for (int r = 0; r < size; ++r) {
          double sum = 0;
          if (type == BlockType::kCoulomb) {
            for (int m = 0; m < 3; ++m) sum += D(r, m) * rho_[o + m] * Entry(problem, i, j, o, m, c, G(m, c));
            if (i == j) sum += (r == c ? 1.0 : 0.0) - D(r, c);
          } else {
            const bool diagonal = i == j && r == c;
            sum = open ? (diagonal ? 1.0 : 0.0) : rho_[o + r] * Entry(problem, i, j, o, r, c, G(r, c));
          }
          jacobian[o + r + static_cast<std::ptrdiff_t>(oj + c) * problem.rows()] = sum;
        }
      }
    }
  }

  // Of A + eps.
  double Entry(const ContactProblem& problem, int i, int j, int o, int r, int c, double G) const {
    return i == j && r == c ? G + problem.R[o + r] + kRegularisation / rho_[o + r] : G;
  }

  // Moves lambda where that makes |F| smaller; returns |F| after.
  double NewtonStep(const ContactProblem& problem, double before, RowVector* lambda) {
    const int n = problem.rows();
    std::fill(jacobian_.begin(), jacobian_.end(), 0.0);
    for (int i = 0; i < problem.block_count(); ++i) FillRows(problem, i, *lambda);
    if (!FactorLu(n, jacobian_.data(), pivots_.data(), buffer_.data())) return before;
    step_ = residual_;
    SolveLu(n, jacobian_.data(), pivots_.data(), step_.data());
    if (!((0.0 * step_).sum() == 0.0)) return before;  // singular: sweeps go on
    double length = 1;
    for (int h = 0; h < kHalvings; ++h, length *= 0.5) {
      trial_ = *lambda - length * step_;
      const double after = Residual(problem, trial_);
      if (after < (1 - 1e-4 * length) * before) {
        *lambda = trial_;
        return after;
      }
    }
    return before;
  }

  void ProjectOnCones(const ContactProblem& problem, RowVector* lambda) const {
    for (int i = 0; i < problem.block_count(); ++i) {
      const int o = problem.G.offset(i);
      const BlockType type = problem.types[static_cast<std::size_t>(i)];
      if (type == BlockType::kLimit) (*lambda)[o] = std::max(0.0, (*lambda)[o]);
      if (type == BlockType::kCoulomb)
        lambda->segment<3>(o) = Project(problem.mu[i], lambda->segment<3>(o), nullptr);
    }
  }

  std::unique_ptr<ContactSolver> sweeps_;
  ContactSolution swept_;
  RowVector rho_, residual_, trial_, best_, step_;
  std::vector<double> jacobian_, buffer_;  // column-major; of the factorisation
  std::vector<int> pivots_;
};

}  // namespace

std::unique_ptr<ContactSolver> MakeNcpNewton(const ContactSolverConfig& config) {
  return std::make_unique<NcpNewton>(config);
}

}  // namespace tread
