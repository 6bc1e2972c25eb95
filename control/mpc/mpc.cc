#include "control/mpc/mpc.h"

#include <algorithm>
#include <chrono>

namespace tread {
namespace {

// Above this number of forces `auto` leaves the condensed form.
constexpr int kManyForces = 48;

}  // namespace

CentroidalMpc::CentroidalMpc(const MpcConfig& config)
    : config_(config), osqp_(MakeOsqp(config.solver)), proxqp_(MakeProxQp(config.solver)) {}

// The plan as seen from `nodes` later; what comes in at the end repeats the last node.
void CentroidalMpc::Shift(int nodes) {
  const auto n = static_cast<std::size_t>(problem_.nodes);
  const bool first = forces_.size() != n;
  if (first) forces_.assign(n, {});
  const auto s = std::min(static_cast<std::size_t>(std::max(0, nodes)), n);
  std::rotate(forces_.begin(), forces_.begin() + static_cast<std::ptrdiff_t>(s), forces_.end());
  for (std::size_t k = 0; k < n; ++k) {
    const double share =
        problem_.mass * problem_.gravity / std::max(1, problem_.stance_count(static_cast<int>(k)));
    for (std::size_t foot = 0; foot < 4; ++foot) {
      const bool stands = problem_.stance[k][foot] != 0;
      if (!stands) forces_[k][foot].setZero();
      if (stands && forces_[k][foot].z() <= 0) forces_[k][foot] = {0, 0, share};
    }
  }
}

void CentroidalMpc::Solve(int shift) {
  const auto start = std::chrono::steady_clock::now();
  Shift(shift);
  int forces = 0;
  for (int k = 0; k < problem_.nodes; ++k) forces += problem_.stance_count(k);
  const bool automatic = config_.qp == "auto";
  const bool condensed = automatic ? forces <= kManyForces : config_.formulation == "condensed";
  const bool proxqp = automatic ? condensed : config_.qp == "proxqp";
  QpSolver& solver = proxqp ? *proxqp_ : *osqp_;
  QpResult& result = condensed ? dense_result_ : sparse_result_;
  if (condensed) {
    const DenseQp& qp = condensed_.Build(problem_);
    if (!(config_.shortcut && shortcut_.Solve(qp, &result))) {
      condensed_.WarmStart(forces_, &result);
      solver.Solve(qp, &result);
    }
  } else {
    const SparseQp& qp = sparse_.Build(problem_);
    sparse_.WarmStart(problem_, forces_, &result);
    solver.Solve(qp, &result);
  }
  report_.status = result.status;
  report_.iterations = result.iterations;
  report_.primal_residual = result.primal_residual;
  report_.dual_residual = result.dual_residual;
  if (result.status == QpStatus::kFailed || !result.x.allFinite()) {
    ++report_.failures;  // the shifted plan stays
    result.x.resize(0);
  } else if (condensed) {
    condensed_.Read(result, &forces_);
  } else {
    sparse_.Read(result, &forces_);
  }
  report_.time_us =
      std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace tread
