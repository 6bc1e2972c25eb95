#include "experiments/tick_columns.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

namespace tread {
namespace {

using Eigen::Vector3d;

// FL_FOOT -> FL
std::string FootName(const std::string& frame) {
  for (const char* suffix : {"_FOOT", "_foot"}) {
    if (frame.size() > 5 && frame.ends_with(suffix)) return frame.substr(0, frame.size() - 5);
  }
  return frame;
}

}  // namespace

Vector3d RollPitchYaw(const Eigen::Matrix3d& R) {
  return {std::atan2(R(2, 1), R(2, 2)), std::asin(std::clamp(-R(2, 0), -1.0, 1.0)),
          std::atan2(R(1, 0), R(0, 0))};
}

void TickColumns::Add(const std::string& prefix, const std::vector<std::string>& names) {
  for (const std::string& name : names) log_->AddColumn(prefix + name);
}

TickColumns::TickColumns(const ClosedLoop& loop, TickLog* log, bool with_condition)
    : loop_(loop), log_(log), with_condition_(with_condition) {
  Add("", {"t"});
  const Robot* robot = loop.robot();
  floating_ = robot != nullptr && robot->has_floating_base();
  if (floating_) {
    Add("base.", {"px", "py", "pz", "qx", "qy",  "qz",  "qw",  "roll", "pitch", "yaw", "vx",  "vy",
                  "vz", "wx", "wy", "wz", "bvx", "bvy", "bvz", "hvx",  "hvy",   "gvx", "gvy", "gwz"});
    Add("cmd.", {"vx", "vy", "wz"});
    const double window = loop.controller().report().averaging_window;
    means_.assign(3, MovingMean(std::max(1, static_cast<int>(std::lround(window / loop.tick_duration())))));
  }
  if (robot != nullptr) {
    for (const Frame& foot : robot->feet()) {
      Add("foot." + FootName(foot.name) + ".",
          {"scheduled", "contact", "px", "py", "pz", "fx", "fy", "fz", "plan_fx", "plan_fy", "plan_fz",
           "hold_x", "hold_y", "hold_z", "slip"});
    }
    for (const std::string& joint : robot->joint_names())
      Add("joint." + joint + ".", {"q", "v", "tau", "saturated"});
  }
  const auto& systems = loop.simulator().scene().systems;
  for (std::size_t s = robot != nullptr ? 1 : 0; s < systems.size(); ++s) {
    Add("body." + systems[s]->name() + ".",
        {"px", "py", "pz", "qx", "qy", "qz", "qw", "vx", "vy", "vz", "wx", "wy", "wz"});
  }
  Add("sim.", {"contacts",
               "limits",
               "status",
               "unconverged",
               "iterations",
               "fallbacks",
               "saturated",
               "eps_p",
               "eps_d",
               "eps_c",
               "eps_v",
               "eps_w",
               "own_p",
               "own_d",
               "own_c",
               "rigid_d",
               "rigid_c",
               "signorini",
               "dissipation_angle",
               "penetration",
               "anisotropy",
               "condition",
               "normal_force",
               "kinetic",
               "potential",
               "px",
               "py",
               "pz",
               "lx",
               "ly",
               "lz",
               "dynamics_us",
               "collision_us",
               "assembly_us",
               "solve_us",
               "judge_us",
               "integrate_us"});
  Add("mpc.", {"status", "iterations", "primal", "dual", "failures", "age", "time_us"});
  Add("wbc.", {"status", "iterations", "failures", "time_us"});
  Add("", {"control_us"});
}

void TickColumns::FillBase() {
  const Robot& robot = *loop_.robot();
  const Pose& base = robot.poses()[0];
  const BodyVelocity& velocity = robot.velocities()[0];
  const Vector3d rpy = RollPitchYaw(base.R);
  PutAll(base.p);
  PutAll(loop_.simulator().state().q.segment<4>(3));
  PutAll(rpy);
  PutAll(velocity.linear);
  PutAll(velocity.angular);
  PutAll(Vector3d(base.R.transpose() * velocity.linear));
  const double c = std::cos(rpy[2]), s = std::sin(rpy[2]);
  heading_velocity_ = {c * velocity.linear.x() + s * velocity.linear.y(),
                       c * velocity.linear.y() - s * velocity.linear.x(), velocity.angular.z()};
  for (int i = 0; i < 3; ++i)
    averaged_velocity_[i] = means_[static_cast<std::size_t>(i)].Add(heading_velocity_[i]);
  PutAll(heading_velocity_.head<2>());
  PutAll(averaged_velocity_);
  PutAll(loop_.controller().report().command);
}

void TickColumns::FillFeetAndJoints() {
  const Robot& robot = *loop_.robot();
  const TickRecord& r = loop_.record();
  const ControlReport& plan = loop_.controller().report();
  for (std::size_t i = 0; i < r.feet.size(); ++i) {
    const FootRecord& foot = r.feet[i];
    Put(i < plan.scheduled.size() ? plan.scheduled[i] : 0);
    Put(foot.contact);
    PutAll(foot.position);
    PutAll(foot.force);
    PutAll(i < plan.planned_forces.size() ? plan.planned_forces[i] : Vector3d(Vector3d::Zero()));
    PutAll(i < plan.footholds.size() ? plan.footholds[i] : foot.position);
    Put(foot.slip);
  }
  const State& state = loop_.simulator().state();
  for (int j = 0; j < robot.na(); ++j) {
    Put(state.q[robot.nq() - robot.na() + j]);
    Put(state.v[robot.first_actuated() + j]);
    Put(r.tau[j]);
    Put(r.clamped[j]);
  }
}

void TickColumns::FillBodies() {
  const auto& systems = loop_.simulator().scene().systems;
  for (std::size_t s = loop_.robot() != nullptr ? 1 : 0; s < systems.size(); ++s) {
    const Pose& pose = systems[s]->poses()[0];
    PutAll(pose.p);
    PutAll(Eigen::Quaterniond(pose.R).coeffs());
    PutAll(systems[s]->velocities()[0].linear);
    PutAll(systems[s]->velocities()[0].angular);
  }
}

double TickColumns::Condition() {
  const ContactProblem* problem = with_condition_ ? loop_.simulator().problem() : nullptr;
  return problem != nullptr ? condition_.Compute(problem->G, loop_.simulator().scene().nv())
                            : std::numeric_limits<double>::quiet_NaN();
}

void TickColumns::FillSim() {
  const TickRecord& r = loop_.record();
  const double dt = loop_.simulator().dt();
  for (const double x : {double(r.contacts),
                         double(r.limits),
                         double(static_cast<int>(r.status)),
                         double(r.unconverged),
                         double(r.iterations),
                         double(r.fallbacks),
                         double(r.saturated),
                         r.ncp.eps_p,
                         r.ncp.eps_d,
                         r.ncp.eps_c,
                         dt * r.ncp.eps_d,
                         dt * r.ncp.eps_c,
                         r.own.eps_p,
                         r.own.eps_d,
                         r.own.eps_c,
                         r.rigid.eps_d,
                         r.rigid.eps_c,
                         r.ncp.signorini,
                         r.ncp.dissipation_angle,
                         r.penetration,
                         r.anisotropy,
                         Condition(),
                         r.normal_force,
                         r.mechanics.kinetic,
                         r.mechanics.potential})
    Put(x);
  PutAll(r.mechanics.linear_momentum);
  PutAll(r.mechanics.angular_momentum);
  const StepTimes& t = r.times_us;
  for (const double x : {t.dynamics, t.collision, t.assembly, t.solve, t.judge, t.integrate}) Put(x);
  const ControlReport& c = loop_.controller().report();
  for (const double x : {double(c.mpc_status), double(c.mpc_iterations), c.mpc_primal, c.mpc_dual,
                         double(c.mpc_failures), c.mpc_age, c.mpc_us, double(c.wbc_status),
                         double(c.wbc_iterations), double(c.wbc_failures), c.wbc_us, r.control_us})
    Put(x);
}

void TickColumns::Fill() {
  next_ = 0;
  Put(loop_.record().t);
  if (floating_) FillBase();
  if (loop_.robot() != nullptr) FillFeetAndJoints();
  FillBodies();
  FillSim();
}

}  // namespace tread
