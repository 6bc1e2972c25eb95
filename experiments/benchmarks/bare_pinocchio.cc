#include "experiments/benchmarks/bare_pinocchio.h"

#include <Eigen/Cholesky>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/frames.hpp>
#include <pinocchio/algorithm/jacobian.hpp>
#include <pinocchio/algorithm/rnea.hpp>
#include <pinocchio/multibody/data.hpp>
#include <pinocchio/multibody/model.hpp>
#include <pinocchio/parsers/urdf.hpp>

#include "robots/robot_table.h"

namespace tread {

struct BarePinocchio::Data {
  pinocchio::Model model;
  pinocchio::Data data;
  std::vector<pinocchio::FrameIndex> feet;
  pinocchio::Data::Matrix6x J6;
  Eigen::MatrixXd J, Y, G, M;
  Eigen::LLT<Eigen::MatrixXd> factor;
};

BarePinocchio::BarePinocchio() : data_(std::make_unique<Data>()) {
  Data& d = *data_;
  pinocchio::urdf::buildModel(RobotDataDir() + "/solo_description/robots/solo12.urdf",
                              pinocchio::JointModelFreeFlyer(), d.model);
  d.data = pinocchio::Data(d.model);
  for (const char* foot : {"FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"})
    d.feet.push_back(d.model.getFrameId(foot));
  d.J6.setZero(6, d.model.nv);
  d.J.setZero(12, d.model.nv);
  d.Y.setZero(d.model.nv, 12);
  d.G.setZero(12, 12);
  d.M.setZero(d.model.nv, d.model.nv);
  d.factor = Eigen::LLT<Eigen::MatrixXd>(d.model.nv);
}

BarePinocchio::~BarePinocchio() = default;

const Eigen::MatrixXd& BarePinocchio::Compute(const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  Data& d = *data_;
  using Ref = Eigen::Ref<const Eigen::VectorXd>;  // the library's own compiled instance
  const Ref q_ref = q, v_ref = v;
  pinocchio::nonLinearEffects(d.model, d.data, q_ref, v_ref);
  pinocchio::crba(d.model, d.data, q_ref, pinocchio::Convention::LOCAL);
  pinocchio::computeJointJacobians(d.model, d.data, q_ref);
  for (std::size_t i = 0; i < d.feet.size(); ++i) {
    pinocchio::updateFramePlacement(d.model, d.data, d.feet[i]);
    d.J6.setZero();
    pinocchio::getFrameJacobian(d.model, d.data, d.feet[i], pinocchio::LOCAL_WORLD_ALIGNED, d.J6);
    d.J.middleRows<3>(static_cast<Eigen::Index>(3 * i)) = d.J6.topRows<3>();
  }
  d.M = d.data.M.selfadjointView<Eigen::Upper>();
  d.factor.compute(d.M);
  d.Y = d.J.transpose();
  d.factor.matrixL().solveInPlace(d.Y);
  d.G.noalias() = d.Y.transpose() * d.Y;
  return d.G;
}

}  // namespace tread
