// Robot's terms against plain Pinocchio, the table of robots, and the absence of allocation.
#include "robots/robot.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/jacobian.hpp>
#include <pinocchio/algorithm/rnea.hpp>
#include <pinocchio/multibody/data.hpp>
#include <pinocchio/multibody/model.hpp>
#include <pinocchio/parsers/urdf.hpp>
#include <stdexcept>

#include "experiments/allocation_counter.h"
#include "robots/robot_table.h"
#include "robots/state.h"

namespace tread {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;
using VectorRef = Eigen::Ref<const VectorXd>;  // what Pinocchio's library is compiled for

State RandomState(const Robot& robot) {
  State state{robot.q_home(), VectorXd::Random(robot.nv())};
  VectorXd step = VectorXd::Random(robot.nv());
  robot.Integrate(0.7, state.q, step);
  return state;
}

// Velocity of a point of a body, from J_world.
Vector3d PointVelocity(const Robot& robot, int body, const Vector3d& point, const VectorXd& v) {
  Eigen::Matrix<double, 6, 1> spatial = Eigen::Matrix<double, 6, 1>::Zero();
  for (const int k : robot.bodies()[static_cast<std::size_t>(body)].chain)
    spatial += robot.J_world().col(k) * v[k];
  return spatial.head<3>() + spatial.tail<3>().cross(point);
}

void ExpectSame(Robot& robot, const pinocchio::Model& model) {
  SCOPED_TRACE(robot.name());
  pinocchio::Data data(model);
  ASSERT_EQ(robot.nq(), model.nq);
  const std::size_t first = robot.has_floating_base() ? 1 : 0;
  for (int trial = 0; trial < 10; ++trial) {
    const State s = RandomState(robot);
    robot.ComputeTerms(s.q, s.v);
    const VectorXd none = VectorXd::Zero(robot.nv());
    const VectorRef q = s.q, v = s.v, zero = none;
    pinocchio::crba(model, data, q, pinocchio::Convention::LOCAL);
    const Eigen::MatrixXd M = data.M.selfadjointView<Eigen::Upper>();
    EXPECT_LT(Eigen::MatrixXd((robot.M() - M).triangularView<Eigen::Upper>()).norm(), 1e-13 * M.norm());
    pinocchio::rnea(model, data, q, v, zero);
    EXPECT_LT((robot.h() - data.tau).norm(), 1e-13 * (1 + data.tau.norm()));
    pinocchio::computeJointJacobians(model, data, q);
    EXPECT_LT((robot.J_world() - data.J).norm(), 1e-13 * data.J.norm());

    pinocchio::Force momentum = pinocchio::Force::Zero();
    Vector3d center = Vector3d::Zero();
    for (std::size_t j = 1; j < static_cast<std::size_t>(model.njoints); ++j) {
      const pinocchio::SE3& pose = data.oMi[j];
      const BodyVelocity& velocity = robot.velocities()[j - first];
      EXPECT_LT((velocity.linear - pose.rotation() * data.v[j].linear()).norm(), 1e-13 * (1 + s.v.norm()));
      EXPECT_LT((velocity.angular - pose.rotation() * data.v[j].angular()).norm(), 1e-13 * (1 + s.v.norm()));
      EXPECT_LT((robot.poses()[j - first].p - pose.translation()).norm(), 1e-13);
      momentum += pose.act(model.inertias[j] * data.v[j]);
      center += model.inertias[j].mass() * pose.act(model.inertias[j].lever()) / robot.total_mass();
    }
    const double scale = 1 + momentum.toVector().norm();
    EXPECT_LT((robot.LinearMomentum() - momentum.linear()).norm(), 1e-13 * scale);
    EXPECT_LT((robot.AngularMomentum() - momentum.angular()).norm(), 1e-13 * scale);
    EXPECT_LT((robot.CenterOfMass() - center).norm(), 1e-13);
    const double energy = 0.5 * s.v.dot(M * s.v);
    EXPECT_NEAR(robot.KineticEnergy(s.v), energy, 1e-13 * (1 + energy));
  }
}

TEST(Robot, Solo12Facts) {
  const auto robot = MakeRobot("solo12");
  EXPECT_NEAR(robot->total_mass(), 2.50000279, 1e-8);
  EXPECT_EQ(robot->nq(), 19);
  EXPECT_EQ(robot->nv(), 18);
  EXPECT_EQ(robot->na(), 12);
  EXPECT_EQ(robot->joint_names()[7], "HL_HFE");
  EXPECT_EQ(robot->q_min()[1], -1.3);
  EXPECT_EQ(robot->q_max()[7], 1.3);
  EXPECT_EQ(robot->effort_limit()[3], 2.5);
  EXPECT_EQ(robot->velocity_limit()[3], 80);
  EXPECT_NEAR(robot->q_home()[2], 0.24475 + 0.016, 1e-5);
  robot->ComputeTerms(robot->q_home(), VectorXd::Zero(18));
  ASSERT_EQ(robot->feet().size(), 4u);
  for (const Frame& foot : robot->feet()) {
    const Pose& pose = robot->poses()[static_cast<std::size_t>(foot.body)];
    EXPECT_NEAR((pose * foot.placement.p)[2], 0.016, 1e-12);
  }
  EXPECT_NEAR(robot->CenterOfMass()[2] - robot->q_home()[2], -0.02639, 1e-5);
  EXPECT_NEAR(robot->PotentialEnergy(), robot->total_mass() * 9.81 * robot->CenterOfMass()[2], 1e-12);
  EXPECT_EQ(robot->geometries().size(), 13u);
}

TEST(Robot, BodiesAreFoundByJointAndLinkAndKnowTheirParents) {
  const auto robot = MakeRobot("solo12");
  EXPECT_EQ(robot->FindBody("root_joint"), 0);
  EXPECT_EQ(robot->FindBody("base_link"), 0);
  EXPECT_EQ(robot->FindBody("FR_KFE"), robot->FindBody("FR_FOOT"));
  const auto body = [&](const char* name) {
    return robot->bodies()[static_cast<std::size_t>(robot->FindBody(name))];
  };
  EXPECT_EQ(body("FR_KFE").parent, robot->FindBody("FR_HFE"));
  EXPECT_EQ(body("FR_HAA").parent, 0);
  EXPECT_EQ(body("root_joint").parent, -1);
  EXPECT_EQ(body("FR_KFE").chain, (std::vector<int>{0, 1, 2, 3, 4, 5, 9, 10, 11}));
  const auto hand = MakeRobot("allegro_hand");
  EXPECT_EQ(hand->bodies()[0].parent, -1);
  EXPECT_TRUE(hand->bodies()[0].chain.empty());
  EXPECT_EQ(hand->bodies()[1].parent, 0);
  try {
    robot->FindBody("FR_FOOD");
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "solo12: no joint or link 'FR_FOOD'; did you mean 'FR_FOOT'?");
  }
  EXPECT_THROW(robot->FindFrame("FR_KFE"), std::invalid_argument);  // a joint, not a link
}

TEST(Robot, AgreesWithPinocchio) {
  const auto check = [](const std::string& name, const std::string& file) {
    pinocchio::Model model;
    pinocchio::urdf::buildModel(RobotDataDir() + "/" + file, pinocchio::JointModelFreeFlyer(), model);
    ExpectSame(*MakeRobot(name), model);
  };
  check("solo12", "solo_description/robots/solo12.urdf");
  check("go2", "go2_description/urdf/go2.urdf");
  check("talos", "talos_data/robots/talos_reduced.urdf");
  pinocchio::Model hand;
  pinocchio::urdf::buildModel(RobotDataDir() + "/allegro_hand_description/urdf/allegro_right_hand.urdf",
                              hand);
  ExpectSame(*MakeRobot("allegro_hand"), hand);
}

TEST(Robot, FreeBodyAgreesWithPinocchio) {
  const auto check = [](const Shape& shape, const pinocchio::Inertia& inertia) {
    pinocchio::Model model;
    const auto joint =
        model.addJoint(0, pinocchio::JointModelFreeFlyer(), pinocchio::SE3::Identity(), "root_joint");
    model.appendBodyToJoint(joint, inertia, pinocchio::SE3::Identity());
    ExpectSame(*MakeFreeBody("body", shape, 2.5), model);
  };
  check(Shape::Sphere(0.2), pinocchio::Inertia::FromSphere(2.5, 0.2));
  check(Shape::Box({0.1, 0.2, 0.3}), pinocchio::Inertia::FromBox(2.5, 0.2, 0.4, 0.6));
  check(Shape::Capsule(0.1, 0.3), pinocchio::Inertia::FromCapsule(2.5, 0.1, 0.6));
}

TEST(Robot, TermsDoNotDependOnThePlace) {
  const auto robot = MakeRobot("solo12");
  State s = RandomState(*robot);
  robot->ComputeTerms(s.q, s.v);
  const Eigen::MatrixXd M = robot->M().triangularView<Eigen::Upper>();
  const VectorXd h = robot->h();
  const Vector3d velocity = robot->velocities()[5].linear;
  s.q.head<3>() += Vector3d(1e3, -2e3, 5);
  robot->ComputeTerms(s.q, s.v);
  EXPECT_EQ((M - Eigen::MatrixXd(robot->M().triangularView<Eigen::Upper>())).norm(), 0);
  EXPECT_EQ((h - robot->h()).norm(), 0);
  EXPECT_EQ((velocity - robot->velocities()[5].linear).norm(), 0);
}

TEST(Robot, VelocitiesMatchFiniteDifferences) {
  const double step = 1e-4;  // error of central differences ~ step²
  for (const char* name : {"solo12", "allegro_hand", "cube"}) {
    SCOPED_TRACE(name);
    const auto robot = MakeRobot(name);
    const State s = RandomState(*robot);
    std::vector<Pose> moved[2];
    for (const int sign : {0, 1}) {
      State t = s;
      robot->Integrate(sign == 0 ? -step : step, t.q, t.v);
      robot->ComputeTerms(t.q, t.v);
      moved[sign] = robot->poses();
    }
    robot->ComputeTerms(s.q, s.v);
    for (std::size_t b = 0; b < robot->bodies().size(); ++b) {
      const Vector3d linear = (moved[1][b].p - moved[0][b].p) / (2 * step);
      EXPECT_LT((robot->velocities()[b].linear - linear).norm(), 1e-6);
      const Eigen::AngleAxisd turn(Eigen::Matrix3d(moved[1][b].R * moved[0][b].R.transpose()));
      EXPECT_LT((robot->velocities()[b].angular - turn.angle() * turn.axis() / (2 * step)).norm(), 1e-6);
      const Vector3d origin = robot->poses()[b].p;
      EXPECT_LT(
          (PointVelocity(*robot, static_cast<int>(b), origin, s.v) - robot->velocities()[b].linear).norm(),
          1e-12);
    }
  }
}

// tauᵀ v is the power of the force at its point, plus that of the torque, for any v.
TEST(Robot, PointForcesDoTheirWork) {
  for (const char* name : {"solo12", "allegro_hand", "cube"}) {
    SCOPED_TRACE(name);
    const auto robot = MakeRobot(name);
    for (int body = 0; body < static_cast<int>(robot->bodies().size()); ++body) {
      const State s = RandomState(*robot);
      robot->ComputeTerms(s.q, s.v);
      const Vector3d point = Vector3d::Random(), force = Vector3d::Random(), torque = Vector3d::Random();
      VectorXd tau = VectorXd::Ones(robot->nv());
      robot->AddPointForce(body, point, force, torque, tau);
      tau.array() -= 1;
      const auto b = static_cast<std::size_t>(body);
      const BodyVelocity& velocity = robot->velocities()[b];
      const Vector3d at_point = velocity.linear + velocity.angular.cross(point - robot->poses()[b].p);
      EXPECT_NEAR(tau.dot(s.v), force.dot(at_point) + torque.dot(velocity.angular), 1e-12);
      const std::vector<int>& chain = robot->bodies()[b].chain;
      for (int k = 0; k < robot->nv(); ++k) {
        const bool moves = std::find(chain.begin(), chain.end(), k) != chain.end();
        EXPECT_TRUE(moves || tau[k] == 0) << k;
      }
    }
  }
}

TEST(Allocations, AreCounted) {
  if (!kCountsAllocations) GTEST_SKIP() << kCountsNoAllocations;
  const long before = Allocations();
  const VectorXd x = VectorXd::Random(100 + before % 2);
  EXPECT_GT(Allocations(), before) << x.sum();
}

TEST(Allocations, NoneInAStep) {
  if (!kCountsAllocations) GTEST_SKIP() << kCountsNoAllocations;
  for (const RobotEntry& entry : RobotTable()) {
    SCOPED_TRACE(entry.name);
    const auto robot = MakeRobot(entry.name);
    State s = RandomState(*robot);
    VectorXd tau = VectorXd::Random(robot->nv()), a = tau;
    const Vector3d x = Vector3d::Random();
    const int body = static_cast<int>(robot->bodies().size()) - 1;
    const long before = Allocations();
    robot->ComputeTerms(s.q, s.v);
    robot->AddPointForce(body, x, x, x, tau);
    robot->ComputeFreeAcceleration(1e-3, tau, a);
    robot->Integrate(1e-3, s.q, s.v);
    const double sum = robot->KineticEnergy(s.v) + robot->PotentialEnergy() + robot->CenterOfMass().sum() +
                       robot->LinearMomentum().sum() + robot->AngularMomentum().sum();
    EXPECT_EQ(Allocations(), before);
    EXPECT_TRUE(std::isfinite(sum));
  }
}

TEST(RobotTable, EveryEntryLoads) {
  for (const RobotEntry& entry : RobotTable()) {
    SCOPED_TRACE(entry.name);
    const auto robot = MakeRobot(entry.name);
    EXPECT_EQ(robot->name(), entry.name);
    EXPECT_FALSE(entry.summary.empty());
    EXPECT_EQ(entry.kind, robot->na() > 0 ? "robot" : "object");
    EXPECT_FALSE(robot->geometries().empty());
    EXPECT_EQ(robot->J_world().cols(), robot->nv());
    const State s = RandomState(*robot);
    VectorXd a(robot->nv());
    robot->ComputeTerms(s.q, s.v);
    robot->ComputeFreeAcceleration(1e-3, VectorXd::Zero(robot->nv()), a);
    EXPECT_TRUE(a.allFinite() && robot->J_world().allFinite() && robot->h().allFinite());
    EXPECT_TRUE((robot->q_min().array() <= robot->q_max().array()).all());
    EXPECT_TRUE((robot->effort_limit().array() > 0).all() && (robot->velocity_limit().array() > 0).all());
    EXPECT_GE(robot->q_home()[2], 0);
  }
}

TEST(RobotTable, UnknownNamesGetASuggestion) {
  for (const char* name : {"solo21", "nothing_like_it"}) {
    try {
      MakeRobot(name);
      FAIL();
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string(error.what()).find("solo12"), std::string::npos);
    }
  }
  EXPECT_THROW(MakeFreeBody("none", Shape::Sphere(0.1), 0), std::invalid_argument);
  EXPECT_THROW(MakeFreeBody("none", Shape::Box({0.1, 0, 0.1}), 1), std::invalid_argument);
}

TEST(RobotSpec, WrongNamesAreRefused) {
  RobotSpec spec;
  spec.urdf =
      "<robot name='stick'><link name='a'><inertial><mass value='1'/>"
      "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link></robot>";
  EXPECT_EQ(Robot(spec).nv(), 6);
  spec.foot_frames = {"b"};
  EXPECT_THROW(Robot{spec}, std::invalid_argument);
  spec.foot_frames.clear();
  spec.home["joint"] = 1;
  EXPECT_THROW(Robot{spec}, std::invalid_argument);
  spec.home.clear();
  spec.urdf = "no XML";
  EXPECT_THROW(Robot{spec}, std::invalid_argument);
}

}  // namespace
}  // namespace tread
