#include "control/centroidal_controller.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <future>
#include <stdexcept>

#include "control/horizon.h"

namespace tread {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double kFootRadius = 0.016;     // [m]
constexpr double kLargestYawError = 0.2;  // [rad]
constexpr double kGroundFilter =
    0.01;  // share of a tick by which the mean height of the standing feet is followed
constexpr int kTouchdownTicks = 5;          // a force must last this long
constexpr double kEarliestTouchdown = 0.7;  // of the swing

// Mean over the last ticks, by a running sum that is taken anew once per round.
class Average {
 public:
  explicit Average(long window) : ring_(static_cast<std::size_t>(std::max(1L, window)), Vector3d::Zero()) {}
  const Vector3d& Add(const Vector3d& x) {
    sum_ += x - ring_[next_];
    ring_[next_] = x;
    next_ = (next_ + 1) % ring_.size();
    count_ = std::min(count_ + 1, ring_.size());
    if (next_ == 0) {
      sum_.setZero();
      for (const Vector3d& y : ring_) sum_ += y;
    }
    mean_ = sum_ / static_cast<double>(count_);
    return mean_;
  }
  const Vector3d& mean() const { return mean_; }

 private:
  std::vector<Vector3d> ring_;
  std::size_t next_ = 0, count_ = 0;
  Vector3d sum_ = Vector3d::Zero(), mean_ = Vector3d::Zero();
};

struct Plan {
  ForcePlan forces;  // heading axes of `yaw`
  double yaw = 0;
  long tick = -1;
};

class Centroidal final : public Controller {
 public:
  Centroidal(const ControllerConfig& config, std::unique_ptr<Robot> model, const GroundHeight& ground)
      : config_(config.centroidal),
        tick_duration_(config.period),
        robot_(std::move(model)),
        ground_height_(config.centroidal.terrain_aware ? ground : GroundHeight{}),
        command_(config.command),
        gait_(config.centroidal.gait, command_.start(), config.period),
        average_(std::lround(gait_.period() / config.period)),
        mpc_(config.centroidal.mpc),
        wbc_(config.centroidal.wbc, *robot_),
        joint_command_(JointCommand::Zero(robot_->na())) {
    ticks_per_node_ = std::lround(config_.mpc.period / tick_duration_);
    delay_ticks_ = config_.timing.mode == "sync" ? 0 : std::lround(config_.timing.delay / tick_duration_);
    const int nodes = config_.mpc.nodes > 0
                          ? config_.mpc.nodes
                          : static_cast<int>(std::lround(gait_.period() / config_.mpc.period));
    CentroidalProblem& problem = mpc_.problem();
    problem.Resize(nodes);
    problem.dt = config_.mpc.period;
    problem.friction = config_.mpc.friction;
    problem.max_force = config_.mpc.max_force;
    problem.weights = config_.mpc.weights;
    active_.forces.resize(static_cast<std::size_t>(nodes));
    pending_.forces.resize(static_cast<std::size_t>(nodes));
    swings_.fill(Swing(config_.swing));
    report_.averaging_window = gait_.period();
    report_.steady_from = command_.steady_from();
    report_.scheduled.assign(4, 1);
    report_.planned_forces.assign(4, Vector3d::Zero());
    report_.footholds.assign(4, Vector3d::Zero());
  }

  void Reset(const State& state) override;
  const JointCommand& Update(const Observation& observation) override;
  const ControlReport& report() const override { return report_; }

 private:
  void UpdateFeet(const Observation& observation);
  void Touchdown(std::size_t foot, bool early);
  void PlanForces();
  void TakePlan();
  void SetForces();
  Vector3d FootPosition(std::size_t i) const {
    const Frame& foot = robot_->feet()[i];
    return robot_->poses()[static_cast<std::size_t>(foot.body)] * foot.placement.p;
  }

  CentroidalConfig config_;
  double tick_duration_;
  std::unique_ptr<Robot> robot_;
  GroundHeight ground_height_;
  VelocityCommand command_;
  Gait gait_;
  Average average_;
  CentroidalMpc mpc_;
  Wbc wbc_;
  JointCommand joint_command_;
  ControlReport report_;
  WbcTarget target_;
  long tick_ = 0, ticks_per_node_ = 20, delay_ticks_ = 0;
  std::array<Swing, 4> swings_;
  std::array<char, 4> standing_{1, 1, 1, 1}, early_{};
  std::array<int, 4> loaded_ticks_{};
  std::array<Vector3d, 4> feet_, landing_;
  std::array<double, 4> contact_height_{};
  std::array<Eigen::Vector2d, 4> shoulders_;
  Vector3d wanted_ = Vector3d::Zero();  // vx, vy, wz
  Eigen::Vector2d step_velocity_ = Eigen::Vector2d::Zero();
  double yaw_ = 0, yaw_reference_ = 0, ground_ = 0, base_height_ = 0, center_height_ = 0;
  Plan active_, pending_;
  std::future<void> worker_;
};

void Centroidal::Reset(const State& state) {
  robot_->ComputeTerms(robot_->q_home(), Eigen::VectorXd::Zero(robot_->nv()));
  double feet = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    shoulders_[i] = FootPosition(i).head<2>() - robot_->poses()[0].p.head<2>();
    feet += FootPosition(i).z() / 4;
  }
  base_height_ = robot_->poses()[0].p.z() - feet;
  center_height_ = robot_->CenterOfMass().z() - feet;
  robot_->ComputeTerms(state.q, state.v);
  ground_ = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    feet_[i] = landing_[i] = FootPosition(i);
    contact_height_[i] = feet_[i].z();
    ground_ += feet_[i].z() / 4;
  }
  const Matrix3d& R = robot_->poses()[0].R;
  yaw_ = yaw_reference_ = std::atan2(R(1, 0), R(0, 0));
  standing_.fill(1);
  early_.fill(0);
  active_.tick = pending_.tick = -1;
  tick_ = 0;
}

void Centroidal::Touchdown(std::size_t i, bool early) {
  standing_[i] = 1;
  early_[i] = early;
  contact_height_[i] = feet_[i].z();
}

void Centroidal::UpdateFeet(const Observation& observation) {
  const Matrix3d heading = Eigen::AngleAxisd(yaw_, Vector3d::UnitZ()).toRotationMatrix();
  const Vector3d base = robot_->poses()[0].p;
  const double swing = gait_.swing_duration();
  for (std::size_t i = 0; i < 4; ++i) {
    const int foot = static_cast<int>(i);
    const bool scheduled = gait_.Stance(foot, tick_);
    report_.scheduled[i] = scheduled;
    feet_[i] = FootPosition(i);
    loaded_ticks_[i] = observation.foot_force[i] > config_.touchdown_force ? loaded_ticks_[i] + 1 : 0;
    if (scheduled) {
      if (!standing_[i] || early_[i]) Touchdown(i, false);
      landing_[i] = feet_[i];
      continue;
    }
    if (standing_[i] && !early_[i]) {  // lift-off
      standing_[i] = 0;
      swings_[i].LiftOff(feet_[i]);
    }
    if (early_[i]) continue;
    const double left = static_cast<double>(gait_.TicksToTouchdown(foot, tick_)) * tick_duration_;
    const Eigen::Vector2d step =
        PlanFootstep(config_.footsteps,
                     {shoulders_[i], step_velocity_, wanted_, left, gait_.stance_duration(), base_height_});
    Vector3d place = heading * Vector3d(step.x(), step.y(), 0) + base;
    place.z() = ground_height_ ? ground_height_(place.x(), place.y()) + kFootRadius : contact_height_[i];
    landing_[i] = place;
    target_.feet[i] = swings_[i].Update(swing - left, swing, tick_duration_, place);
    const bool late = gait_.SwingPhase(foot, tick_) > kEarliestTouchdown;
    if (config_.early_touchdown && late && loaded_ticks_[i] >= kTouchdownTicks) Touchdown(i, true);
  }
}

void Centroidal::PlanForces() {
  HorizonInput in;
  in.robot = robot_.get();
  in.gait = &gait_;
  in.tick = tick_;
  in.ticks_per_node = static_cast<int>(ticks_per_node_);
  in.yaw = yaw_;
  in.yaw_error = yaw_reference_ - yaw_;
  in.command = wanted_;
  in.center_height = ground_ + center_height_;
  in.standing = standing_;
  in.early = early_;
  in.feet = feet_;
  in.targets = landing_;
  in.shoulders = shoulders_;
  in.velocity = step_velocity_;
  in.base_height = base_height_;
  in.footsteps = config_.footsteps;
  FillHorizon(in, &mpc_.problem());
  pending_.yaw = yaw_;
  pending_.tick = tick_;
  if (config_.timing.mode == "thread") {
    worker_ = std::async(std::launch::async, [this] { mpc_.Solve(1); });
  } else {
    mpc_.Solve(1);
    report_.mpc_us = mpc_.report().time_us;
  }
}

// The pending plan becomes the active one when its time has come, or the thread is done.
void Centroidal::TakePlan() {
  if (pending_.tick < 0 || pending_.tick == active_.tick) return;
  if (config_.timing.mode == "thread") {
    if (!worker_.valid() || worker_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
    worker_.get();
    report_.mpc_us = mpc_.report().time_us;
  } else if (tick_ < pending_.tick + delay_ticks_) {
    return;
  }
  active_.forces = mpc_.forces();
  active_.yaw = pending_.yaw;
  active_.tick = pending_.tick;
  const MpcReport& mpc = mpc_.report();
  report_.mpc_status = static_cast<int>(mpc.status);
  report_.mpc_iterations = mpc.iterations;
  report_.mpc_failures = mpc.failures;
  report_.mpc_primal = mpc.primal_residual;
  report_.mpc_dual = mpc.dual_residual;
}

// Forces of the plan at this tick; a foot it does not expect on the ground gets what it plans for it next, or a share of the weight.
void Centroidal::SetForces() {
  const auto count =
      static_cast<double>(std::max<std::ptrdiff_t>(1, std::count(standing_.begin(), standing_.end(), 1)));
  const double share = robot_->total_mass() * 9.81 / count;
  const Matrix3d heading = Eigen::AngleAxisd(active_.yaw, Vector3d::UnitZ()).toRotationMatrix();
  const std::size_t nodes = active_.forces.size();
  const auto now =
      active_.tick < 0 ? nodes : static_cast<std::size_t>((tick_ - active_.tick) / ticks_per_node_);
  for (std::size_t i = 0; i < 4; ++i) {
    Vector3d force(0, 0, share);
    for (std::size_t k = now; k < nodes; ++k) {
      if (active_.forces[k][i].z() < 0.01) continue;
      force = heading * active_.forces[k][i];
      break;
    }
    if (!standing_[i]) force.setZero();
    target_.forces[i] = force;
    report_.planned_forces[i] = force;
    report_.footholds[i] = landing_[i];
  }
}

const JointCommand& Centroidal::Update(const Observation& observation) {
  tick_ = std::lround(observation.t / tick_duration_);
  robot_->ComputeTerms(observation.state->q, observation.state->v);
  const Matrix3d& R = robot_->poses()[0].R;
  const BodyVelocity& v = robot_->velocities()[0];
  const double yaw = std::atan2(R(1, 0), R(0, 0));
  yaw_ += std::remainder(yaw - yaw_, 2 * M_PI);
  const Matrix3d heading = Eigen::AngleAxisd(yaw_, Vector3d::UnitZ()).toRotationMatrix();
  const Vector3d present = heading.transpose() * v.linear;
  average_.Add(present);
  step_velocity_ = present.head<2>() + config_.footsteps.averaging * (average_.mean() - present).head<2>();
  wanted_ = command_.At(observation.t);
  yaw_reference_ = std::clamp(yaw_reference_ + wanted_[2] * tick_duration_, yaw_ - kLargestYawError,
                              yaw_ + kLargestYawError);
  report_.command = wanted_;
  report_.mpc_us = 0;
  UpdateFeet(observation);

  double heights = 0, standing = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    if (standing_[i]) heights += contact_height_[i], standing += 1;
  }
  if (standing > 0) ground_ += kGroundFilter * (heights / standing - ground_);

  const bool busy = worker_.valid();
  if (tick_ % ticks_per_node_ == 0 && !busy) PlanForces();
  TakePlan();
  report_.mpc_age = active_.tick < 0 ? 0 : static_cast<double>(tick_ - active_.tick) * tick_duration_;
  SetForces();

  target_.stance = standing_;
  target_.height = ground_ + base_height_;
  target_.velocity = heading * Vector3d(wanted_[0], wanted_[1], 0);
  target_.yaw_rate = wanted_[2];
  const Eigen::AngleAxisd error(Eigen::AngleAxisd(yaw_reference_, Vector3d::UnitZ()).toRotationMatrix() *
                                R.transpose());
  target_.rpy = error.angle() * error.axis();
  wbc_.Compute(*robot_, *observation.state, target_, &joint_command_);
  report_.wbc_status = static_cast<int>(wbc_.report().status);
  report_.wbc_iterations = wbc_.report().iterations;
  report_.wbc_failures = wbc_.report().failures;
  report_.wbc_us = wbc_.report().time_us;
  return joint_command_;
}

}  // namespace

std::unique_ptr<Controller> MakeCentroidal(const ControllerConfig& config, std::unique_ptr<Robot> model,
                                           const GroundHeight& ground) {
  if (!model || model->feet().size() != 4 || model->na() != 12)
    throw std::invalid_argument(
        "controller.type = centroidal: needs a quadruped of twelve joints, such as solo12");
  return std::make_unique<Centroidal>(config, std::move(model), ground);
}

}  // namespace tread
