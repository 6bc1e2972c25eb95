// Scenes: materials and their combination, placement, scripted wrenches, and the problem that is assembled from them.
#include "sim/scene.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "sim/backends.h"
#include "sim/collision/detector.h"
#include "sim/stepping/assembly.h"

namespace tread {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

BodyConfig Ball(const std::string& name, const Vector3d& position) {
  BodyConfig body;
  body.name = name;
  body.shape = "sphere";
  body.radius = 0.1;
  body.initial.position = {position.x(), position.y(), position.z()};
  return body;
}

TEST(Materials, CombineAndOverride) {
  std::map<std::string, MaterialConfig> materials{
      {"ice", {0.04, 0.1, 0, 0}}, {"rubber", {1.0, 0.8, 2e4, 50}}, {"foam", {0.5, 0, 1e3, 10}}};
  const MaterialTable table(materials, {{"ice", "foam", 0.3, -1, -1, 7}});
  const Surface& mixed = table(table.Find("ice"), table.Find("rubber"));
  EXPECT_DOUBLE_EQ(mixed.mu, 0.2);  // sqrt(0.04 * 1)
  EXPECT_EQ(mixed.restitution, 0.8);
  EXPECT_EQ(mixed.stiffness, 2e4);  // rigid with rubber: the rubber gives
  EXPECT_EQ(mixed.damping, 50);
  EXPECT_EQ(table(table.Find("foam"), table.Find("rubber")).stiffness, 1e3);
  const Surface& given = table(table.Find("foam"), table.Find("ice"));
  EXPECT_EQ(given.mu, 0.3);
  EXPECT_EQ(given.damping, 7);
  EXPECT_EQ(given.stiffness, 1e3);
  EXPECT_FALSE(table(table.Find("ice"), table.Find("ice")).compliant());
  EXPECT_THROW(table.Find("gum"), std::invalid_argument);
}

TEST(Scene, PlacesOnTheGroundOrWhereAsked) {
  SceneConfig config;
  config.terrain.type = "slope";
  config.terrain.slope = 0.3;
  RobotConfig solo;
  config.robots.push_back(solo);
  BodyConfig ball = Ball("ball", {5, 0, 9});
  config.bodies.push_back(ball);
  const Scene scene(config, 1);
  double lowest = 1;
  for (const SceneGeometry& g : scene.geometries) {
    if (g.body.system != 0 || g.geometry.shape.type != ShapeType::kSphere) continue;
    const Pose& pose = scene.systems[0]->poses()[static_cast<std::size_t>(g.body.body)];
    lowest = std::min(lowest, scene.terrain->Closest(pose * g.geometry.placement.p).distance - 0.016);
  }
  EXPECT_NEAR(lowest, 0, 1e-9);
  EXPECT_EQ(scene.systems[1]->poses()[0].p, Vector3d(5, 0, 9));
}

// Free in space: the velocity is the impulse over the mass.
TEST(Scene, WrenchesGiveTheirImpulse) {
  struct Case {
    const char* shape;
    double impulse;
  };
  for (const Case& c : {Case{"constant", 1.0}, Case{"pulse", 2 / M_PI}, Case{"ramp", 0.5 + 0.7}}) {
    SceneConfig config;
    config.gravity.setZero();
    config.bodies.push_back(Ball("ball", {0, 0, 5}));
    WrenchConfig wrench;
    wrench.body = "ball";
    wrench.shape = c.shape;
    wrench.start = 0.3;
    wrench.duration = 1;
    wrench.force = {2, 0, -1};
    wrench.torque = {0, 0.001, 0};
    config.wrenches.push_back(wrench);
    const auto simulator = MakeSimulator(std::make_unique<Scene>(config, 1), SimConfig{});
    for (int i = 0; i < 2000; ++i) simulator->Step(JointCommand::Zero(0));
    const BodyVelocity& v = simulator->scene().systems[0]->velocities()[0];
    EXPECT_LT((v.linear - c.impulse * wrench.force).norm(), 1e-5)
        << c.shape;  // midpoint rule on the half sine
    EXPECT_NEAR(v.angular.y(), c.impulse * 0.001 / (0.4 * 0.01), 1e-5) << c.shape;
  }
}

TEST(Scene, RefusesWhatItCannotServe) {
  SceneConfig config;
  config.bodies = {Ball("a", {0, 0, 1}), Ball("a", {0, 0, 2})};
  EXPECT_THROW(Scene(config, 1), std::invalid_argument);
  config.bodies.pop_back();
  config.wrenches.push_back({.body = "b"});
  EXPECT_THROW(Scene(config, 1), std::invalid_argument);
}

// G and g of a robot among bodies, against dense algebra with Jacobians by finite differences of the contact points.
TEST(Assembler, AgreesWithDenseAlgebra) {
  SceneConfig config;
  config.robots.push_back({});
  config.robots[0].initial.joints = {{"FL_KFE", -2.595}};  // within reach of its limit
  config.robots[0].initial.linear = {0.3, -0.2, 0.1};
  config.robots[0].initial.angular = {0.5, 1, -0.4};
  config.bodies = {Ball("low", {0.5, 0, 0.1}), Ball("high", {0.5, 0.02, 0.2985})};
  config.bodies[1].initial.linear = {0, 0, -1};
  Scene scene(config, 1);
  Detector detector(scene);
  std::vector<Contact> contacts;
  detector.Detect(0.002, 0.001, &contacts);
  const std::vector<char> rebounds(contacts.size(), 1);
  Assembler assembler(scene, TargetConfig{});
  ContactProblem problem;
  const VectorXd v_free = VectorXd::LinSpaced(scene.nv(), -1, 1);
  assembler.Assemble(contacts, rebounds, scene.initial, v_free, 0.001, &problem);
  ASSERT_GE(contacts.size(), 5u);  // three feet at least, ball on ground, ball on ball
  ASSERT_EQ(assembler.limits().size(), 1u);

  // J by columns: move one velocity coordinate, see how the material points of both bodies move
  const auto point_velocity = [&](const BodyRef& ref, const Vector3d& p) -> Vector3d {
    if (ref.system < 0) return Vector3d::Zero();
    const Robot& robot = *scene.systems[static_cast<std::size_t>(ref.system)];
    const auto b = static_cast<std::size_t>(ref.body);
    return robot.velocities()[b].linear + robot.velocities()[b].angular.cross(p - robot.poses()[b].p);
  };
  MatrixXd J = MatrixXd::Zero(problem.rows(), scene.nv()), M = MatrixXd::Zero(scene.nv(), scene.nv());
  for (int k = 0; k < scene.nv(); ++k) {
    State moved = scene.initial;
    moved.v = VectorXd::Unit(scene.nv(), k);
    scene.ComputeTerms(moved);
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      const Contact& c = contacts[i];
      J.block<3, 1>(static_cast<Eigen::Index>(3 * i), k) =
          c.frame.transpose() * (point_velocity(c.body2, c.point) - point_velocity(c.body1, c.point));
    }
  }
  J(problem.rows() - 1, 6 + 2) = 1;  // FL_KFE at its lower limit
  for (std::size_t s = 0; s < scene.systems.size(); ++s) {
    const int n = scene.systems[s]->nv(), o = scene.v_offset[s];
    M.block(o, o, n, n) = MatrixXd(scene.systems[s]->M().selfadjointView<Eigen::Upper>());
  }
  const MatrixXd G = J * M.llt().solve(J.transpose());
  EXPECT_LT((problem.G.ToDense() - G).norm(), 1e-9 * G.norm());
  EXPECT_LT((problem.g - J * v_free / 0.001).norm(), 1e-9 * problem.g.norm());
  const VectorXd lambda = VectorXd::LinSpaced(problem.rows(), 1, 2);
  VectorXd v = v_free, scratch(scene.nv());
  assembler.AddImpulses(lambda, 0.001, &scratch, &v);
  EXPECT_LT((v - v_free - 0.001 * M.llt().solve(J.transpose() * lambda)).norm(), 1e-9);
}

// Two balls meet in free space: whatever happens between them, the momenta of the pair stay.
TEST(Stepping, ActionEqualsReaction) {
  SceneConfig config;
  config.gravity.setZero();
  config.surface.restitution = 0.6;
  config.bodies = {Ball("a", {0, 0, 5}), Ball("b", {0.25, 0.05, 5.02})};
  config.bodies[0].initial.linear = {1, 0.2, 0};
  config.bodies[0].initial.angular = {3, -8, 5};
  config.bodies[1].mass = 3;
  const auto simulator = MakeSimulator(std::make_unique<Scene>(config, 1), SimConfig{});
  const StepReport& first = simulator->Step(JointCommand::Zero(0));
  const Mechanics before = first.mechanics;
  bool touched = false;
  for (int i = 0; i < 500; ++i) {
    for (const Contact& c : simulator->Step(JointCommand::Zero(0)).contacts)
      touched = touched || c.force.z() > 0;
  }
  const Mechanics after = simulator->Step(JointCommand::Zero(0)).mechanics;
  EXPECT_TRUE(touched);
  EXPECT_LT((after.linear_momentum - before.linear_momentum).norm(), 1e-12);
  EXPECT_LT((after.angular_momentum - before.angular_momentum).norm(),
            1e-11 * before.angular_momentum.norm());
  EXPECT_LT(after.kinetic, before.kinetic);
}

// A joint driven into its limit stops there.
TEST(Stepping, JointLimitsHold) {
  SceneConfig config;
  config.robots.push_back({});
  config.robots[0].initial.position = {0, 0, 2};
  config.gravity.setZero();
  const auto simulator = MakeSimulator(std::make_unique<Scene>(config, 1), SimConfig{});
  JointCommand command = JointCommand::Zero(12);
  command.tau[0] = 0.5;   // FL_HAA up
  command.tau[4] = -0.5;  // FR_HFE down
  bool pushed = false;
  double highest = 0, lowest = 0;
  for (int i = 0; i < 500; ++i) {
    const StepReport& report = simulator->Step(command);
    pushed = pushed || report.limits > 0;
    highest = std::max(highest, simulator->state().q[7]);
    lowest = std::min(lowest, simulator->state().q[7 + 4]);
    EXPECT_LE(report.ncp.worst(), 1e-6);
  }
  EXPECT_TRUE(pushed);
  EXPECT_NEAR(highest, 1.1, 1e-6);
  EXPECT_NEAR(lowest, -1.3, 1e-6);
}

// A hand on a fixed base: it stands where it is put, and what nothing can move is no contact.
TEST(Stepping, FixedBasesStayAndAskForNoForce) {
  SceneConfig config;
  RobotConfig hand;
  hand.model = "allegro_hand";
  config.robots.push_back(hand);
  const auto simulator = MakeSimulator(std::make_unique<Scene>(config, 1), SimConfig{});
  const int na = simulator->scene().na();
  for (int i = 0; i < 20; ++i) {
    const StepReport& report = simulator->Step(JointCommand::Zero(na));
    EXPECT_EQ(report.status, SolveStatus::kConverged);
    for (const Contact& c : report.contacts) EXPECT_TRUE(c.body2.body > 0 || c.body1.body > 0);
  }
  config.robots[0].initial.position = {0.3, 0.1, 1};
  config.robots[0].initial.rpy = {0, 0, 1};
  const Scene scene(config, 1);
  EXPECT_LT((scene.systems[0]->poses()[0].p - Vector3d(0.3, 0.1, 1)).norm(), 1e-12);
  EXPECT_GT(scene.systems[0]->poses()[5].p.z(), 0.9);
}

// Four corners of a thin box are loaded, the four above them only near: the box still sinks by its weight.
TEST(Stepping, StiffnessIsSharedByWhatTouches) {
  SceneConfig config;
  config.surface = {0.5, 0.3, 20000, 50};
  BodyConfig plate;
  plate.name = "plate";
  plate.size = {0.2, 0.2, 0.001};
  config.bodies.push_back(plate);
  const auto simulator = MakeSimulator(std::make_unique<Scene>(config, 1), SimConfig{});
  StepReport report;
  for (int i = 0; i < 1000; ++i) report = simulator->Step(JointCommand::Zero(0));
  EXPECT_NEAR(report.penetration, 9.81 / 20000, 1e-8);
  // at rest, against the rigid law: it holds but for the overlap, which is not a matter of velocities
  EXPECT_LT(report.rigid.eps_d, 1e-3);
}

}  // namespace
}  // namespace tread
