// Centroidal model predictive control: forces for the feet over one gait period, from a QP that is solved anew every few ticks.
//
// Warm start: the last plan, shifted by the time that has passed. When the solver fails, the shifted plan is kept and the failure counted.
// `qp: auto` takes ProxQP on the condensed form where few feet stand (trot) and OSQP on the sparse form where many do: ProxQP's cost grows with
// the number of forces, OSQP's hardly (measured in docs/design.md).
#pragma once

#include <memory>
#include <string>

#include "control/mpc/centroidal.h"
#include "control/qp/unconstrained.h"

namespace tread {

struct MpcConfig {
  std::string qp = "auto";                // auto | osqp | proxqp
  std::string formulation = "condensed";  // condensed | sparse; auto chooses for itself
  bool shortcut = true;   // condensed: the minimum without constraints, where it satisfies them
  double period = 0.02;   // [s] between solves, and of one node
  int nodes = 0;          // of the horizon; 0: one gait period
  double friction = 0.5;  // the controller's guess of mu, times its own margin
  double max_force = 25;  // [N] per foot, vertical
  CentroidalWeights weights;
  QpConfig solver{1e-3, 1000};  // eps in newtons
};

struct MpcReport {
  QpStatus status = QpStatus::kFailed;
  int iterations = 0, failures = 0;
  double primal_residual = 0, dual_residual = 0, cost = 0, time_us = 0;
};

class CentroidalMpc {
 public:
  explicit CentroidalMpc(const MpcConfig& config);
  // The problem may be changed until Solve; shift: nodes that have passed since the last call.
  CentroidalProblem& problem() { return problem_; }
  void Solve(int shift);
  const ForcePlan& forces() const { return forces_; }
  const MpcReport& report() const { return report_; }

 private:
  void Shift(int nodes);

  MpcConfig config_;
  CentroidalProblem problem_;
  CondensedForm condensed_;
  SparseForm sparse_;
  std::unique_ptr<QpSolver> osqp_, proxqp_;
  Unconstrained shortcut_;
  QpResult dense_result_, sparse_result_;
  ForcePlan forces_;
  MpcReport report_;
};

}  // namespace tread
