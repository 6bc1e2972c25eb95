// The centroidal model over a horizon, as a QP in two forms: all states and forces (sparse), or the stance forces alone (condensed).
//
//   x = (p, rpy, v, w), 12: centre of mass and base in heading axes;   f_k: one force per stance foot, on the robot
//   p+ = p + dt v,   rpy+ = rpy + dt w,   v+ = v + dt (sum f / m + g),   w+ = w + dt I_k^-1 sum r_i x f_i
//   min  sum_{k=1..N} |x_k - x*_k|^2_Q + sum_{k<N} |f_k - f*_k|^2_R      f*: the weight, shared by the feet in stance
//   |f_x|, |f_y| <= mu f_z,   0 <= f_z <= f_max
//
// Single rigid body, small roll and pitch, lever arms r_i and inertia I_k along the reference instead of the state: linear. Leg inertia is left out.
// Condensed: x_k is affine in the forces, with f_j entering v_k by dt/m and p_k by dt^2 (k - j - 1)/m, so the Hessian's 3 x 3 blocks have closed forms
//   H_ab = S_pp(j, l) (Q_p/m^2 + B_a' Q_r B_b) + S_vv(j, l) (Q_v/m^2 + B_a' Q_w B_b),   B_a = I_j^-1 [r_a]x
//   S_vv = dt^2 (N - max(j, l)),   S_pp = dt^4 sum_k (k - j - 1)(k - l - 1).
// Costs are divided by the force weight, so that the Hessian is at least the identity: tolerances of the solvers then mean newtons.
// References: Di Carlo et al. 2018; Leziart et al. 2021.
#pragma once

#include <Eigen/Core>
#include <array>
#include <vector>

#include "control/qp/qp.h"

namespace tread {

using CentroidalState = Eigen::Matrix<double, 12, 1>;

struct CentroidalWeights {
  CentroidalState state =
      (CentroidalState() << 2, 2, 20, 0.25, 0.25, 10, 0.2, 0.2, 0.2, 0, 0, 0.3).finished();
  double force =
      2e-5;  // per N^2; the tracking knob: larger forces the weight on the feet and velocity lags behind
};

struct CentroidalProblem {
  int nodes = 0;
  double dt = 0.02;                       // [s]
  double mass = 0;                        // [kg]
  double gravity = 9.81;                  // [m/s^2]
  double friction = 0.5, max_force = 25;  // mu, f_max [N]
  CentroidalWeights weights;
  CentroidalState x0;
  std::vector<CentroidalState> reference;        // x*_1 .. x*_N
  std::vector<Eigen::Matrix3d> inverse_inertia;  // per node, heading axes
  std::vector<std::array<char, 4>> stance;       // per node and foot
  std::vector<std::array<Eigen::Vector3d, 4>>
      lever_arms;  // foot minus reference centre of mass, heading axes

  void Resize(int n);
  int stance_count(int node) const;
};

// Forces per node and foot, zero in swing.
using ForcePlan = std::vector<std::array<Eigen::Vector3d, 4>>;

class CondensedForm {
 public:
  const DenseQp& Build(const CentroidalProblem& problem);
  void Read(const QpResult& result, ForcePlan* forces) const;
  // First guess: the plan given, per stance foot; and its multipliers as they were, by node and foot.
  void WarmStart(const ForcePlan& plan, QpResult* result) const;

 private:
  struct Slot {
    int node, foot;
  };
  void FillGradient(const CentroidalProblem& problem);
  void FillConstraints(const CentroidalProblem& problem);

  std::vector<Slot> slots_;
  std::vector<Eigen::Matrix3d> B_, QB_;
  std::vector<Eigen::Vector3d> linear_, angular_;  // gradient per node before the lever arms
  DenseQp qp_;
};

class SparseForm {
 public:
  const SparseQp& Build(const CentroidalProblem& problem);
  void Read(const QpResult& result, ForcePlan* forces) const;
  void WarmStart(const CentroidalProblem& problem, const ForcePlan& plan, QpResult* result) const;

 private:
  void MakePattern(const CentroidalProblem& problem);

  int nodes_ = 0;
  SparseQp qp_;
  std::vector<int> lever_entries_;     // of C's values: 12 columns of 3 per node
  std::vector<int> friction_entries_;  // of C's values: mu
};

}  // namespace tread
