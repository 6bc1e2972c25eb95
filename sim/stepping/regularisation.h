// Contacts as MuJoCo and Drake soften them: compliance R and target c* of one contact, for any solver of the table.
//
// mujoco: impedance d(gap) between dmin and dmax over `width`, R_n = (1 - d)/d G_nn, R_t = R_n / impratio. The reference acceleration
//   a_ref = -b v - k d gap (normal), -b v (tangents),  b = 2/(dmax T),  k = 1/(dmax^2 T^2 damping_ratio^2),  T >= 2 dt
//   becomes c* = a_ref + v/dt, because g = J v_free/dt contains v/dt.
// drake (SAP): w = |G_ii|_F / 3, R_n = max(beta^2 w/(4 pi^2), 1/(dt k (dt + tau))), R_t = 1e-3 w, c*_n = -gap/(dt + tau)/dt, c*_t = 0; k the material's
//   stiffness (rigid: the first term of R_n), tau its damping / stiffness, or the default below.
//
// v is the relative velocity at the start of the step, gap <= 0. Contacts that have not closed (gap > 0) do not exist for either simulator: they
// keep the rigid rule -gap/dt^2 and get R alone. Restitution is left to the spring. Not modelled: pyramids, margins, mixing of
// solver parameters of two geometries.
// Reference: MuJoCo documentation, Computation; Castro, Permenter, Han, An Unconstrained Convex Formulation of Compliant Contact, 2022.
#pragma once

#include <Eigen/Core>

namespace tread {

enum class Regularisation { kNone, kMujoco, kDrake };

struct RegularisationConfig {
  Regularisation model = Regularisation::kNone;
  double time_constant = 0.02, damping_ratio = 1;  // [s], 1: mujoco's solref
  double dmin = 0.9, dmax = 0.95, width = 0.001;   // 1, 1, [m]: mujoco's solimp, power 2, midpoint 0.5
  double impratio = 1;
  double beta = 1;     // drake: share of the near-rigid limit
  double tau = 0.001;  // [s] drake: relaxation time of rigid materials
};

struct SoftContact {
  Eigen::Vector3d R = Eigen::Vector3d::Zero();       // [1/kg], t1, t2, n
  Eigen::Vector3d target = Eigen::Vector3d::Zero();  // c* [m/s^2]
};

// G: diagonal block of the contact, column-major 3 x 3. stiffness 0: rigid material. model must not be kNone.
SoftContact Soften(const RegularisationConfig& config, double gap, const Eigen::Vector3d& v, const double* G,
                   double stiffness, double damping, double dt);

}  // namespace tread
