// Quadratic programs in one form, and the solvers behind one interface.
//
//   min 1/2 x' H x + g' x   subject to   l <= C x <= u        x: n, C: m x n; infinite bounds are +-kUnbounded
//
// Dense problems go to ProxQP's dense backend or OSQP, sparse ones to OSQP or ProxQP's sparse backend. A solver keeps what it has set up as long as
// the size stays the same; the result holds the warm start (x, y) on entry. y: multipliers of C x, positive at the upper bound.
// Whatever a library allocates is its own; this layer allocates only when a problem of a new size comes.
#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <memory>

namespace tread {

inline constexpr double kUnbounded = 1e20;

struct DenseQp {
  Eigen::MatrixXd H, C;
  Eigen::VectorXd g, l, u;
};

struct SparseQp {
  Eigen::SparseMatrix<double, Eigen::ColMajor, int> H,
      C;  // H: upper triangle; the pattern stays, values change
  Eigen::VectorXd g, l, u;
  int equalities = 0;  // the first rows of C, where l = u
};

enum class QpStatus { kSolved, kMaxIterations, kFailed };

struct QpResult {
  Eigen::VectorXd x, y;
  QpStatus status = QpStatus::kFailed;
  int iterations = 0;
  double primal_residual = 0, dual_residual = 0;  // as the library states them, in the units of the problem
};

struct QpConfig {
  double eps_abs = 1e-5;
  int max_iterations = 4000;
};

class QpSolver {
 public:
  virtual ~QpSolver() = default;
  virtual void Solve(const DenseQp& qp, QpResult* result) = 0;
  virtual void Solve(const SparseQp& qp, QpResult* result) = 0;
};

std::unique_ptr<QpSolver> MakeOsqp(const QpConfig& config);
std::unique_ptr<QpSolver> MakeProxQp(const QpConfig& config);

}  // namespace tread
