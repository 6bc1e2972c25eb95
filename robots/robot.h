// A robot or a free body: constant model, and the terms of its equation of motion at one state.
//
//   M(q) a + h(q, v) = tau + Σ Jᵀ f        M: nv x nv, h: Coriolis, centrifugal and gyroscopic forces MINUS gravity's
//
// q, v follow robots/state.h. Actuated dofs are the last na. A velocity v of the joints gives body b the spatial
// velocity Σ J_world.col(k) v_k over k in bodies()[b].chain: 6 rows, linear (of the point passing the world origin)
// then angular, in world axes; a point x_W of the body moves with linear + angular x x_W.
// Limits: trees of revolute, prismatic and one free-flyer joint (URDF's continuous joints count turns); no closed
// loops. One Robot serves one thread at a time. ComputeTerms and all after it do not allocate.
#pragma once

#include <Eigen/Core>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "robots/geometry.h"
#include "robots/tree_factor.h"

namespace tread {

// A moving link with all links fixed to it. Its frame is that of the joint that moves it.
struct Body {
  std::string name;                                   // of the joint; "universe" for a fixed base
  int parent = -1;                                    // index into bodies, -1 for the root
  std::vector<int> chain;                             // dofs that move it, ascending from the root
  double mass = 0;                                    // [kg]
  Eigen::Vector3d center = Eigen::Vector3d::Zero();   // of mass, in its frame [m]
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  // about the centre, axes of its frame [kg m²]
};

struct BodyVelocity {
  Eigen::Vector3d linear;   // of the origin of the body's frame, world axes [m/s]
  Eigen::Vector3d angular;  // world axes [rad/s]
};

struct Frame {
  std::string name;
  int body = 0;    // index into bodies
  Pose placement;  // in the body's frame
};

struct JointLimits {
  double q_min = 0, q_max = 0;  // [rad] or [m]; +-inf when none
  double velocity = 0;          // [rad/s] or [m/s]
  double effort = 0;            // [N m] or [N]
};

// What a Robot is built from; robot_table.h has ready ones.
struct RobotSpec {
  std::string name;
  std::string urdf;  // the XML text itself
  bool floating_base = true;
  std::map<std::string, JointLimits> limits;                      // by joint, instead of the URDF's
  std::map<std::string, double> home;                             // by joint; others 0, or the nearest limit
  std::vector<std::string> foot_frames;                           // link names
  std::vector<std::pair<std::string, Geometry>> link_geometries;  // placement is in the named link's frame
};

class Robot {
 public:
  using Matrix6X = Eigen::Matrix<double, 6, Eigen::Dynamic>;

  // Throws std::invalid_argument for a joint type, link or joint name it cannot serve, and std::domain_error where M is not
  // positive definite (a link without mass at the end of a chain). The base's home height puts the lowest sphere on the
  // plane z = 0.
  explicit Robot(const RobotSpec& spec);
  // A free body of uniform density, frame at the centre of mass; its terms are in closed form.
  Robot(const std::string& name, const Shape& shape, double mass);
  Robot(const Robot&) = delete;
  Robot& operator=(const Robot&) = delete;

  // Constant model.
  const std::string& name() const { return name_; }
  void set_name(const std::string& name) { name_ = name; }  // of several robots of one model
  int nq() const { return nq_; }
  int nv() const { return nv_; }
  int na() const { return na_; }
  int first_actuated() const { return nv_ - na_; }  // dof index
  bool has_floating_base() const { return floating_; }
  const std::vector<Body>& bodies() const { return bodies_; }  // [0] is the base, floating or fixed
  const std::vector<Geometry>& geometries() const { return geometries_; }
  const std::vector<Frame>& feet() const { return feet_; }
  const std::vector<std::string>& joint_names() const { return joint_names_; }  // actuated, size na
  const Eigen::VectorXd& q_min() const { return q_min_; }                       // size na
  const Eigen::VectorXd& q_max() const { return q_max_; }
  const Eigen::VectorXd& velocity_limit() const { return velocity_limit_; }
  const Eigen::VectorXd& effort_limit() const { return effort_limit_; }
  const Eigen::VectorXd& q_home() const { return q_home_; }  // size nq
  double total_mass() const { return total_mass_; }          // of the moving bodies [kg]
  // By link, and by joint or link; both throw std::invalid_argument, with the nearest name.
  const Frame& FindFrame(const std::string& link) const;
  int FindBody(const std::string& joint_or_link) const;

  const Eigen::Vector3d& gravity() const { return gravity_; }  // [m/s²]
  void set_gravity(const Eigen::Vector3d& gravity);

  // Where a robot on a fixed base stands; the world's origin until then. Throws std::invalid_argument for a floating one.
  void SetBasePose(const Pose& pose);

  // Terms at (q, v); all getters and functions below speak of the last call.
  void ComputeTerms(const Eigen::Ref<const Eigen::VectorXd>& q, const Eigen::Ref<const Eigen::VectorXd>& v);
  const std::vector<Pose>& poses() const { return poses_; }                    // of bodies, in the world
  const std::vector<BodyVelocity>& velocities() const { return velocities_; }  // of bodies
  const Matrix6X& J_world() const { return *J_; }
  const Eigen::MatrixXd& M() const { return *M_; }  // upper triangle only
  const Eigen::VectorXd& h() const { return *h_; }
  const TreeFactor& factor() const { return factor_; }  // of M

  // tau += Jᵀ (force, torque): a force at a point and a torque on a body [N, N m], all in world axes; tau has size nv.
  void AddPointForce(int body, const Eigen::Vector3d& point_W, const Eigen::Vector3d& force_W,
                     const Eigen::Vector3d& torque_W, Eigen::Ref<Eigen::VectorXd> tau) const;

  // a = M⁻¹ (tau - h'), sizes nv. h' is h with the base's gyroscopic torque w x I w, I = M(3:6, 3:6), replaced by
  // -I (w_g - w) / dt, where I (w_g - w) + dt w_g x I w_g = 0: implicit, so that a free spin gains no energy. The base's
  // linear part is the classical acceleration in base axes (spatial + w x v), which Integrate expects.
  void ComputeFreeAcceleration(double dt, const Eigen::Ref<const Eigen::VectorXd>& tau,
                               Eigen::Ref<Eigen::VectorXd> a) const;

  // q, v of this robot: v holds v + dt a, its base part in the OLD base axes. p += dt R v_lin, R <- R exp(dt w),
  // v_lin <- exp(-dt w) v_lin (the same vector in the NEW axes), joints q += dt v.
  void Integrate(double dt, Eigen::Ref<Eigen::VectorXd> q, Eigen::Ref<Eigen::VectorXd> v) const;

  // Acceleration of a point of a body (world axes, [m/s^2]) when all generalised accelerations are zero: the part (dJ/dt) v of its motion.
  // The generalised acceleration of a floating base is the spatial one, as in M a + h.
  Eigen::Vector3d BiasAcceleration(int body, const Eigen::Vector3d& point_W) const;

  double KineticEnergy(const Eigen::Ref<const Eigen::VectorXd>& v) const;  // vᵀ M v / 2 [J]
  double PotentialEnergy() const;                                          // -m gᵀ c [J]
  Eigen::Vector3d CenterOfMass() const;                                    // c, of the moving bodies [m]
  Eigen::Vector3d LinearMomentum() const;                                  // world axes [kg m/s]
  Eigen::Vector3d AngularMomentum() const;  // about the world origin [kg m²/s]

 private:
  struct Data;  // Pinocchio's model and data
  struct DeleteData {
    void operator()(Data* data) const;
  };

  void ComputeFreeBodyTerms();
  void AddBodies(const RobotSpec& spec);
  void AddLimits(const RobotSpec& spec);
  void AddGeometries(const RobotSpec& spec);
  void SetHome(const RobotSpec& spec);
  int FindJoint(const std::string& joint) const;      // index into joint_names
  Eigen::Vector3d BaseRows(int row) const;            // three rows of M v of a floating base
  Eigen::Vector3d BodyMomentum(std::size_t b) const;  // linear

  std::string name_;
  int nq_ = 0, nv_ = 0, na_ = 0;
  bool floating_ = true;
  std::vector<Body> bodies_;
  std::vector<Geometry> geometries_;
  std::vector<Frame> links_, feet_;
  std::vector<std::string> joint_names_;
  Eigen::VectorXd q_min_, q_max_, velocity_limit_, effort_limit_, q_home_;
  double total_mass_ = 0;
  Eigen::Vector3d gravity_{0, 0, -9.81};
  Pose base_pose_;  // of a fixed base

  std::unique_ptr<Data, DeleteData> data_;  // null for a free body
  Eigen::VectorXd q_, v_;                   // last given
  std::vector<Pose> poses_;
  std::vector<BodyVelocity> velocities_;
  TreeFactor factor_;
  Matrix6X free_J_;  // of a free body
  Eigen::MatrixXd free_M_;
  Eigen::VectorXd free_h_;
  const Matrix6X* J_ = &free_J_;
  const Eigen::MatrixXd* M_ = &free_M_;
  const Eigen::VectorXd* h_ = &free_h_;
};

}  // namespace tread
