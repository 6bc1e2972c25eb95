// Robot's terms against plain Pinocchio, the table of robots, and the absence of allocation.
#include "robots/robot.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/jacobian.hpp>
#include <pinocchio/algorithm/rnea.hpp>
#include <pinocchio/multibody/data.hpp>
#include <pinocchio/multibody/model.hpp>
#include <pinocchio/parsers/urdf.hpp>
#include <stdexcept>

#include "robots/robot_table.h"
#include "robots/state.h"

// Eigen allocates with malloc and the standard library with operator new, which calls malloc: counting the latter sees both.
// The sanitizers bring their own, so there the count stays zero.
namespace {
long allocations = 0;
}
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
extern "C" {
void* __libc_malloc(std::size_t size);
void* malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}
}
#define TREAD_COUNTS_ALLOCATIONS
#endif

namespace tread {
namespace {

using VectorRef = Eigen::Ref<const Eigen::VectorXd>;  // what Pinocchio's library is compiled for

State RandomState(const Robot& robot) {
  State state{robot.q_home(), Eigen::VectorXd::Random(robot.nv())};
  Eigen::VectorXd step = Eigen::VectorXd::Random(robot.nv());
  robot.Integrate(0.7, state.q, step);
  return state;
}

void ExpectSame(Robot& robot, const pinocchio::Model& model) {
  pinocchio::Data data(model);
  for (int trial = 0; trial < 10; ++trial) {
    const State s = RandomState(robot);
    robot.ComputeTerms(s.q, s.v);
    const VectorRef q = s.q, v = s.v, zero = Eigen::VectorXd::Zero(robot.nv());
    pinocchio::crba(model, data, q, pinocchio::Convention::LOCAL);
    EXPECT_LT(Eigen::MatrixXd((robot.M() - data.M).triangularView<Eigen::Upper>()).norm(), 1e-12);
    EXPECT_LT((robot.h() - pinocchio::rnea(model, data, q, v, zero)).norm(), 1e-12 * (1 + robot.h().norm()));
    EXPECT_LT((robot.J_world() - pinocchio::computeJointJacobians(model, data, q)).norm(), 1e-12);
    // The base's momentum rows of M, moved to the world origin.
    const Eigen::MatrixXd M = robot.M().selfadjointView<Eigen::Upper>();
    const Eigen::Matrix<double, 6, 1> base = M.topRows(6) * s.v;
    const Pose& pose = robot.poses()[0];
    const Eigen::Vector3d linear = pose.R * base.head<3>();
    EXPECT_LT((robot.LinearMomentum() - linear).norm(), 1e-12);
    EXPECT_LT((robot.AngularMomentum() - pose.R * base.tail<3>() - pose.p.cross(linear)).norm(), 1e-12);
    EXPECT_NEAR(robot.KineticEnergy(s.v), 0.5 * s.v.dot(M * s.v), 1e-12);
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
  robot->ComputeTerms(robot->q_home(), Eigen::VectorXd::Zero(18));
  ASSERT_EQ(robot->feet().size(), 4u);
  for (const Frame& foot : robot->feet()) {
    const Pose& pose = robot->poses()[static_cast<std::size_t>(foot.body)];
    EXPECT_NEAR((pose * foot.placement.p)[2], 0.016, 1e-12);
  }
  EXPECT_NEAR(robot->CenterOfMass()[2] - robot->q_home()[2], -0.02639, 1e-5);
  EXPECT_NEAR(robot->PotentialEnergy(), robot->total_mass() * 9.81 * robot->CenterOfMass()[2], 1e-12);
  EXPECT_EQ(robot->geometries().size(), 13u);
}

TEST(Robot, Solo12AgreesWithPinocchio) {
  pinocchio::Model model;
  pinocchio::urdf::buildModel(RobotDataDir() + "/solo_description/robots/solo12.urdf",
                              pinocchio::JointModelFreeFlyer(), model);
  ExpectSame(*MakeRobot("solo12"), model);
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

TEST(Robot, FreeFlightKeepsMomentumAndGainsNoSpinEnergy) {
  const auto robot = MakeFreeBody("plate", Shape::Box({0.3, 0.2, 0.05}), 2.0);
  State s{robot->q_home(), Eigen::VectorXd::Zero(6)};
  s.v << 1, 2, 3, 0.1, 12, 0.1;  // about the middle axis: unstable
  robot->set_gravity(Eigen::Vector3d::Zero());
  robot->ComputeTerms(s.q, s.v);
  const Eigen::Vector3d momentum = robot->LinearMomentum();
  double energy = robot->KineticEnergy(s.v);
  Eigen::VectorXd a(6);
  for (int i = 0; i < 2000; ++i) {
    robot->ComputeFreeAcceleration(1e-3, Eigen::VectorXd::Zero(6), a);
    s.v += 1e-3 * a;
    robot->Integrate(1e-3, s.q, s.v);
    robot->ComputeTerms(s.q, s.v);
    EXPECT_LE(robot->KineticEnergy(s.v), energy + 1e-10);
    energy = robot->KineticEnergy(s.v);
  }
  EXPECT_LT((robot->LinearMomentum() - momentum).norm(), 1e-9);
}

#ifdef TREAD_COUNTS_ALLOCATIONS
TEST(Allocations, AreCounted) {
  const long before = allocations;
  const Eigen::VectorXd x = Eigen::VectorXd::Random(100 + before % 2);
  EXPECT_GT(allocations, before) << x.sum();
}
#endif

TEST(RobotTable, EveryEntryLoadsAndDoesNotAllocate) {
  for (const RobotEntry& entry : RobotTable()) {
    SCOPED_TRACE(entry.name);
    const auto robot = MakeRobot(entry.name);
    EXPECT_EQ(robot->name(), entry.name);
    EXPECT_FALSE(robot->geometries().empty());
    State s = RandomState(*robot);
    const Eigen::VectorXd tau = Eigen::VectorXd::Random(robot->nv());
    Eigen::VectorXd a(robot->nv());
    const long before = allocations;
    robot->ComputeTerms(s.q, s.v);
    robot->ComputeFreeAcceleration(1e-3, tau, a);
    robot->Integrate(1e-3, s.q, s.v);
    const double sum = robot->KineticEnergy(s.v) + robot->PotentialEnergy() + robot->AngularMomentum().sum();
    EXPECT_EQ(allocations, before);
    EXPECT_TRUE(std::isfinite(sum) && a.allFinite() && robot->J_world().allFinite() &&
                robot->h().allFinite());
  }
}

TEST(RobotTable, UnknownNamesGetASuggestion) {
  try {
    MakeRobot("solo");
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("solo12"), std::string::npos);
  }
  EXPECT_THROW(MakeFreeBody("none", Shape::Sphere(0.1), 0), std::invalid_argument);
}

}  // namespace
}  // namespace tread
