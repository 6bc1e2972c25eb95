#include <memory>
#include <proxsuite/proxqp/dense/dense.hpp>
#include <proxsuite/proxqp/sparse/sparse.hpp>
#include <vector>

#include "control/qp/qp.h"

namespace tread {
namespace {

using proxsuite::nullopt;
using DenseSolver = proxsuite::proxqp::dense::QP<double>;
using SparseSolver = proxsuite::proxqp::sparse::QP<double, int>;

class ProxQp final : public QpSolver {
 public:
  explicit ProxQp(const QpConfig& config) : config_(config) {}

  void Solve(const DenseQp& qp, QpResult* result) override {
    const Eigen::Index n = qp.H.rows(), m = qp.C.rows();
    DenseSolver* solver = nullptr;
    for (auto& known : dense_) {
      if (known->model.dim == n && known->model.n_in == m) solver = known.get();
    }
    if (solver == nullptr) {
      dense_.push_back(std::make_unique<DenseSolver>(n, 0, m));
      solver = dense_.back().get();
      Configure(&solver->settings);
      solver->init(qp.H, qp.g, nullopt, nullopt, qp.C, qp.l, qp.u);
    } else {
      solver->update(qp.H, qp.g, nullopt, nullopt, qp.C, qp.l, qp.u);
    }
    Run(solver, n, m, result);
  }

  void Solve(const SparseQp& qp, QpResult* result) override {
    const Eigen::Index n = qp.H.rows(), m = qp.C.rows(), equal = qp.equalities, rest = m - equal;
    const bool known =
        sparse_ && sparse_->model.dim == n && sparse_->model.n_in == rest && sparse_->model.n_eq == equal;
    if (!known) {
      A_ = qp.C.topRows(equal);
      C_ = qp.C.bottomRows(rest);
    }
    Split(qp);
    if (known) {
      sparse_->update(qp.H, qp.g, A_, qp.u.head(equal), C_, qp.l.tail(rest), qp.u.tail(rest));
    } else {
      sparse_ = std::make_unique<SparseSolver>(n, equal, rest);
      Configure(&sparse_->settings);
      sparse_->init(qp.H, qp.g, A_, qp.u.head(equal), C_, qp.l.tail(rest), qp.u.tail(rest));
    }
    if (result->x.size() != n || result->y.size() != m) {
      result->x.setZero(n);
      result->y.setZero(m);
    }
    sparse_->solve(result->x, result->y.head(equal), result->y.tail(rest));
    if (!Read(*sparse_, result)) return;
    result->y.head(equal) = sparse_->results.y;
    result->y.tail(rest) = sparse_->results.z;
  }

 private:
  template <typename Settings>
  void Configure(Settings* settings) const {
    settings->eps_abs = config_.eps_abs;
    settings->eps_rel = 0;
    settings->max_iter = config_.max_iterations;
    settings->max_iter_in = config_.max_iterations;
    settings->verbose = false;
    settings->compute_timings = false;
    settings->initial_guess = proxsuite::proxqp::InitialGuessStatus::WARM_START;
  }

  // Values of C into its two parts, whose patterns stay: both keep the order of the rows within a column.
  void Split(const SparseQp& qp) {
    double *top = A_.valuePtr(), *bottom = C_.valuePtr();
    for (Eigen::Index e = 0; e < qp.C.nonZeros(); ++e)
      (qp.C.innerIndexPtr()[e] < qp.equalities ? *top++ : *bottom++) = qp.C.valuePtr()[e];
  }

  void Run(DenseSolver* solver, Eigen::Index n, Eigen::Index m, QpResult* result) {
    if (result->x.size() != n || result->y.size() != m) {
      result->x.setZero(n);
      result->y.setZero(m);
    }
    solver->solve(result->x, none_, result->y);
    if (Read(*solver, result)) result->y = solver->results.z;
  }

  // Status and x; false when there is nothing to use.
  template <typename Solver>
  static bool Read(const Solver& solver, QpResult* result) {
    const auto& info = solver.results.info;
    using Status = proxsuite::proxqp::QPSolverOutput;
    result->status = info.status == Status::PROXQP_SOLVED             ? QpStatus::kSolved
                     : info.status == Status::PROXQP_MAX_ITER_REACHED ? QpStatus::kMaxIterations
                                                                      : QpStatus::kFailed;
    result->iterations = static_cast<int>(info.iter);
    result->primal_residual = info.pri_res;
    result->dual_residual = info.dua_res;
    if (!solver.results.x.allFinite()) result->status = QpStatus::kFailed;
    if (result->status == QpStatus::kFailed) return false;
    result->x = solver.results.x;
    return true;
  }

  QpConfig config_;
  std::vector<std::unique_ptr<DenseSolver>> dense_;  // one per size
  std::unique_ptr<SparseSolver> sparse_;
  Eigen::SparseMatrix<double, Eigen::ColMajor, int> A_, C_;  // equalities and the rest of a sparse problem
  const Eigen::VectorXd none_ = Eigen::VectorXd::Zero(0);
};

}  // namespace

std::unique_ptr<QpSolver> MakeProxQp(const QpConfig& config) {
  return std::make_unique<ProxQp>(config);
}

}  // namespace tread
