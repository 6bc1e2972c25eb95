#include <osqp.h>

#include <algorithm>
#include <vector>

#include "control/qp/qp.h"

namespace tread {
namespace {

using Sparse = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;

struct CloseWork {
  void operator()(OSQPWorkspace* work) const { osqp_cleanup(work); }
};

// One set-up problem of fixed size and pattern.
struct Setup {
  Eigen::Index n = 0, m = 0, entries = 0;
  std::unique_ptr<OSQPWorkspace, CloseWork> work;
};

csc View(const Sparse& matrix) {
  csc view{};
  view.m = static_cast<c_int>(matrix.rows());
  view.n = static_cast<c_int>(matrix.cols());
  view.nzmax = static_cast<c_int>(matrix.nonZeros());
  view.nz = -1;
  view.p = const_cast<c_int*>(matrix.outerIndexPtr());
  view.i = const_cast<c_int*>(matrix.innerIndexPtr());
  view.x = const_cast<c_float*>(matrix.valuePtr());
  return view;
}

class Osqp final : public QpSolver {
 public:
  explicit Osqp(const QpConfig& config) : config_(config) {}

  void Solve(const SparseQp& qp, QpResult* result) override {
    Setup& setup = Find(qp);
    if (!setup.work) {
      result->status = QpStatus::kFailed;
      return;
    }
    OSQPWorkspace* work = setup.work.get();
    osqp_update_P_A(work, qp.H.valuePtr(), OSQP_NULL, static_cast<c_int>(qp.H.nonZeros()), qp.C.valuePtr(),
                    OSQP_NULL, static_cast<c_int>(qp.C.nonZeros()));
    osqp_update_lin_cost(work, qp.g.data());
    osqp_update_bounds(work, qp.l.data(), qp.u.data());
    if (result->x.size() == setup.n && result->y.size() == setup.m)
      osqp_warm_start(work, result->x.data(), result->y.data());
    osqp_solve(work);
    Read(*work, setup, result);
  }

  // The dense matrices in OSQP's sparse form: H's upper triangle is full, C keeps every entry.
  void Solve(const DenseQp& qp, QpResult* result) override {
    const Eigen::Index n = qp.H.rows(), m = qp.C.rows();
    SparseQp& s = sparse_;
    if (s.H.rows() != n || s.C.rows() != m) Shape(n, m);
    double* h = s.H.valuePtr();
    for (Eigen::Index j = 0; j < n; ++j) h = std::copy(qp.H.col(j).data(), qp.H.col(j).data() + j + 1, h);
    std::copy(qp.C.data(), qp.C.data() + m * n, s.C.valuePtr());
    s.g = qp.g;
    s.l = qp.l;
    s.u = qp.u;
    Solve(s, result);
  }

 private:
  void Shape(Eigen::Index n, Eigen::Index m) {
    sparse_.H =
        Sparse(Eigen::MatrixXd(Eigen::MatrixXd::Ones(n, n).triangularView<Eigen::Upper>()).sparseView());
    sparse_.C = Sparse(Eigen::MatrixXd::Ones(m, n).sparseView());
  }

  Setup& Find(const SparseQp& qp) {
    const Eigen::Index entries = qp.H.nonZeros() + qp.C.nonZeros();
    for (Setup& setup : setups_) {
      if (setup.n == qp.H.rows() && setup.m == qp.C.rows() && setup.entries == entries) return setup;
    }
    Setup& setup = setups_.emplace_back();
    setup.n = qp.H.rows();
    setup.m = qp.C.rows();
    setup.entries = entries;
    csc H = View(qp.H), C = View(qp.C);
    OSQPData data{};
    data.n = static_cast<c_int>(setup.n);
    data.m = static_cast<c_int>(setup.m);
    data.P = &H;
    data.A = &C;
    data.q = const_cast<c_float*>(qp.g.data());
    data.l = const_cast<c_float*>(qp.l.data());
    data.u = const_cast<c_float*>(qp.u.data());
    OSQPSettings settings;
    osqp_set_default_settings(&settings);
    settings.verbose = 0;
    settings.eps_abs = config_.eps_abs;
    settings.eps_rel = config_.eps_abs;
    settings.max_iter = config_.max_iterations;
    settings.adaptive_rho = 1;
    settings.adaptive_rho_interval = 50;  // in iterations: the default is in time, and runs would differ
    settings.check_termination = 10;
    settings.warm_start = 1;
    OSQPWorkspace* work = nullptr;
    osqp_setup(&work, &data, &settings);
    setup.work.reset(work);
    return setup;
  }

  static void Read(const OSQPWorkspace& work, const Setup& setup, QpResult* result) {
    const bool solved =
        work.info->status_val == OSQP_SOLVED || work.info->status_val == OSQP_SOLVED_INACCURATE;
    result->status = solved                                           ? QpStatus::kSolved
                     : work.info->status_val == OSQP_MAX_ITER_REACHED ? QpStatus::kMaxIterations
                                                                      : QpStatus::kFailed;
    result->iterations = static_cast<int>(work.info->iter);
    result->primal_residual = work.info->pri_res;
    result->dual_residual = work.info->dua_res;
    if (result->status == QpStatus::kFailed) return;
    result->x = Eigen::Map<const Eigen::VectorXd>(work.solution->x, setup.n);
    result->y = Eigen::Map<const Eigen::VectorXd>(work.solution->y, setup.m);
  }

  QpConfig config_;
  std::vector<Setup> setups_;
  SparseQp sparse_;
};

}  // namespace

std::unique_ptr<QpSolver> MakeOsqp(const QpConfig& config) {
  return std::make_unique<Osqp>(config);
}

}  // namespace tread
