#include "sim/scene.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "robots/nearest.h"
#include "robots/robot_table.h"

namespace tread {
namespace {

using Eigen::Vector3d;

[[noreturn]] void Refuse(const std::string& key, const std::string& value, const std::string& remedy) {
  throw std::invalid_argument(key + " = " + value + ": " + remedy);
}

Shape MakeShape(const BodyConfig& config) {
  if (config.shape == "sphere") return Shape::Sphere(config.radius);
  if (config.shape == "capsule") return Shape::Capsule(config.radius, config.length / 2);
  return Shape::Box(config.size / 2);
}

Eigen::Matrix3d Rotation(const Vector3d& rpy) {
  return (Eigen::AngleAxisd(rpy[2], Vector3d::UnitZ()) * Eigen::AngleAxisd(rpy[1], Vector3d::UnitY()) *
          Eigen::AngleAxisd(rpy[0], Vector3d::UnitX()))
      .toRotationMatrix();
}

// Lowest value over the shape of the distance to the ground, from its corners or end points.
double Clearance(const Terrain& terrain, const Pose& pose, const Shape& shape) {
  const auto at = [&](const Vector3d& x, double radius) {
    return terrain.Closest(pose * x).distance - radius;
  };
  const Vector3d& s = shape.size;
  if (shape.type == ShapeType::kSphere) return at(Vector3d::Zero(), s[0]);
  if (shape.type == ShapeType::kCapsule) return std::min(at({0, 0, s[1]}, s[0]), at({0, 0, -s[1]}, s[0]));
  double lowest = std::numeric_limits<double>::infinity();
  for (int corner = 0; corner < 8; ++corner) {
    const Vector3d sign(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1);
    lowest = std::min(lowest, at(sign.cwiseProduct(s), 0));
  }
  return lowest;
}

double Scale(const WrenchConfig& wrench, double t) {
  const double s = (t - wrench.start) / wrench.duration;
  if (s < 0) return 0;
  if (wrench.shape == "ramp") return std::min(s, 1.0);
  if (s >= 1) return 0;
  return wrench.shape == "pulse" ? std::sin(std::numbers::pi * s) : 1.0;
}

}  // namespace

Scene::Scene(const SceneConfig& config, std::uint64_t seed) : gravity(config.gravity) {
  std::map<std::string, MaterialConfig> materials{{"default", config.surface}, {"ground", config.surface}};
  for (const auto& [name, material] : config.materials) materials[name] = material;
  surfaces = MaterialTable(materials, config.pairs);
  terrain = MakeTerrain(config.terrain, seed);
  ground_material = surfaces.Find(config.terrain.material);

  q_offset = v_offset = a_offset = {0};
  for (std::size_t i = 0; i < config.robots.size(); ++i) {
    const RobotConfig& c = config.robots[i];
    std::unique_ptr<Robot> robot = MakeRobot(c.model);
    if (!c.name.empty()) robot->set_name(c.name);
    AddSystem(std::move(robot), "robots." + std::to_string(i), c.material, c.initial);
  }
  for (std::size_t i = 0; i < config.bodies.size(); ++i) {
    const BodyConfig& c = config.bodies[i];
    AddSystem(MakeFreeBody(c.name, MakeShape(c), c.mass), "bodies." + std::to_string(i), c.material,
              c.initial);
  }
  effort_limit_.resize(na());
  for (std::size_t s = 0; s < systems.size(); ++s) {
    effort_limit_.segment(a_offset[s], systems[s]->na()) = systems[s]->effort_limit();
  }
  for (std::size_t i = 0; i < config.wrenches.size(); ++i)
    wrenches_.push_back(MakeWrench(config.wrenches[i], "wrenches." + std::to_string(i)));
  ComputeTerms(initial);
}

void Scene::AddSystem(std::unique_ptr<Robot> robot, const std::string& key, const std::string& material,
                      const InitialConfig& start) {
  for (const auto& other : systems) {
    if (other->name() == robot->name())
      Refuse(key + ".name", robot->name(), "the name is taken; choose another");
  }
  robot->set_gravity(gravity);
  Eigen::VectorXd q = robot->q_home(), v = Eigen::VectorXd::Zero(robot->nv());
  for (const auto& [joint, value] : start.joints) {
    const auto& names = robot->joint_names();
    const auto found = std::find(names.begin(), names.end(), joint);
    if (found == names.end()) {
      const std::string near = Nearest(joint, names);
      Refuse(key + ".initial.joints." + joint, std::to_string(value),
             robot->name() + " has no such joint" + (near.empty() ? "" : "; did you mean '" + near + "'?"));
    }
    q[robot->nq() - robot->na() + (found - names.begin())] = value;
  }
  if (robot->has_floating_base()) {
    const Eigen::Matrix3d R = Rotation(start.rpy);
    q.segment<4>(3) = Eigen::Quaterniond(R).coeffs();
    v.head<3>() = R.transpose() * start.linear;
    v.segment<3>(3) = R.transpose() * start.angular;
    if (start.position.empty()) {
      q.head<2>().setZero();
      for (int pass = 0; pass < 20; ++pass) {  // the gap is not the height on a slope, so repeat
        robot->ComputeTerms(q, v);
        PlaceOnGround(*robot, &q[2]);
      }
    } else {
      q.head<3>() = Eigen::Map<const Vector3d>(start.position.data());
    }
  }
  if (!robot->has_floating_base()) {
    Pose pose{Rotation(start.rpy), Vector3d::Zero()};
    if (!start.position.empty()) pose.p = Eigen::Map<const Vector3d>(start.position.data());
    for (int pass = 0; pass < (start.position.empty() ? 20 : 1); ++pass) {
      robot->SetBasePose(pose);
      robot->ComputeTerms(q, v);
      if (start.position.empty()) PlaceOnGround(*robot, &pose.p.z());
    }
  }
  const int system = static_cast<int>(systems.size()), index = surfaces.Find(material);
  for (const Geometry& g : robot->geometries()) geometries.push_back({{system, g.body}, g, index});
  initial.q.conservativeResize(nq() + robot->nq());
  initial.v.conservativeResize(nv() + robot->nv());
  initial.q.tail(robot->nq()) = q;
  initial.v.tail(robot->nv()) = v;
  q_offset.push_back(nq() + robot->nq());
  v_offset.push_back(nv() + robot->nv());
  a_offset.push_back(na() + robot->na());
  systems.push_back(std::move(robot));
}

void Scene::PlaceOnGround(const Robot& robot, double* height) const {
  double lowest = std::numeric_limits<double>::infinity();
  for (const Geometry& g : robot.geometries()) {
    const Pose pose = robot.poses()[static_cast<std::size_t>(g.body)] * g.placement;
    lowest = std::min(lowest, Clearance(*terrain, pose, g.shape));
  }
  // on a plane the gap is the height times the cosine of its slope
  const Vector3d& base = robot.poses()[0].p;
  if (std::isfinite(lowest)) *height -= lowest / terrain->Normal(base.x(), base.y()).z();
}

Scene::Wrench Scene::MakeWrench(const WrenchConfig& config, const std::string& key) const {
  const std::size_t slash = config.body.find('/');
  const std::string name = config.body.substr(0, slash);
  std::vector<std::string> names;
  for (std::size_t s = 0; s < systems.size(); ++s) {
    names.push_back(systems[s]->name());
    if (systems[s]->name() != name) continue;
    if (slash == std::string::npos) return {config, static_cast<int>(s), 0, {}};
    try {
      const Frame frame = systems[s]->FindFrame(config.body.substr(slash + 1));
      return {config, static_cast<int>(s), frame.body, frame.placement};
    } catch (const std::invalid_argument& error) {
      Refuse(key + ".body", config.body, error.what());
    }
  }
  std::string known;
  for (const std::string& n : names) known += (known.empty() ? "" : ", ") + n;
  Refuse(key + ".body", config.body, "no such system; one of " + known + ", or NAME/LINK");
}

void Scene::AddWrenches(double t, double dt, Eigen::VectorXd* tau) const {
  for (const Wrench& w : wrenches_) {
    const double scale = Scale(w.config, t + dt / 2);
    if (scale == 0) continue;
    const auto s = static_cast<std::size_t>(w.system);
    const Robot& robot = *systems[s];
    const Vector3d point = robot.poses()[static_cast<std::size_t>(w.body)] * (w.placement * w.config.point);
    robot.AddPointForce(w.body, point, scale * w.config.force, scale * w.config.torque,
                        tau->segment(v_offset[s], robot.nv()));
  }
}

void Scene::ComputeTerms(const State& state) {
  for (std::size_t s = 0; s < systems.size(); ++s) {
    systems[s]->ComputeTerms(state.q.segment(q_offset[s], systems[s]->nq()),
                             state.v.segment(v_offset[s], systems[s]->nv()));
  }
}

}  // namespace tread
