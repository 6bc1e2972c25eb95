#include "sim/contact/pinocchio_solvers.h"

// Its assertions hold a projection to 1e-12 N, which forces of 1e4 N miss by rounding: off, in debug builds too.
#ifndef NDEBUG
#define NDEBUG
#endif
#include <Eigen/Cholesky>
#include <algorithm>
#include <optional>
#include <pinocchio/algorithm/admm-solver.hpp>
#include <pinocchio/algorithm/delassus-operator-dense.hpp>
#include <pinocchio/algorithm/pgs-solver.hpp>
#include <vector>

// The ADMM's class is marked as one whose interface may change.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace tread {
namespace {

using Cone = pinocchio::CoulombFrictionConeTpl<double>;

// The problem as the library wants it: three rows per block, dense.
struct DenseProblem {
  Eigen::MatrixXd G;     // without R
  Eigen::VectorXd R, g;  // g = ours - c*
  Eigen::VectorXd x;     // forces, in and out
  std::vector<Cone> cones;
  std::vector<int> row;  // of ours, its row here

  int size() const { return static_cast<int>(g.size()); }
  // False for what the library cannot represent.
  bool Load(const ContactProblem& problem);
  void LoadForces(const RowVector& lambda) { Scatter(lambda, &x); }
  void StoreForces(RowVector* lambda) const { Gather(x, lambda); }
  void Scatter(const RowVector& ours, Eigen::VectorXd* theirs) const {
    theirs->setZero(size());
    for (Eigen::Index i = 0; i < ours.size(); ++i) (*theirs)[row[static_cast<std::size_t>(i)]] = ours[i];
  }
  void Gather(const Eigen::VectorXd& theirs, RowVector* ours) const {
    ours->resize(static_cast<Eigen::Index>(row.size()));
    for (Eigen::Index i = 0; i < ours->size(); ++i) (*ours)[i] = theirs[row[static_cast<std::size_t>(i)]];
  }

 private:
  bool LoadRows(const ContactProblem& problem);
  void LoadMatrix(const ContactProblem& problem);
};

bool DenseProblem::Load(const ContactProblem& problem) {
  if (!LoadRows(problem)) return false;
  LoadMatrix(problem);
  for (int i = 0; i < size(); ++i) {
    if (!(G(i, i) + R[i] > 0)) return false;
  }
  return true;
}

bool DenseProblem::LoadRows(const ContactProblem& problem) {
  const int n = 3 * problem.block_count();
  cones.clear();
  row.clear();
  R.setZero(n);
  g.setZero(n);
  for (int i = 0; i < problem.block_count(); ++i) {
    const BlockType type = problem.types[static_cast<std::size_t>(i)];
    if (type == BlockType::kEquality || problem.mu[i] < 0) return false;
    const bool limit = type == BlockType::kLimit;
    cones.emplace_back(limit ? 0.0 : problem.mu[i]);
    for (int r = limit ? 2 : 0; r < 3; ++r) {
      const int ours = static_cast<int>(row.size()), theirs = 3 * i + r;
      row.push_back(theirs);
      if (problem.R[ours] < 0) return false;
      R[theirs] = problem.R[ours];
      g[theirs] = problem.g[ours] - problem.target[ours];
    }
  }
  return true;
}

void DenseProblem::LoadMatrix(const ContactProblem& problem) {
  G.setZero(size(), size());
  for (int i = 0; i < problem.block_count(); ++i) {
    const int first = row[static_cast<std::size_t>(problem.G.offset(i))], rows = problem.G.size(i);
    for (int slot = problem.G.row_begin(i); slot < problem.G.row_end(i); ++slot) {
      const int j = problem.G.column(slot);
      const int column = row[static_cast<std::size_t>(problem.G.offset(j))], columns = problem.G.size(j);
      const double* from = problem.G.block_data(slot);
      for (int c = 0; c < columns; ++c) {
        double* to = G.data() + static_cast<Eigen::Index>(column + c) * size() + first;
        for (int r = 0; r < rows; ++r) to[r] = *from++;
      }
    }
    if (rows == 1) G(3 * i, 3 * i) = G(3 * i + 1, 3 * i + 1) = G(3 * i + 2, 3 * i + 2);
  }
}

// What both adapters share: the judge around calls of the library, which go on from where the call before ended.
class Peer : public ContactSolver {
 public:
  explicit Peer(const ContactSolverConfig& config) : ContactSolver(config, ContactLaw::kNcp) {}

 protected:
  virtual void Begin(const ContactSolution& solution) = 0;
  // At most so many iterations at that tolerance; returns how many were made.
  virtual int Call(double tolerance, int limit) = 0;
  virtual void End(ContactSolution*) {}
  virtual double rho() const { return 0; }

  DenseProblem dense_;

 private:
  SolveStatus Run(const ContactProblem& problem, ContactSolution* solution) override {
    if (!dense_.Load(problem)) return SolveStatus::kFailed;
    dense_.LoadForces(solution->lambda);
    Begin(*solution);
    double tolerance = tests() ? std::min({force_limit_, velocity_limit_, power_limit_}) : 0;
    SolveStatus status = SolveStatus::kMaxIterations;
    while (solution->iterations < iteration_limit()) {
      const int left = iteration_limit() - solution->iterations, limit = tracing() ? 1 : left;
      before_ = dense_.x;
      const int made = Call(tolerance, limit);
      solution->iterations += made;
      dense_.StoreForces(&solution->lambda);
      Trace(problem, solution->lambda, solution->iterations, rho());
      if (!dense_.x.allFinite()) return SolveStatus::kFailed;
      if (!tests()) continue;
      if (Recheck(problem, solution->lambda)) {
        status = SolveStatus::kConverged;
        break;
      }
      if (dense_.x == before_ && tolerance == 0) {
        status = SolveStatus::kStalled;
        break;
      }
      if (made < limit || tracing()) tolerance = tolerance > 1e-30 ? 0.1 * tolerance : 0;
    }
    if (status == SolveStatus::kMaxIterations && Recheck(problem, solution->lambda))
      status = SolveStatus::kConverged;
    End(solution);
    return status;
  }

  Eigen::VectorXd before_;
};

class PinocchioPgs final : public Peer {
 public:
  using Peer::Peer;

 private:
  void Begin(const ContactSolution&) override {
    if (!solver_ || solver_->getProblemSize() != dense_.size()) solver_.emplace(dense_.size());
    solver_->setRelativePrecision(0);
    dense_.G.diagonal() += dense_.R;
  }
  int Call(double tolerance, int limit) override {
    solver_->setAbsolutePrecision(tolerance);
    solver_->setMaxIterations(limit);
    solver_->solve(dense_.G, dense_.g, dense_.cones, dense_.x, config_.relaxation);
    return std::min(solver_->getIterationCount() + 1, limit);  // it counts from 0 when it stops early
  }

  std::optional<pinocchio::PGSContactSolverTpl<double>> solver_;
};

// A new matrix in old storage; made anew, the operator would allocate and factorise once in vain.
struct DenseOperator : pinocchio::DelassusOperatorDenseTpl<double> {
  using DelassusOperatorDenseTpl::DelassusOperatorDenseTpl;
  void Replace(const Eigen::MatrixXd& G) {
    delassus_matrix = G;
    damping.setZero();
  }
};

struct AdmmSolver : pinocchio::ADMMContactSolverTpl<double> {
  using ADMMContactSolverTpl::ADMMContactSolverTpl;
  void Forget() {
    is_initialized = false;
    power_iteration_algo.reset();
    rho_power = 0.2;  // as it is constructed
  }
  // The penalty of an earlier solve, as the exponent that the library keeps it as.
  void Recall(double penalty, double smallest_R) {
    rho_power = computeRhoPower(power_iteration_algo.largest_eigen_value, mu_prox + smallest_R, penalty);
  }
};

class PinocchioAdmm final : public Peer {
 public:
  using Peer::Peer;

 private:
  void Begin(const ContactSolution& solution) override {
    if (!solver_ || solver_->getProblemSize() != dense_.size()) {
      solver_.emplace(dense_.size());
      operator_.emplace(dense_.G);
    }
    operator_->Replace(dense_.G);
    solver_->Forget();
    solver_->getPowerIterationAlgo().run(*operator_);
    if (solution.rho > 0) solver_->Recall(solution.rho, dense_.R.minCoeff());
    first_ = true;
    warm_dual_ = static_cast<std::size_t>(solution.dual.size()) == dense_.row.size();
    if (warm_dual_) dense_.Scatter(solution.dual, &dual_);
  }

  int Call(double tolerance, int limit) override {
    solver_->setAbsolutePrecision(tolerance);
    solver_->setMaxIterations(limit);
    using Guess = boost::optional<const Eigen::Ref<const Eigen::VectorXd>>;
    const Guess primal = first_ ? Guess(dense_.x) : Guess(),
                dual = first_ && warm_dual_ ? Guess(dual_) : Guess();
    solver_->solve(*operator_, dense_.g, dense_.cones, dense_.R, primal, dual, false);
    first_ = false;
    dense_.x = solver_->getPrimalSolution();
    return std::min(solver_->getIterationCount(), limit);  // one more than made when the limit came first
  }
  void End(ContactSolution* solution) override {
    dense_.Gather(solver_->getDualSolution(), &solution->dual);
    solution->rho = solver_->getRho();
  }
  double rho() const override { return solver_->getRho(); }

  std::optional<AdmmSolver> solver_;
  std::optional<DenseOperator> operator_;
  Eigen::VectorXd dual_;
  bool first_ = true, warm_dual_ = false;
};

}  // namespace

std::unique_ptr<ContactSolver> MakePinocchioPgs(const ContactSolverConfig& config) {
  return std::make_unique<PinocchioPgs>(config);
}
std::unique_ptr<ContactSolver> MakePinocchioAdmm(const ContactSolverConfig& config) {
  return std::make_unique<PinocchioAdmm>(config);
}

}  // namespace tread
