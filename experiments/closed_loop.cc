#include "experiments/closed_loop.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <thread>

#include "robots/robot_table.h"
#include "sim/backends.h"

namespace tread {
namespace {

using Clock = std::chrono::steady_clock;

double Since(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

void Worst(const ContactCriteria& c, ContactCriteria* worst) {
  worst->eps_p = std::max(worst->eps_p, c.eps_p);
  worst->eps_d = std::max(worst->eps_d, c.eps_d);
  worst->eps_c = std::max(worst->eps_c, c.eps_c);
  worst->signorini = std::max(worst->signorini, c.signorini);
  worst->dissipation_angle = std::max(worst->dissipation_angle, c.dissipation_angle);
}

std::string Format(const char* format, double a, double b) {
  char text[128];
  std::snprintf(text, sizeof(text), format, a, b);
  return text;
}

// Below which a contact counts as open [N].
constexpr double kLoaded = 1e-9;

}  // namespace

const char* Name(Outcome outcome) {
  switch (outcome) {
    case Outcome::kCompleted:
      return "completed";
    case Outcome::kFell:
      return "fell";
    case Outcome::kDiverged:
      return "diverged";
    case Outcome::kSolverFailed:
      return "solver_failed";
  }
  return "";
}

ClosedLoop::ClosedLoop(const ExperimentConfig& config) : config_(config) {
  auto scene = std::make_unique<Scene>(config.AllOfScene(), static_cast<std::uint64_t>(config.run.seed));
  command_ = JointCommand::Zero(scene->na());
  simulator_ = MakeSimulator(std::move(scene), config.sim);
  const Terrain* ground = simulator_->scene().terrain.get();
  controller_ = MakeController(config.controller, config.robot == "none" ? nullptr : MakeRobot(config.robot),
                               [ground](double x, double y) { return ground->Height(x, y); });

  period_ = std::max(config.controller.period, config.sim.dt);
  substeps_ = static_cast<int>(std::lround(period_ / config.sim.dt));
  ticks_ = std::max(1L, std::lround(config.run.duration / period_));
  observer_ = Observer(config.observation, static_cast<std::uint64_t>(config.run.seed), ticks_, period_);
  real_time_ = !config.reproducible();
  record_.tau.setZero(command_.tau.size());
  record_.clamped.setZero(command_.tau.size());
  if (const Robot* controlled = robot()) {
    record_.feet.resize(controlled->feet().size());
    observed_ = {simulator_->state().q.head(controlled->nq()), simulator_->state().v.head(controlled->nv())};
    controller_->Reset(observed_);
  }
  for (const SceneGeometry& g : simulator_->scene().geometries) {
    int foot = -1;
    for (std::size_t i = 0; g.body.system == 0 && i < record_.feet.size(); ++i) {
      const Frame& frame = robot()->feet()[i];
      if (g.body.body == frame.body && g.geometry.name.rfind(frame.name, 0) == 0) foot = static_cast<int>(i);
    }
    foot_of_geometry_.push_back(foot);
  }
}

const Robot* ClosedLoop::robot() const {
  return config_.robot == "none" ? nullptr : simulator_->scene().systems[0].get();
}

void ClosedLoop::End(Outcome outcome, const std::string& reason) {
  ended_ = true;
  outcome_ = outcome;
  reason_ = reason;
}

void ClosedLoop::Replay(const TorqueTape* tape) {
  replayed_ = tape;
  const auto per_tick = static_cast<std::size_t>(command_.tau.size()) * static_cast<std::size_t>(substeps_);
  if (per_tick > 0) ticks_ = std::min(ticks_, static_cast<long>(tape->size() / per_tick));
  if (ticks_ == 0) End(Outcome::kCompleted, "there are no torques to replay");
}

void ClosedLoop::Command() {
  const Robot* controlled = robot();
  if (controlled == nullptr || replayed_ != nullptr) return;
  truth_.q = simulator_->state().q.head(controlled->nq());
  truth_.v = simulator_->state().v.head(controlled->nv());
  observer_.Observe(tick_, truth_, &observed_);
  Observation observation{static_cast<double>(tick_) * period_, &observed_, {}};
  for (std::size_t i = 0; i < std::min<std::size_t>(4, record_.feet.size()); ++i)
    observation.foot_force[i] = record_.feet[i].force.norm();  // of the tick before
  const JointCommand& wanted = controller_->Update(observation);
  const int n = controlled->na();
  command_.q.head(n) = wanted.q;
  command_.v.head(n) = wanted.v;
  command_.tau.head(n) = wanted.tau;
  command_.kp.head(n) = wanted.kp;
  command_.kd.head(n) = wanted.kd;
}

void ClosedLoop::CommandFromTape() {
  for (double& tau : command_.tau) tau = (*replayed_)[at_tape_++];
}

bool ClosedLoop::Tick() {
  if (ended_) return false;
  if (real_time_ && replayed_ == nullptr) WaitForTheClock();
  const auto start = Clock::now();
  Command();
  TickRecord& r = record_;
  r.control_us = Since(start);
  r.ncp = r.rigid = r.own = {};
  r.status = SolveStatus::kConverged;
  r.iterations = r.fallbacks = r.unconverged = r.saturated = 0;
  r.penetration = r.normal_force = 0;
  r.anisotropy = 1;
  r.tau.setZero();
  r.clamped.setZero();
  r.times_us = {};
  for (FootRecord& foot : r.feet) foot = {};
  for (int k = 0; k < substeps_ && !ended_; ++k) {
    if (replayed_ != nullptr) CommandFromTape();
    Accumulate(simulator_->Step(command_));
  }
  ++tick_;
  r.t = simulator_->time();
  if (!ended_) CheckFall();
  if (!ended_ && tick_ >= ticks_) End(Outcome::kCompleted, "");
  return true;
}

void ClosedLoop::WaitForTheClock() {
  if (tick_ == 0) start_ = Clock::now();
  std::this_thread::sleep_until(start_ +
                                std::chrono::duration_cast<Clock::duration>(
                                    std::chrono::duration<double>(static_cast<double>(tick_) * period_)));
}

void ClosedLoop::Accumulate(const StepReport& report) {
  TickRecord& r = record_;
  if (report.status != SolveStatus::kConverged) {
    ++r.unconverged;
    r.status = std::max(r.status, report.status);
  }
  if (report.status == SolveStatus::kFailed) {
    const bool finite =
        simulator_->state().v.allFinite() && simulator_->state().v.cwiseAbs().maxCoeff() < 1e6;
    End(finite ? Outcome::kSolverFailed : Outcome::kDiverged, "the contact solver gave no usable forces");
    return;
  }
  if (recorded_ != nullptr)
    recorded_->insert(recorded_->end(), report.tau_applied.begin(), report.tau_applied.end());
  Worst(report.ncp, &r.ncp);
  Worst(report.rigid, &r.rigid);
  Worst(report.own, &r.own);
  r.iterations += report.iterations;
  r.fallbacks += report.fallbacks;
  r.saturated += report.saturated;
  r.contacts = static_cast<int>(report.contacts.size());
  r.limits = report.limits;
  r.penetration = std::max(r.penetration, report.penetration);
  r.anisotropy = std::max(r.anisotropy, report.anisotropy);
  r.tau += report.tau_applied / substeps_;
  r.clamped += report.clamped / substeps_;
  r.mechanics = report.mechanics;
  r.times_us.dynamics += report.times_us.dynamics;
  r.times_us.collision += report.times_us.collision;
  r.times_us.assembly += report.times_us.assembly;
  r.times_us.solve += report.times_us.solve;
  r.times_us.judge += report.times_us.judge;
  r.times_us.integrate += report.times_us.integrate;
  RecordFeet(report);
  if (report.status != SolveStatus::kConverged && config_.sim.on_failure == "stop")
    End(Outcome::kSolverFailed,
        std::string("a solve ended as ") + Name(report.status) + " (on_failure: stop)");
}

void ClosedLoop::RecordFeet(const StepReport& report) {
  for (FootRecord& foot : record_.feet) foot.contact = false;
  for (const Contact& c : report.contacts) {
    if (c.geometry1 < 0) record_.normal_force += c.force.z() / substeps_;
    for (const int geometry : {c.geometry1, c.geometry2}) {
      const int index = geometry < 0 ? -1 : foot_of_geometry_[static_cast<std::size_t>(geometry)];
      if (index < 0 || c.force.z() <= kLoaded) continue;
      FootRecord& foot = record_.feet[static_cast<std::size_t>(index)];
      foot.force += (geometry == c.geometry2 ? 1.0 : -1.0) * (c.frame * c.force) / substeps_;
      foot.slip += c.velocity.head<2>().norm() * simulator_->dt();
      foot.contact = true;
    }
  }
  for (std::size_t i = 0; i < record_.feet.size(); ++i) {
    const Frame& frame = robot()->feet()[i];
    record_.feet[i].position = robot()->poses()[static_cast<std::size_t>(frame.body)] * frame.placement.p;
  }
}

void ClosedLoop::CheckFall() {
  const State& state = simulator_->state();
  if (!(state.v.cwiseAbs().sum() < 1e9)) return End(Outcome::kDiverged, "velocities beyond 1e9");
  const Robot* controlled = robot();
  if (controlled == nullptr || !controlled->has_floating_base() || config_.controller.type == "passive")
    return;
  const Pose& base = controlled->poses()[0];
  const double height = base.p.z() - simulator_->scene().terrain->Height(base.p.x(), base.p.y());
  const double tilt = std::acos(std::clamp(base.R(2, 2), -1.0, 1.0));
  if (height < config_.fall.height)
    return End(Outcome::kFell,
               Format("base %.3f m above the ground (fall.height %.3f m)", height, config_.fall.height));
  if (tilt > config_.fall.tilt)
    End(Outcome::kFell, Format("tilt %.3f rad (fall.tilt %.3f rad)", tilt, config_.fall.tilt));
}

}  // namespace tread
