// State and joint command: the two values that cross every interface.
//
// A scene is a list of systems (robots, free bodies); q and v are their stacked configurations and velocities, in scene
// order. Per system Pinocchio's conventions hold: a floating base has q = (p_W, quaternion x y z w) and v = (linear, angular)
// in the BASE frame; joints follow in tree order.
#pragma once

#include <Eigen/Core>

namespace tread {

struct State {
  Eigen::VectorXd q;  // [m, rad], size nq
  Eigen::VectorXd v;  // [m/s, rad/s], size nv
};

// Command for the actuated joints of a scene, all vectors of size na:
//   tau_total = clamp(tau + kp (q - q_meas) + kd (v - v_meas), +-effort limit), evaluated at every simulation step.
struct JointCommand {
  Eigen::VectorXd q, v, tau, kp, kd;  // [rad], [rad/s], [N m], [N m/rad], [N m s/rad]

  static JointCommand Zero(int na) {
    const Eigen::VectorXd z = Eigen::VectorXd::Zero(na);
    return {z, z, z, z, z};
  }
};

}  // namespace tread
