#include "control/stand.h"

#include <Eigen/Dense>
#include <stdexcept>

namespace tread {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

class Stand final : public Controller {
 public:
  Stand(const StandConfig& config, std::unique_ptr<Robot> model)
      : robot_(std::move(model)),
        command_(JointCommand::Zero(robot_->na())),
        zero_(VectorXd::Zero(robot_->nv())) {
    command_.kp.setConstant(config.kp);
    command_.kd.setConstant(config.kd);
    report_.scheduled.assign(robot_->feet().size(), 1);
    report_.planned_forces.assign(robot_->feet().size(), Vector3d::Zero());
    torque_.setZero(robot_->nv());
  }

  void Reset(const State& state) override { command_.q = state.q.tail(robot_->na()); }

  const JointCommand& Update(const Observation& observation) override {
    robot_->ComputeTerms(observation.state->q, zero_);
    torque_ = robot_->h();  // v = 0: gravity only
    if (robot_->has_floating_base()) CarryWeight();
    command_.tau = torque_.tail(robot_->na());
    return command_;
  }

  const ControlReport& report() const override { return report_; }

 private:
  Vector3d FootPosition(const Frame& foot) const {
    return robot_->poses()[static_cast<std::size_t>(foot.body)] * foot.placement.p;
  }

  // torque_ <- g - J' f. In world axes about the robot's base, foot force f_i contributes (f_i, r_i x f_i) to the base's wrench.
  void CarryWeight() {
    const Pose& base = robot_->poses()[0];
    Eigen::Matrix<double, 6, 1> wrench;  // that the feet must give
    wrench.head<3>() = base.R * torque_.head<3>();
    wrench.tail<3>() = base.R * torque_.segment<3>(3);
    Eigen::Matrix<double, 6, 6> gram = Eigen::Matrix<double, 6, 6>::Zero();
    for (const Frame& foot : robot_->feet()) gram += Grasp(foot, base) * Grasp(foot, base).transpose();
    gram.diagonal().array() += 1e-9;  // two point feet cannot carry every wrench
    const Eigen::Matrix<double, 6, 1> x = gram.ldlt().solve(wrench);
    for (std::size_t i = 0; i < robot_->feet().size(); ++i) {
      const Frame& foot = robot_->feet()[i];
      const Vector3d f = Grasp(foot, base).transpose() * x;
      report_.planned_forces[i] = f;
      robot_->AddPointForce(foot.body, FootPosition(foot), -f, Vector3d::Zero(), torque_);
    }
  }

  // Force at the foot -> wrench about the base's origin, world axes (6 x 3).
  Eigen::Matrix<double, 6, 3> Grasp(const Frame& foot, const Pose& base) const {
    const Vector3d r = FootPosition(foot) - base.p;
    Eigen::Matrix<double, 6, 3> map;
    map.topRows<3>().setIdentity();
    map.bottomRows<3>() << 0, -r[2], r[1], r[2], 0, -r[0], -r[1], r[0], 0;
    return map;
  }

  std::unique_ptr<Robot> robot_;
  JointCommand command_;
  ControlReport report_;
  VectorXd zero_, torque_;
};

}  // namespace

std::unique_ptr<Controller> MakeStand(const ControllerConfig& config, std::unique_ptr<Robot> model,
                                      const GroundHeight&) {
  if (!model) throw std::invalid_argument("controller.type = stand: there is no robot; use passive");
  if (model->has_floating_base() && model->feet().empty())
    throw std::invalid_argument("controller.type = stand: " + model->name() + " has no feet; use passive");
  return std::make_unique<Stand>(config.stand, std::move(model));
}

}  // namespace tread
