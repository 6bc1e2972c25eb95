// Robots in flight against what must stay: momentum and energy.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "robots/robot.h"
#include "robots/robot_table.h"
#include "robots/state.h"

namespace tread {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

// How far momentum and energy have drifted after a flight without gravity.
struct Drift {
  double linear, angular, energy;  // relative
};

Drift Fly(Robot& robot, State s, double duration, double dt) {
  robot.set_gravity(Vector3d::Zero());
  robot.ComputeTerms(s.q, s.v);
  const Vector3d linear = robot.LinearMomentum(), angular = robot.AngularMomentum();
  const double energy = robot.KineticEnergy(s.v);
  VectorXd a(robot.nv());
  const VectorXd tau = VectorXd::Zero(robot.nv());
  for (int i = 0; i < std::lround(duration / dt); ++i) {
    robot.ComputeFreeAcceleration(dt, tau, a);
    s.v += dt * a;
    robot.Integrate(dt, s.q, s.v);
    robot.ComputeTerms(s.q, s.v);
  }
  return {(robot.LinearMomentum() - linear).norm() / linear.norm(),
          (robot.AngularMomentum() - angular).norm() / angular.norm(),
          std::abs(robot.KineticEnergy(s.v) - energy) / energy};
}

TEST(FreeFlight, BodyKeepsLinearMomentumAndConvergesToFirstOrder) {
  const auto robot = MakeFreeBody("plate", Shape::Box({0.3, 0.2, 0.05}), 2.0);
  State s{robot->q_home(), VectorXd::Zero(6)};
  s.v << 1, 2, 3, 9, 10, 6.6;  // 15 rad/s
  const Drift coarse = Fly(*robot, s, 0.5, 1e-4), fine = Fly(*robot, s, 0.5, 5e-5);
  EXPECT_LT(coarse.linear, 1e-12);
  EXPECT_LT(fine.linear, 1e-12);
  EXPECT_NEAR(coarse.angular / fine.angular, 2, 0.3);
  EXPECT_NEAR(coarse.energy / fine.energy, 2, 0.3);
  EXPECT_LT(coarse.energy, 0.02);
}

TEST(FreeFlight, TumblingSolo12ConvergesToFirstOrder) {
  const auto robot = MakeRobot("solo12");
  State s{robot->q_home(), VectorXd::Zero(18)};
  std::srand(3);  // Eigen's Random
  s.v.head<6>() = 5 * Eigen::Matrix<double, 6, 1>::Random();
  s.v.tail<12>() = 5 * Eigen::Matrix<double, 12, 1>::Random();
  const Drift coarse = Fly(*robot, s, 0.2, 1e-4), fine = Fly(*robot, s, 0.2, 5e-5);
  EXPECT_NEAR(coarse.linear / fine.linear, 2, 0.3);
  EXPECT_NEAR(coarse.angular / fine.angular, 2, 0.3);
  EXPECT_NEAR(coarse.energy / fine.energy, 2, 0.3);
  EXPECT_LT(coarse.energy, 0.02);
}

TEST(FreeFlight, SpinGainsNoEnergyAtAnyStep) {
  const auto robot = MakeFreeBody("plate", Shape::Box({0.3, 0.2, 0.05}), 2.0);
  robot->set_gravity(Vector3d::Zero());
  for (const double dt : {1e-3, 1e-2, 0.1, 1.0}) {
    SCOPED_TRACE(dt);
    State s{robot->q_home(), VectorXd::Zero(6)};
    s.v << 1, 2, 3, 0.1, 15, 0.1;  // about the middle axis: unstable
    double energy = robot->KineticEnergy(s.v);
    const double begin = energy;
    VectorXd a(6);
    for (int i = 0; i < 2000; ++i) {
      robot->ComputeTerms(s.q, s.v);
      robot->ComputeFreeAcceleration(dt, VectorXd::Zero(6), a);
      s.v += dt * a;
      robot->Integrate(dt, s.q, s.v);
      ASSERT_LE(robot->KineticEnergy(s.v), energy + 1e-12 * begin) << "step " << i;
      energy = robot->KineticEnergy(s.v);
    }
  }
}

TEST(FreeFlight, FallsAsGravitySays) {
  const auto robot = MakeRobot("solo12");
  State s{robot->q_home(), VectorXd::Zero(18)};
  robot->ComputeTerms(s.q, s.v);
  VectorXd a(18);
  robot->ComputeFreeAcceleration(1e-3, VectorXd::Zero(18), a);
  EXPECT_LT((a.head<3>() - Vector3d(0, 0, -9.81)).norm(), 1e-11);
  EXPECT_LT(a.tail<15>().norm(), 1e-9);
}

}  // namespace
}  // namespace tread
