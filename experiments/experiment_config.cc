#include "experiments/experiment_config.h"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <stdexcept>

#include "experiments/closed_loop.h"
#include "experiments/config_reader.h"
#include "experiments/config_writer.h"
#include "robots/robot_table.h"
#include "sim/backends.h"

namespace tread {
namespace {

std::vector<std::string> RobotNames() {
  std::vector<std::string> names;
  for (const RobotEntry& entry : RobotTable()) names.push_back(entry.name);
  return names;
}

std::string Text(double x) {
  char buffer[32];
  std::snprintf(buffer, sizeof(buffer), "%.12g", x);
  return buffer;
}

std::vector<std::string> MaterialNames(const SceneConfig& scene) {
  std::vector<std::string> names{"default", "ground"};
  for (const auto& entry : scene.materials) names.push_back(entry.first);
  return names;
}

void DescribeInitial(ConfigVisitor& v, InitialConfig* c, bool has_joints) {
  v.Field("position", &c->position, Any(), "[m] of the base; [] puts it on the ground at the origin");
  v.Check("position", c->position.empty() || c->position.size() == 3,
          "expected [x, y, z], or [] for on the ground");
  v.Field("rpy", &c->rpy, Any(), "[rad] roll, pitch, yaw");
  v.Field("linear", &c->linear, Any(), "[m/s] velocity, world axes");
  v.Field("angular", &c->angular, Any(), "[rad/s] world axes");
  if (has_joints) v.Map("joints", &c->joints, Any(), "[rad] by name; the others are at home");
}

void DescribeBody(ConfigVisitor& v, BodyConfig* c, const std::vector<std::string>& materials) {
  v.Field("name", &c->name);
  v.Check("name", !c->name.empty() && c->name.find_first_of("/ .,") == std::string::npos,
          "every body needs a name without blanks, dots, commas and slashes");
  v.Field("shape", &c->shape, {"sphere", "box", "capsule"});
  if (c->shape == "box") {
    v.Field("size", &c->size, Positive(), "[m] full lengths");
  } else {
    v.Field("radius", &c->radius, Positive(), "[m]");
  }
  if (c->shape == "capsule") v.Field("length", &c->length, Positive(), "[m] between the centres of the ends");
  v.Field("mass", &c->mass, Positive(), "[kg]");
  v.Field("material", &c->material, materials);
  v.Section("initial", [&] { DescribeInitial(v, &c->initial, false); });
}

void DescribeRobot(ConfigVisitor& v, RobotConfig* c, const std::vector<std::string>& materials) {
  v.Field("name", &c->name, {}, "'' for the model's");
  v.Field("model", &c->model, RobotNames());
  v.Field("material", &c->material, materials);
  v.Section("initial", [&] { DescribeInitial(v, &c->initial, true); });
}

void DescribeTerrain(ConfigVisitor& v, TerrainConfig* c, const std::vector<std::string>& materials) {
  std::vector<std::string> types;
  for (const TerrainEntry& entry : TerrainTable()) types.push_back(entry.name);
  v.Field("type", &c->type, types);
  v.Field("material", &c->material, materials);
  const bool rough = c->type == "bumpy" || c->type == "cells";
  if (rough) {
    v.Field("amplitude", &c->amplitude, NonNegative(), "[m] peak to valley");
    v.Field("seed", &c->seed, AtLeast(-1), "-1: run.seed");
    v.Field("flat_radius", &c->flat_radius, NonNegative(), "[m] level around the start");
    v.Field("blend_radius", &c->blend_radius, Positive(), "[m] full height from here on");
    v.Check("blend_radius", c->blend_radius > c->flat_radius, "must be larger than terrain.flat_radius");
  }
  if (c->type == "bumpy") v.Field("wavelength", &c->wavelength, Positive(), "[m]");
  if (c->type == "cells") v.Field("cell", &c->cell, AtLeast(0.001), "[m] edge of a box");
  if (c->type == "slope") v.Field("slope", &c->slope, Between(-1.5, 1.5), "[rad]");
  if (c->type == "slope" || c->type == "steps")
    v.Field("direction", &c->direction, Any(), "[rad] heading of the rise");
  if (c->type == "steps") {
    v.Field("step_height", &c->step_height, Any(), "[m]");
    v.Field("step_depth", &c->step_depth, Positive(), "[m]");
    v.Field("step_count", &c->step_count, Between(1, 1e6));
    v.Field("step_start", &c->step_start, Any(), "[m] first riser");
  }
  if (c->type == "heightmap") {
    v.Field("file", &c->file, {}, "text: nx ny cell x0 y0, then the heights [m]");
    v.Check("file", !c->file.empty(), "a terrain of type heightmap needs the path of a height map file");
    std::error_code ignored;
    v.Check("file", !v.reading() || std::filesystem::exists(c->file, ignored),
            "no such file; give a path from the folder tread is called in, or one from /");
    v.Check("file", !v.reading() || !std::filesystem::is_directory(c->file, ignored),
            "is a folder; give the path of a height map file");
  }
}

void DescribeMaterial(ConfigVisitor& v, MaterialConfig* c) {
  v.Field("friction", &c->friction, NonNegative(), "Coulomb coefficient");
  v.Field("restitution", &c->restitution, Between(0, 1));
  v.Field("stiffness", &c->stiffness, NonNegative(), "[N/m] 0: rigid");
  v.Field("damping", &c->damping, NonNegative(), "[N s/m]");
  v.Check("damping", c->damping == 0 || c->stiffness > 0,
          "needs a stiffness: a damper alone would sink for ever");
}

void DescribePair(ConfigVisitor& v, PairConfig* c, const std::vector<std::string>& materials) {
  v.Field("first", &c->first, materials);
  v.Field("second", &c->second, materials);
  const Range range = AtLeast(-1);
  v.Field("friction", &c->friction, range, "-1: by the combination rule, here and below");
  v.Field("restitution", &c->restitution, Between(-1, 1));
  v.Field("stiffness", &c->stiffness, range, "[N/m]");
  v.Field("damping", &c->damping, range, "[N s/m]");
}

void DescribeWrench(ConfigVisitor& v, WrenchConfig* c) {
  v.Field("body", &c->body, {}, "NAME of a robot or body, or NAME/LINK");
  v.Check("body", !c->body.empty(), "every wrench needs the NAME of a robot or body, or NAME/LINK");
  v.Field("shape", &c->shape, {"constant", "ramp", "pulse"});
  v.Field("start", &c->start, NonNegative(), "[s]");
  v.Field("duration", &c->duration, Positive(), "[s]");
  v.Field("force", &c->force, Any(), "[N] world axes");
  v.Field("torque", &c->torque, Any(), "[N m] world axes");
  v.Field("point", &c->point, Any(), "[m] in the body's axes");
}

void DescribeScene(ConfigVisitor& v, ExperimentConfig* c) {
  SceneConfig& s = c->scene;
  std::vector<std::string> robots = RobotNames();
  robots.insert(robots.begin(), "none");
  v.Field("robot", &c->robot, robots, "the one that is controlled");
  if (c->robot != "none") v.Section("initial", [&] { DescribeInitial(v, &c->initial, true); });
  DescribeMaterial(v, &s.surface);
  v.Map("materials", &s.materials, DescribeMaterial,
        "further ones, or other values for 'default' and 'ground'");
  const std::vector<std::string> materials = MaterialNames(s);
  v.List("pairs", &s.pairs, [&](ConfigVisitor& w, PairConfig* p) { DescribePair(w, p, materials); });
  v.Section("terrain", [&] { DescribeTerrain(v, &s.terrain, materials); });
  v.List("robots", &s.robots, [&](ConfigVisitor& w, RobotConfig* r) { DescribeRobot(w, r, materials); });
  v.List("bodies", &s.bodies, [&](ConfigVisitor& w, BodyConfig* b) { DescribeBody(w, b, materials); });
  v.Field("gravity", &s.gravity, Any(), "[m/s^2]");
  v.List("wrenches", &s.wrenches, DescribeWrench);
}

bool IsMultiple(double a, double b) {
  return std::abs(a / b - std::round(a / b)) < 1e-9 * std::max(1.0, a / b);
}

void DescribeCommand(ConfigVisitor& v, CommandConfig* c) {
  v.Field("vx", &c->vx, Any(), "[m/s] forward, heading axes");
  v.Field("vy", &c->vy, Any(), "[m/s] to the left");
  v.Field("wz", &c->wz, Any(), "[rad/s]");
  v.Field("start", &c->start, NonNegative(), "[s] the robot stands until then");
  v.Field("ramp", &c->ramp, Positive(), "[s]");
  v.List("knots", &c->knots, [](ConfigVisitor& w, CommandKnot* k) {
    w.Field("t", &k->t, NonNegative(), "[s]");
    w.Field("vx", &k->vx);
    w.Field("vy", &k->vy);
    w.Field("wz", &k->wz);
  });
  v.Field("file", &c->file, {}, "text file of lines 't vx vy wz', instead of all these");
  bool rising = true;
  for (std::size_t i = 1; i < c->knots.size(); ++i) rising = rising && c->knots[i].t > c->knots[i - 1].t;
  v.Check("knots", rising, "their times must rise");
}

void DescribeGait(ConfigVisitor& v, GaitConfig* c) {
  v.Field("type", &c->type, {"trot", "walk", "pace", "bound", "stand"});
  v.Field("period", &c->period, Between(0, 10), "[s] 0: the gait's own");
  v.Check("period", c->period == 0 || c->period >= 0.05, "must be at least 0.05 s, or 0 for the gait's own");
  v.Field("duty", &c->duty, Between(0, 1), "share of the period in stance; 0: the gait's own");
  v.Field("offsets", &c->offsets, Between(0, 1), "phases of FL, FR, HL, HR; []: the gait's own");
  v.Check("offsets", c->offsets.empty() || c->offsets.size() == 4, "expected four phases, or []");
  v.Field("stop", &c->stop, NonNegative(), "[s] stand from the end of that period on; 0: never");
}

void DescribeMpc(ConfigVisitor& v, MpcConfig* c) {
  v.Field("qp", &c->qp, {"auto", "osqp", "proxqp"});
  v.Field("formulation", &c->formulation, {"condensed", "sparse"}, "qp: auto chooses for itself");
  v.Field("shortcut", &c->shortcut, "condensed: the minimum without constraints, where it satisfies them");
  v.Field("period", &c->period, Between(0.001, 0.2), "[s] between solves, and of one node");
  v.Field("nodes", &c->nodes, Between(0, 200), "0: one gait period");
  v.Field("friction", &c->friction, Positive(), "the controller's guess");
  v.Field("max_force", &c->max_force, Positive(), "[N] vertical, per foot");
  v.Field("state_weights", &c->weights.state, NonNegative(), "position, rpy, velocity, angular velocity");
  v.Field("force_weight", &c->weights.force, Positive(), "[1/N^2]");
  v.Field("eps_abs", &c->solver.eps_abs, Positive(), "[N] accuracy of the QP");
  v.Field("max_iterations", &c->solver.max_iterations, AtLeast(1));
}

void DescribeWbc(ConfigVisitor& v, WbcConfig* c) {
  v.Field("type", &c->type, {"dynamics", "reactive"});
  v.Field("base_weight", &c->base_weight, NonNegative());
  v.Field("angular_weight", &c->angular_weight, NonNegative(),
          "[m^2] of angular against linear acceleration");
  v.Field("force_weight", &c->force_weight, Positive());
  v.Field("kp_height", &c->kp_height, NonNegative(), "[1/s^2]");
  v.Field("kd_height", &c->kd_height, NonNegative(), "[1/s]");
  v.Field("kp_angle", &c->kp_angle, NonNegative(), "[1/s^2]");
  v.Field("kd_angle", &c->kd_angle, NonNegative(), "[1/s]");
  v.Field("kd_velocity", &c->kd_velocity, NonNegative(), "[1/s]");
  v.Field("max_acceleration", &c->max_acceleration, NonNegative(),
          "[m/s^2] horizontal; more is left to the MPC");
  v.Field("kp_swing", &c->kp_swing, NonNegative(), "[1/s^2]");
  v.Field("kd_swing", &c->kd_swing, NonNegative(), "[1/s]");
  v.Field("kd_contact", &c->kd_contact, NonNegative(), "[1/s]");
  v.Field("kp", &c->kp_joint, NonNegative(), "[N m/rad]");
  v.Field("kd", &c->kd_joint, NonNegative(), "[N m s/rad]");
  v.Field("friction", &c->friction, Positive());
  v.Field("max_force", &c->max_force, Positive(), "[N]");
  v.Field("max_torque", &c->max_torque, Positive(), "[N m]");
}

void DescribeCentroidal(ConfigVisitor& v, CentroidalConfig* c, double period) {
  v.Field("terrain_aware", &c->terrain_aware, "footholds at the height of the ground there");
  v.Field("early_touchdown", &c->early_touchdown, "a foot that meets the ground late in its swing stands");
  v.Field("touchdown_force", &c->touchdown_force, Positive(), "[N]");
  v.Section("timing", [&] {
    v.Field("mode", &c->timing.mode, {"sync", "delay", "thread"}, "thread: real time, not reproducible");
    v.Field("delay", &c->timing.delay, NonNegative(), "[s] until a plan takes effect");
    v.Check("delay", c->timing.delay < c->mpc.period, "must be shorter than controller.mpc.period");
  });
  v.Section("gait", [&] { DescribeGait(v, &c->gait); });
  v.Section("footsteps", [&] {
    v.Field("feedback", &c->footsteps.feedback, Any(), "[s]");
    v.Field("averaging", &c->footsteps.averaging, Between(0, 1),
            "share of the averaged against the present velocity");
    v.Field("reach", &c->footsteps.reach, Positive(), "[m]");
  });
  v.Section("swing", [&] {
    v.Field("apex", &c->swing.apex, NonNegative(), "[m]");
    v.Field("lock", &c->swing.lock, NonNegative(), "[s]");
  });
  v.Section("mpc", [&] {
    DescribeMpc(v, &c->mpc);
    v.Check("period", IsMultiple(c->mpc.period, period), "must be a whole multiple of controller.period");
  });
  v.Section("wbc", [&] { DescribeWbc(v, &c->wbc); });
}

void DescribeRegularisation(ConfigVisitor& v, RegularisationConfig* c) {
  v.Enum("regularisation", &c->model,
         {{"none", Regularisation::kNone},
          {"mujoco", Regularisation::kMujoco},
          {"drake", Regularisation::kDrake}},
         "soft contacts as those simulators have them, for any solver");
  if (c->model == Regularisation::kMujoco) {
    const Range share{.min = 0, .max = 1, .open_min = true, .open_max = true};
    v.Field("time_constant", &c->time_constant, Positive(), "[s] solref; at least 2 dt is used");
    v.Field("damping_ratio", &c->damping_ratio, Positive());
    v.Field("dmin", &c->dmin, share, "solimp: impedance at no overlap");
    v.Field("dmax", &c->dmax, share, "at an overlap of width");
    v.Field("width", &c->width, Positive(), "[m]");
    v.Field("impratio", &c->impratio, Positive(), "R_n / R_t");
  }
  if (c->model == Regularisation::kDrake) {
    v.Field("beta", &c->beta, Positive(), "near-rigid limit");
    v.Field("tau", &c->tau, NonNegative(), "[s] relaxation time of rigid materials");
  }
}

void DescribeSim(ConfigVisitor& v, SimConfig* c) {
  v.Field("backend", &c->backend, BackendNames());
  v.Field("dt", &c->dt, Between(1e-6, 0.1), "[s]");
  v.Field("margin", &c->margin, NonNegative(), "[m] contacts are looked at from this distance on");
  v.Field("baumgarte", &c->target.baumgarte, Between(0, 1), "share of an overlap undone per step");
  v.Field("impact_speed", &c->target.impact_speed, NonNegative(), "[m/s] slower approaches do not bounce");
  v.Section("contact", [&] {
    Describe(v, &c->contact);
    DescribeRegularisation(v, &c->target.regularisation);
    v.Field("warm_start", &c->warm_start, "forces of the step before as first guess");
    std::vector<std::string> policies{"keep", "stop"};
    for (const std::string& name : BackendNames()) policies.push_back("fallback:" + name);
    v.Field("on_failure", &c->on_failure, policies, "when a solve does not converge");
  });
}

// What only keys of several sections together can get wrong. Throws std::invalid_argument "key = value: remedy", at a key that was given.
void CheckTimes(const ExperimentConfig& c, const ConfigReader& reader) {
  constexpr double kMostTicks = 1e8;  // each leaves a few hundred bytes for the summary
  const double dt = c.sim.dt, period = c.controller.period, tick = std::max(dt, period);
  if (!IsMultiple(period, dt) && !IsMultiple(dt, period)) {
    const double near = dt < period ? period / std::round(period / dt) : period * std::round(dt / period);
    if (reader.Source("sim.dt") != "default") {
      throw std::invalid_argument("sim.dt = " + Text(dt) + ": must divide controller.period = " +
                                  Text(period) + " or be a multiple of it, such as " + Text(near));
    }
    throw std::invalid_argument("controller.period = " + Text(period) +
                                ": must be a multiple of sim.dt = " + Text(dt) + ", or sim.dt of it");
  }
  const double ticks = c.run.duration / tick;
  if (ticks < 1 - 1e-9 || ticks > kMostTicks) {
    throw std::invalid_argument("run.duration = " + Text(c.run.duration) +
                                ": must be at least one control tick of " + Text(tick) +
                                " s and at most 1e8 of them");
  }
}

// A complaint "key = value: remedy" of the scene, whose first robot is the controlled one, which has no place in the file's list.
std::string InTermsOfFile(const ExperimentConfig& config, std::string text) {
  const std::string prefix = "robots.";
  if (config.robot == "none" || text.rfind(prefix, 0) != 0) return text;
  const std::size_t dot = text.find('.', prefix.size());
  const int index = std::stoi(text.substr(prefix.size(), dot - prefix.size()));
  return index == 0 ? text.substr(dot + 1) : prefix + std::to_string(index - 1) + text.substr(dot);
}

}  // namespace

int LogConfig::every() const {
  if (ticks == "all") return 1;
  if (ticks == "none") return 0;
  const std::string prefix = "every ";
  if (ticks.rfind(prefix, 0) != 0) return -1;
  int n = 0;
  const auto [end, error] = std::from_chars(ticks.data() + prefix.size(), ticks.data() + ticks.size(), n);
  return error == std::errc() && end == ticks.data() + ticks.size() && n > 0 ? n : -1;
}

bool ExperimentConfig::reproducible() const {
  return controller.type != "centroidal" || controller.centroidal.timing.mode != "thread";
}

SceneConfig ExperimentConfig::AllOfScene() const {
  SceneConfig all = scene;
  if (robot != "none") all.robots.insert(all.robots.begin(), {"", robot, "default", initial});
  return all;
}

void Describe(ConfigVisitor& v, ContactSolverConfig* c) {
  v.Field("eps_abs", &c->eps_abs, Positive(), "[N, m/s^2, N m/s^2] accuracy the solver stops at");
  v.Field("max_iterations", &c->max_iterations, AtLeast(1));
  v.Field("budget", &c->budget, NonNegative(), "iterations without a stop test; 0: off");
  v.Enum("step", &c->paper_step, {{"safe", false}, {"paper", true}}, "step sizes: safe, or as published");
  v.Field("relaxation", &c->relaxation, {.min = 0, .max = 2, .open_min = true, .open_max = true});
}

void Describe(ConfigVisitor& v, ExperimentConfig* c) {
  DescribeScene(v, c);
  v.Section("sim", [&] { DescribeSim(v, &c->sim); });
  v.Section("command", [&] { DescribeCommand(v, &c->controller.command); });
  v.Section("controller", [&] {
    std::vector<std::string> types;
    for (const ControllerEntry& entry : ControllerTable()) types.push_back(entry.name);
    v.Field("type", &c->controller.type, types);
    v.Field("period", &c->controller.period, Between(1e-6, 1), "[s]");
    if (c->controller.type == "stand") {
      v.Field("kp", &c->controller.stand.kp, NonNegative(), "[N m/rad]");
      v.Field("kd", &c->controller.stand.kd, NonNegative(), "[N m s/rad]");
    }
    if (c->controller.type == "centroidal")
      DescribeCentroidal(v, &c->controller.centroidal, c->controller.period);
  });
  v.Section(
      "observation",
      [&] {
        v.Field("velocity_noise", &c->observation.velocity_noise, NonNegative(),
                "[m/s] standard deviation, per tick and axis");
        v.Field("orientation_noise", &c->observation.orientation_noise, NonNegative(), "[rad]");
        v.Field("velocity_bias", &c->observation.velocity_bias, Any(), "[m/s] base axes");
        v.Field("delay", &c->observation.delay, Between(0, 1), "[s] whole control ticks");
      },
      "of the robot's state by its controller");
  v.Section("run", [&] {
    v.Field("duration", &c->run.duration, {.min = 0, .max = 1e6, .open_min = true}, "[s]");
    v.Field("seed", &c->run.seed, NonNegative());
  });
  v.Section("fall", [&] {
    v.Field("height", &c->fall.height, NonNegative(),
            "[m] a lower base has fallen; only where a controller acts");
    v.Field("tilt", &c->fall.tilt, Positive(), "[rad]");
  });
  v.Section("log", [&] {
    v.Field("ticks", &c->log.ticks, {}, "all, every N, or none");
    v.Check("ticks", c->log.every() >= 0, "must be all, every N (such as 'every 10'), or none");
  });
  v.Field("require", &c->require, {"any", "completed"}, "completed: exit code 1 for any other outcome");
}

ExperimentConfig LoadExperiment(const std::string& path, const std::vector<std::string>& overrides) {
  ConfigReader reader(path, overrides);
  ExperimentConfig config;
  Describe(reader, &config);
  reader.Finish();
  try {
    CheckTimes(config, reader);
    ClosedLoop trial(config);
  } catch (const std::invalid_argument& error) {
    const std::string text = InTermsOfFile(config, error.what());
    throw ConfigError(reader.Place(text.substr(0, text.find(" = "))) + ": " + text);
  } catch (const std::domain_error& error) {
    throw ConfigError(reader.Place("bodies") + ": " + error.what() +
                      "; masses and sizes of bodies must be nearer to 1");
  }
  return config;
}

std::string WriteExperiment(const ExperimentConfig& config) {
  ConfigWriter writer;
  ExperimentConfig copy = config;
  Describe(writer, &copy);
  return writer.text();
}

}  // namespace tread
