// Whole-body control: joint torques that give the feet the planned forces, the base the wanted acceleration, the swing feet their path.
//
// Each leg follows its foot: J_l a_l = a_foot - (dJ/dt) v - J_b a_b, so the leg's acceleration is affine in the base's, and the six base rows of
// M a + h = S' tau + J' f make the base's affine in the forces, a_b = P f + p. What is left is a QP in the stance forces alone (6 in a trot):
//
//   min Q1 |P f + p - a*|^2 + Q2 |f - f_mpc|^2    s.t.  |f_x|, |f_y| <= mu f_z,  0 <= f_z <= f_max,  |tau_stance(f)| <= tau_max
//   tau = M a + h - J' f  (joint rows),    total = tau + kp (q* - q) + kd (v* - v)
//
// type dynamics: as above, exact (the full inverse-dynamics QP with the same equalities eliminated). type reactive: the legs' accelerations follow a* and
// not the corrected base acceleration, and torques are not limited: the force QP of the reactive walking controller. Both on measured joints.
// The path of a swing foot enters as PD on joints too: q* = q + J_l^-1 (p* - p), at most 3 cm away.
// Breaks: stretched legs (J_l is inverted with damping), feet that slip. Reference: Leziart et al. 2021; Kim et al. 2019.
#pragma once

#include <Eigen/Core>
#include <array>
#include <memory>
#include <string>

#include "control/qp/qp.h"
#include "control/qp/unconstrained.h"
#include "control/swing.h"
#include "robots/robot.h"
#include "robots/state.h"

namespace tread {

struct WbcConfig {
  std::string type = "dynamics";                // dynamics | reactive
  double angular_weight = 0.001;                // of the base's angular against its linear acceleration [m^2]
  double base_weight = 20, force_weight = 1.0;  // Q1, Q2
  double kp_height = 100, kd_height = 10;       // [1/s^2], [1/s]
  double kp_angle = 100, kd_angle = 20;         // roll, pitch, yaw
  double max_acceleration = 1.0;                // [m/s^2] horizontal, wanted: more is left to the MPC
  double kd_velocity = 10;                      // horizontal
  double kp_swing = 400, kd_swing = 40;
  double kd_contact = 20;               // stance feet are braked
  double kp_joint = 3, kd_joint = 0.2;  // [N m/rad], [N m s/rad]
  double friction = 0.5, max_force = 25;
  double max_torque = 2.5;  // [N m]
  QpConfig solver{1e-4, 50};
};

struct WbcTarget {
  std::array<char, 4> stance{};
  std::array<Eigen::Vector3d, 4> forces;          // planned, world axes
  std::array<FootReference, 4> feet;              // swing feet: where they should be
  double height = 0;                              // of the base [m]
  Eigen::Vector3d rpy = Eigen::Vector3d::Zero();  // wanted minus measured orientation, about world axes [rad]
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();  // of the base, world axes
  double yaw_rate = 0;
};

struct WbcReport {
  QpStatus status = QpStatus::kFailed;
  int iterations = 0, failures = 0;
  std::array<Eigen::Vector3d, 4> forces;  // what the torques are meant to give
  double time_us = 0;
};

class Wbc {
 public:
  Wbc(const WbcConfig& config, const Robot& robot);
  // The robot holds the terms of the measured state (q, v). Writes all parts of the command.
  void Compute(const Robot& robot, const State& state, const WbcTarget& target, JointCommand* command);
  const WbcReport& report() const { return report_; }

 private:
  struct Leg {
    int dof = 0;                        // first of three
    Eigen::Vector3d p, v;               // of the foot
    Eigen::Matrix<double, 3, 6> Jb, A;  // a_l = c - A a_b
    Eigen::Matrix3d Jl, Jl_inverse;
    Eigen::Vector3d c;
  };
  using Vector6 = Eigen::Matrix<double, 6, 1>;

  void UpdateLeg(const Robot& robot, const WbcTarget& target, std::size_t i);
  Vector6 WantedBaseAcceleration(const Robot& robot, const WbcTarget& target) const;
  void BuildQp(const WbcTarget& target, const Vector6& wanted);
  void WriteCommand(const State& state, const WbcTarget& target, JointCommand* command);

  WbcConfig config_;
  std::unique_ptr<QpSolver> solver_;
  Unconstrained shortcut_[5];  // by number of stance feet
  std::array<Leg, 4> legs_;
  std::array<int, 4> column_{};  // of a stance foot's force in the QP, -1 in swing
  Eigen::Matrix<double, 18, 18> M_;
  Eigen::Matrix<double, 18, 1> h_;
  Eigen::Matrix<double, 6, 12> P_;  // a_b = P f + p; the first columns are used
  Vector6 p_, wanted_;
  DenseQp qp_[5];        // by number of stance feet
  QpResult results_[5];  // by number of stance feet
  WbcReport report_;
};

}  // namespace tread
