// The columns of ticks.csv for one closed loop, and how a tick fills them. Units are SI; names are grouped by prefix.
//
//   t                    end of the tick [s]
//   base.*               p: position, q: quaternion, roll pitch yaw, v / w: world axes, bv: body axes, h: heading axes (yaw only),
//                        g: heading axes, averaged over one gait period
//   cmd.*                commanded velocity, heading axes
//   foot.NAME.*          scheduled, contact, position, force on the robot (world axes), planned force, foothold, slip
//   joint.NAME.*         q, v, tau; saturated: share of the tick's steps in which the torque was clamped
//   body.NAME.*          position, quaternion, velocity of free bodies and further robots (world axes)
//   mpc.*, wbc.*         status (0 solved, 1 max_iterations, 2 failed), iterations, residuals, failures so far, age of the plan [s], time
//   sim.*                contacts, status (0 converged, 1 max_iterations, 2 stalled, 3 failed), criteria, energy, momentum, times;
//                        condition: of G in the last step of the tick, exact; inf where contacts are redundant, nan where the problem
//                        is too large to tell (sim/contact/condition.h)
#pragma once

#include <string>
#include <vector>

#include "experiments/closed_loop.h"
#include "experiments/metrics.h"
#include "experiments/tick_log.h"
#include "sim/contact/condition.h"

namespace tread {

// Roll, pitch, yaw of R = Rz Ry Rx.
Eigen::Vector3d RollPitchYaw(const Eigen::Matrix3d& R);

class TickColumns {
 public:
  // with_condition: whether sim.condition is computed (eigenvalues of G every tick), or left nan where nobody sees the row.
  TickColumns(const ClosedLoop& loop, TickLog* log, bool with_condition = true);
  void Fill();  // the row, from the loop's last tick

  const Eigen::Vector3d& heading_velocity() const { return heading_velocity_; }  // vx, vy, wz
  const Eigen::Vector3d& averaged_velocity() const {
    return averaged_velocity_;
  }  // the same over one gait period

 private:
  void Add(const std::string& prefix, const std::vector<std::string>& names);
  void Put(double value) { (*log_)[next_++] = value; }
  template <typename Vector>
  void PutAll(const Vector& values) {
    for (int i = 0; i < values.size(); ++i) Put(values[i]);
  }
  void FillBase();
  void FillFeetAndJoints();
  void FillBodies();
  void FillSim();
  double Condition();

  const ClosedLoop& loop_;
  TickLog* log_;
  int next_ = 0;
  bool with_condition_, floating_ = false;
  std::vector<MovingMean> means_;
  ConditionNumber condition_;
  Eigen::Vector3d heading_velocity_ = Eigen::Vector3d::Zero(), averaged_velocity_ = Eigen::Vector3d::Zero();
};

}  // namespace tread
