#include "experiments/benchmarks/bare_solvers.h"

#ifndef NDEBUG
#define NDEBUG
#endif
#include <Eigen/Cholesky>
#include <chrono>
#include <pinocchio/algorithm/admm-solver.hpp>
#include <pinocchio/algorithm/delassus-operator-dense.hpp>
#include <pinocchio/algorithm/pgs-solver.hpp>
#include <stdexcept>
#include <string>
#include <vector>

// The ADMM's class is marked as one whose interface may change.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace tread {
namespace {

constexpr int kMostIterations = 10000;

double MicrosecondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
}

// Dense, with the compliance on the diagonal: equal problems for both.
struct DenseProblem {
  explicit DenseProblem(const ContactProblem& p) : G(p.G.ToDense()), g(p.g - p.target) {
    G.diagonal() += p.R;
    for (int i = 0; i < p.block_count(); ++i) {
      if (p.types[static_cast<std::size_t>(i)] != BlockType::kCoulomb)
        throw std::invalid_argument("a bare solver takes contacts only");
      cones.emplace_back(p.mu[i]);
    }
  }
  Eigen::MatrixXd G;
  Eigen::VectorXd g;
  std::vector<pinocchio::CoulombFrictionConeTpl<double>> cones;
};

class BarePgs final : public BareSolver {
 public:
  explicit BarePgs(const ContactProblem& p) : problem_(p), solver_(p.rows()), x_(p.rows()) {
    solver_.setRelativePrecision(0);
    solver_.setMaxIterations(kMostIterations);
  }
  double Call(double tolerance, RowVector* lambda) override {
    solver_.setAbsolutePrecision(tolerance);
    x_.setZero();
    const auto start = std::chrono::steady_clock::now();
    solver_.solve(problem_.G, problem_.g, problem_.cones, x_);
    const double us = MicrosecondsSince(start);
    *lambda = x_;
    return us;
  }

 private:
  DenseProblem problem_;
  pinocchio::PGSContactSolverTpl<double> solver_;
  Eigen::VectorXd x_;
};

class BareAdmm final : public BareSolver {
 public:
  explicit BareAdmm(const ContactProblem& p) : problem_(p), zero_(Eigen::VectorXd::Zero(p.rows())) {}
  // The operator belongs to the problem, and is counted; the solver is a workspace that a user would keep, and is not.
  double Call(double tolerance, RowVector* lambda) override {
    pinocchio::ADMMContactSolverTpl<double> solver(static_cast<int>(zero_.size()));
    solver.setAbsolutePrecision(tolerance);
    solver.setRelativePrecision(0);
    solver.setMaxIterations(kMostIterations);
    using Guess = boost::optional<const Eigen::Ref<const Eigen::VectorXd>>;
    const auto start = std::chrono::steady_clock::now();
    pinocchio::DelassusOperatorDenseTpl<double> delassus(problem_.G);
    solver.solve(delassus, problem_.g, problem_.cones, zero_, Guess(zero_), Guess(), true);
    const double us = MicrosecondsSince(start);
    *lambda = solver.getPrimalSolution();
    return us;
  }

 private:
  DenseProblem problem_;
  Eigen::VectorXd zero_;
};

}  // namespace

std::unique_ptr<BareSolver> MakeBareSolver(const std::string& name, const ContactProblem& problem) {
  if (name == "pinocchio_pgs") return std::make_unique<BarePgs>(problem);
  if (name == "pinocchio_admm") return std::make_unique<BareAdmm>(problem);
  throw std::invalid_argument(name + ": no such bare solver");
}

}  // namespace tread
