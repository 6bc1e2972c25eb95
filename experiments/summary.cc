#include "experiments/summary.h"

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "sim/backends.h"

namespace tread {
namespace {

using Json = nlohmann::ordered_json;

Json Spread(const Series& s) {
  return {{"mean", s.mean()}, {"p95", s.percentile(0.95)}, {"max", s.max()}};
}

Json Times(const Series& s) {
  return {{"mean", s.mean()},
          {"p50", s.percentile(0.5)},
          {"p95", s.percentile(0.95)},
          {"p99", s.percentile(0.99)},
          {"max", s.max()}};
}

double PerTick(long count, long ticks) {
  return ticks > 0 ? static_cast<double>(count) / static_cast<double>(ticks) : 0;
}

}  // namespace

SummaryBuilder::SummaryBuilder(const ExperimentConfig& config, const ClosedLoop& loop,
                               const TickColumns& columns)
    : config_(config), loop_(loop), columns_(columns) {
  const auto n = static_cast<std::size_t>(loop.ticks());
  for (Series* s : {&ncp_.p, &ncp_.d, &ncp_.c, &own_.p, &own_.d, &own_.c, &iterations_, &solve_us_, &step_us_,
                    &control_us_, &mpc_us_, &wbc_us_, &error_[0], &error_[1], &error_[2], &gait_error_[0],
                    &gait_error_[1], &gait_error_[2]})
    s->Reserve(n);
  start_ = last_ = wanted_ = low_ = high_ = Eigen::Vector2d::Zero();
  const auto& systems = loop.simulator().scene().systems;
  if (systems.empty()) return;
  start_ = systems[0]->poses()[0].p.head<2>();
  last_ = wanted_ = low_ = high_ = start_;
  first_height_ = systems[0]->poses()[0].p.z();
}

void SummaryBuilder::Add() {
  const TickRecord& r = loop_.record();
  ++ticks_;
  steps_ += loop_.steps_per_tick();
  unconverged_ += r.unconverged;
  fallbacks_ += r.fallbacks;
  saturated_ += r.saturated;
  ncp_.p.Add(r.ncp.eps_p);
  ncp_.d.Add(r.ncp.eps_d);
  ncp_.c.Add(r.ncp.eps_c);
  own_.p.Add(r.own.eps_p);
  own_.d.Add(r.own.eps_d);
  own_.c.Add(r.own.eps_c);
  iterations_.Add(r.iterations);
  solve_us_.Add(r.times_us.solve);
  step_us_.Add(r.times_us.total());
  control_us_.Add(r.control_us);
  const ControlReport& control = loop_.controller().report();
  if (control.mpc_us > 0) mpc_us_.Add(control.mpc_us);
  if (control.wbc_us > 0) wbc_us_.Add(control.wbc_us);
  worst_penetration_ = std::max(worst_penetration_, r.penetration);
  normal_force_sum_ += r.normal_force;
  for (const FootRecord& foot : r.feet) slip_ += foot.slip;
  AddTracking();
}

void SummaryBuilder::AddTracking() {
  const auto& systems = loop_.simulator().scene().systems;
  if (systems.empty()) return;
  const Pose& base = systems[0]->poses()[0];
  const Eigen::Vector2d here = base.p.head<2>();
  path_ += (here - last_).norm();
  last_ = here;
  low_ = low_.cwiseMin(here);
  high_ = high_.cwiseMax(here);
  largest_height_change_ = std::max(largest_height_change_, std::abs(base.p.z() - first_height_));
  const Robot* robot = loop_.robot();
  if (robot == nullptr) return;
  const TickRecord& r = loop_.record();
  const auto v = loop_.simulator().state().v.segment(robot->first_actuated(), robot->na());
  work_ += r.tau.head(robot->na()).cwiseProduct(v).cwiseAbs().sum() * loop_.tick_duration();
  const ControlReport& plan = loop_.controller().report();
  const double yaw = RollPitchYaw(base.R)[2], c = std::cos(yaw), s = std::sin(yaw);
  wanted_ += loop_.tick_duration() * Eigen::Vector2d(c * plan.command[0] - s * plan.command[1],
                                                     s * plan.command[0] + c * plan.command[1]);
  if (r.t < plan.steady_from) return;
  for (int i = 0; i < 3; ++i) {
    error_[i].Add(columns_.heading_velocity()[i] - plan.command[i]);
    gait_error_[i].Add(columns_.averaged_velocity()[i] - plan.command[i]);
  }
}

Json SummaryBuilder::Tracking() const {
  Json tracking;
  const char* names[] = {"vx", "vy", "wz"};
  const Robot* robot = loop_.robot();
  const bool follows = robot != nullptr && robot->has_floating_base() && config_.controller.type != "passive";
  for (int i = 0; i < 3; ++i) {
    tracking[names[i]] = Json::object();
    if (!follows) continue;
    const bool counted = !error_[i].empty();
    tracking[names[i]] = {{"gait_mean_error", counted ? Json(gait_error_[i].mean()) : Json(nullptr)},
                          {"gait_rms_error", counted ? Json(gait_error_[i].rms()) : Json(nullptr)},
                          {"rms_error", counted ? Json(error_[i].rms()) : Json(nullptr)}};
  }
  tracking["steady_from"] = loop_.controller().report().steady_from;
  return tracking;
}

// Over the area the base has covered, half a metre wider on each side; on a coarser grid where that is more than a million points, and
// nothing where it was thrown out of all bounds.
Json SummaryBuilder::TerrainSlopes() const {
  constexpr double kSpacing = 0.02, kMostPoints = 1e6, kBounds = 1e6;
  const Eigen::Vector2d margin = Eigen::Vector2d::Constant(0.5);
  const Eigen::Vector2d low = low_ - margin, high = high_ + margin, size = high - low;
  if (!(low.cwiseAbs().maxCoeff() < kBounds && high.cwiseAbs().maxCoeff() < kBounds))
    return {{"type", config_.scene.terrain.type}, {"slope_p95", nullptr}, {"slope_max", nullptr}};
  const double spacing = std::max(kSpacing, std::sqrt(size.x() * size.y() / kMostPoints));
  const SlopeStatistics slopes = ComputeSlopes(*loop_.simulator().scene().terrain, low, high, spacing);
  return {{"type", config_.scene.terrain.type}, {"slope_p95", slopes.p95}, {"slope_max", slopes.max}};
}

Json SummaryBuilder::Finish(double wall_us, double allocations) const {
  const BackendEntry* backend = FindBackend(config_.sim.backend);
  const double simulated = loop_.time();
  const Robot* robot = loop_.robot();
  const double mass = robot != nullptr ? robot->total_mass() : 0;
  double scene_mass = 0;
  for (const auto& system : loop_.simulator().scene().systems) scene_mass += system->total_mass();
  const double joints = static_cast<double>(std::max<Eigen::Index>(1, loop_.simulator().scene().na()));
  const auto criteria = [](const Criteria& c) {
    return Json{{"eps_p", Spread(c.p)}, {"eps_d", Spread(c.d)}, {"eps_c", Spread(c.c)}};
  };
  Json out;
  out["version"] = ProgramVersion();
  out["config_hash"] = HashText(WriteExperiment(config_));
  out["backend"] = config_.sim.backend;
  out["law"] = Name(backend->law);
  out["controller"] = config_.controller.type;
  out["robot"] = config_.robot;
  out["seed"] = config_.run.seed;
  out["reproducible"] = config_.reproducible();
  out["duration"] = config_.run.duration;
  out["outcome"] = Name(loop_.outcome());
  out["outcome_time"] = simulated;
  out["outcome_reason"] = loop_.reason();
  out["tracking"] = Tracking();
  out["drift_xy"] = (last_ - wanted_).norm();
  out["height_change"] = largest_height_change_;
  out["terrain"] = TerrainSlopes();
  out["criteria"] = {{"ncp", criteria(ncp_)}, {"own", criteria(own_)}};
  out["penetration_max"] = worst_penetration_;
  out["normal_force"] = {{"mean", normal_force_sum_ / static_cast<double>(std::max(1L, ticks_))},
                         {"weight", scene_mass * loop_.simulator().scene().gravity.norm()}};
  out["solver"] = {{"iterations", Spread(iterations_)},
                   {"unconverged_share", PerTick(unconverged_, steps_)},
                   {"fallbacks", fallbacks_},
                   {"solve_us", Times(solve_us_)}};
  out["step_us"] = Times(step_us_);
  out["control_us"] = Times(control_us_);
  // of controllers that have these parts
  out["mpc_us"] = mpc_us_.empty() ? Json::object() : Times(mpc_us_);
  out["wbc_us"] = wbc_us_.empty() ? Json::object() : Times(wbc_us_);
  const ControlReport& control = loop_.controller().report();
  out["control_failures"] = {{"mpc", control.mpc_failures}, {"wbc", control.wbc_failures}};
  const double tick_us = wall_us / static_cast<double>(std::max(1L, ticks_));
  out["tick_us"] = {{"mean", tick_us}};
  // metrics, condition of G, columns and file
  out["record_us"] = {{"mean", std::max(0.0, tick_us - step_us_.mean() - control_us_.mean())}};
  out["real_time_factor"] = wall_us > 0 ? 1e6 * simulated / wall_us : 0;
  out["cost_of_transport"] = path_ > 0.1 && mass > 0 ? Json(work_ / (mass * 9.81 * path_)) : Json(nullptr);
  out["work"] = work_;
  out["slip"] = {{"distance", slip_}, {"ratio", path_ > 0.1 ? Json(slip_ / path_) : Json(nullptr)}};
  out["saturation_share"] = PerTick(saturated_, steps_) / joints;
  out["allocations_per_tick"] = allocations >= 0 ? Json(allocations) : Json(nullptr);
  return out;
}

std::string ProgramVersion() {
  return TREAD_VERSION;
}

std::string HashText(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325ull;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
  constexpr char digits[] = "0123456789abcdef";
  std::string out(16, '0');
  for (std::size_t i = 16; i-- > 0; hash >>= 4) out[i] = digits[hash & 15];
  return out;
}

}  // namespace tread
