// A scene: systems (robots and free bodies), the ground, what surfaces do to each other, gravity, and scripted pushes.
//
// Each system keeps its own model, so the mass matrix of the scene is block diagonal; q, v and the actuated joints are stacked
// in the order of the systems (robots first, as the config lists them). Names of systems are unique.
// A scripted wrench acts at a point fixed to a body, force and torque in world axes, scaled over time by
//   constant  1 on [start, start + duration)
//   ramp      rises linearly from 0 at start to 1 at start + duration, then stays 1
//   pulse     sin(pi s), s = (t - start) / duration: the impulse is 2/pi force duration
// taken at the middle of each step, which makes the impulse of a ramp exact.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "robots/robot.h"
#include "robots/state.h"
#include "sim/contact/contact.h"
#include "sim/materials.h"
#include "sim/terrain.h"

namespace tread {

// Where a system starts. An empty position puts it on the ground at the origin, its lowest shape just touching.
struct InitialConfig {
  std::vector<double> position;                       // [m], of the base frame; empty: on the ground
  Eigen::Vector3d rpy = Eigen::Vector3d::Zero();      // [rad], roll pitch yaw: R = Rz Ry Rx
  Eigen::Vector3d linear = Eigen::Vector3d::Zero();   // [m/s], world axes
  Eigen::Vector3d angular = Eigen::Vector3d::Zero();  // [rad/s], world axes
  std::map<std::string, double> joints;               // [rad]; others at the robot's home pose
};

struct RobotConfig {
  std::string name;  // empty: that of the model
  std::string model = "solo12";
  std::string material = "default";
  InitialConfig initial;
};

struct BodyConfig {
  std::string name;
  std::string shape = "box";                              // sphere | box | capsule
  Eigen::Vector3d size = Eigen::Vector3d::Constant(0.1);  // box: full lengths [m]
  double radius = 0.05;                                   // sphere, capsule [m]
  double length = 0.1;                                    // capsule: between the centres of its ends [m]
  double mass = 1;                                        // [kg], uniform density
  std::string material = "default";
  InitialConfig initial;
};

struct WrenchConfig {
  std::string body;                                  // NAME of a system (its base), or NAME/LINK
  std::string shape = "constant";                    // constant | ramp | pulse
  double start = 0, duration = 1;                    // [s]
  Eigen::Vector3d force = Eigen::Vector3d::Zero();   // [N], world axes
  Eigen::Vector3d torque = Eigen::Vector3d::Zero();  // [N m], world axes
  Eigen::Vector3d point = Eigen::Vector3d::Zero();   // [m], in the axes of the body or link
};

struct SceneConfig {
  std::vector<RobotConfig> robots;
  std::vector<BodyConfig> bodies;
  TerrainConfig terrain;
  MaterialConfig surface;                           // of the materials 'default' and 'ground'
  std::map<std::string, MaterialConfig> materials;  // further ones, or other values for those two
  std::vector<PairConfig> pairs;
  Eigen::Vector3d gravity{0, 0, -9.81};  // [m/s^2]
  std::vector<WrenchConfig> wrenches;
};

struct SceneGeometry {
  BodyRef body;
  Geometry geometry;
  int material = 0;
};

class Scene {
 public:
  // Throws std::invalid_argument "key = value: remedy" with the dotted key of a config file.
  Scene(const SceneConfig& config, std::uint64_t seed);

  std::vector<std::unique_ptr<Robot>> systems;
  std::vector<int> q_offset, v_offset, a_offset;  // per system, one more at the end: total sizes
  std::vector<SceneGeometry> geometries;          // of all systems, in order
  std::unique_ptr<Terrain> terrain;
  int ground_material = 0;
  MaterialTable surfaces;  // may be exchanged between runs
  Eigen::Vector3d gravity;
  State initial;

  int nq() const { return q_offset.back(); }
  int nv() const { return v_offset.back(); }
  int na() const { return a_offset.back(); }
  const Eigen::VectorXd& effort_limit() const { return effort_limit_; }  // size na

  // Adds the scripted wrenches' share to the generalised forces tau (size nv) for the step [t, t + dt]; the systems hold the
  // terms of the state at t.
  void AddWrenches(double t, double dt, Eigen::VectorXd* tau) const;

  // Terms of every system at a state.
  void ComputeTerms(const State& state);

 private:
  struct Wrench {
    WrenchConfig config;
    int system = 0, body = 0;
    Pose placement;  // of the point's axes in the body's frame
  };

  void AddSystem(std::unique_ptr<Robot> robot, const std::string& key, const std::string& material,
                 const InitialConfig& initial);
  void PlaceOnGround(const Robot& robot, double* height) const;
  Wrench MakeWrench(const WrenchConfig& config, const std::string& key) const;

  std::vector<Wrench> wrenches_;
  Eigen::VectorXd effort_limit_;
};

}  // namespace tread
