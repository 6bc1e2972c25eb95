#include <Eigen/Geometry>
#include <algorithm>

#include "control/mpc/centroidal.h"

namespace tread {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

Matrix3d Cross(const Vector3d& r) {
  Matrix3d S;
  S << 0, -r.z(), r.y(), r.z(), 0, -r.x(), -r.y(), r.x(), 0;
  return S;
}

// sum_{k = max + 2}^{N} (k - j - 1)(k - l - 1), which is sum_{i=1}^{n} i (i + d) with d = |j - l|, n = N - max - 1
double PositionSum(int j, int l, int nodes) {
  const double d = std::abs(j - l), n = nodes - std::max(j, l) - 1;
  return n * (n + 1) * (2 * n + 1) / 6 + d * n * (n + 1) / 2;
}

}  // namespace

void CentroidalProblem::Resize(int n) {
  nodes = n;
  const auto size = static_cast<std::size_t>(n);
  reference.resize(size);
  inverse_inertia.resize(size);
  stance.resize(size);
  lever_arms.resize(size);
}

int CentroidalProblem::stance_count(int node) const {
  const auto& s = stance[static_cast<std::size_t>(node)];
  return static_cast<int>(std::count(s.begin(), s.end(), 1));
}

const DenseQp& CondensedForm::Build(const CentroidalProblem& problem) {
  const int N = problem.nodes;
  slots_.clear();
  B_.clear();
  for (int k = 0; k < N; ++k) {
    const auto node = static_cast<std::size_t>(k);
    for (int foot = 0; foot < 4; ++foot) {
      if (!problem.stance[node][static_cast<std::size_t>(foot)]) continue;
      slots_.push_back({k, foot});
      B_.push_back(problem.inverse_inertia[node] *
                   Cross(problem.lever_arms[node][static_cast<std::size_t>(foot)]));
    }
  }
  const auto n = static_cast<Eigen::Index>(3 * slots_.size());
  if (qp_.H.rows() != n) {
    qp_.H.resize(n, n);
    qp_.g.resize(n);
  }
  const CentroidalState w = problem.weights.state / problem.weights.force;
  const double dt2 = problem.dt * problem.dt, inv_m2 = 1 / (problem.mass * problem.mass);
  for (std::size_t a = 0; a < slots_.size(); ++a) {
    for (std::size_t b = 0; b <= a; ++b) {
      const double Svv = dt2 * (N - std::max(slots_[a].node, slots_[b].node));
      const double Spp = dt2 * dt2 * PositionSum(slots_[a].node, slots_[b].node, N);
      const Vector3d linear = inv_m2 * (Spp * w.segment<3>(0) + Svv * w.segment<3>(6));
      const Vector3d angular = Spp * w.segment<3>(3) + Svv * w.segment<3>(9);
      Matrix3d block = B_[a].transpose() * (angular.asDiagonal() * B_[b]);
      block.diagonal() += linear;
      if (a == b) block.diagonal().array() += 1;
      const auto row = static_cast<Eigen::Index>(3 * a), column = static_cast<Eigen::Index>(3 * b);
      qp_.H.block<3, 3>(row, column) = block;
      if (a != b) qp_.H.block<3, 3>(column, row) = block.transpose();
    }
  }
  FillGradient(problem);
  FillConstraints(problem);
  return qp_;
}

// The error of the forceless response, weighted, summed backwards: what f_j of each node pushes against.
void CondensedForm::FillGradient(const CentroidalProblem& problem) {
  const int N = problem.nodes;
  const double dt = problem.dt;
  const CentroidalState w = problem.weights.state / problem.weights.force;
  linear_.resize(static_cast<std::size_t>(N));
  angular_.resize(static_cast<std::size_t>(N));
  const auto error = [&](int k) {  // of node k = 1..N
    CentroidalState x = problem.x0;
    x.head<6>() += k * dt * problem.x0.tail<6>();
    x[2] -= dt * dt * problem.gravity * k * (k - 1) / 2;
    x[8] -= k * dt * problem.gravity;
    return CentroidalState(w.cwiseProduct(x - problem.reference[static_cast<std::size_t>(k - 1)]));
  };
  using Vector6 = Eigen::Matrix<double, 6, 1>;
  // V: sum of velocity errors after j; P0: of position errors after j; P1: of (k - j - 1) times position errors
  Vector6 V = Vector6::Zero(), P0 = Vector6::Zero(), P1 = Vector6::Zero();
  for (int j = N - 1; j >= 0; --j) {
    const CentroidalState e = error(j + 1);
    P1 += P0;
    P0 += e.head<6>();
    V += e.tail<6>();
    const Vector6 push = dt * V + dt * dt * P1;
    linear_[static_cast<std::size_t>(j)] = push.head<3>() / problem.mass;
    angular_[static_cast<std::size_t>(j)] = push.tail<3>();
  }
  for (std::size_t a = 0; a < slots_.size(); ++a) {
    const auto node = static_cast<std::size_t>(slots_[a].node);
    Vector3d g = linear_[node] + B_[a].transpose() * angular_[node];
    g.z() -= problem.mass * problem.gravity / problem.stance_count(slots_[a].node);
    qp_.g.segment<3>(static_cast<Eigen::Index>(3 * a)) = g;
  }
}

void CondensedForm::FillConstraints(const CentroidalProblem& problem) {
  const auto n = static_cast<Eigen::Index>(3 * slots_.size()),
             m = static_cast<Eigen::Index>(5 * slots_.size());
  if (qp_.C.rows() != m || qp_.C.cols() != n) {
    qp_.C.setZero(m, n);
    qp_.l.resize(m);
    qp_.u.resize(m);
  }
  const double mu = problem.friction;
  for (Eigen::Index a = 0; a < static_cast<Eigen::Index>(slots_.size()); ++a) {
    auto C = qp_.C.block<5, 3>(5 * a, 3 * a);
    C << 1, 0, -mu, 1, 0, mu, 0, 1, -mu, 0, 1, mu, 0, 0, 1;
    qp_.l.segment<5>(5 * a) << -kUnbounded, 0, -kUnbounded, 0, 0;
    qp_.u.segment<5>(5 * a) << 0, kUnbounded, 0, kUnbounded, problem.max_force;
  }
}

void CondensedForm::Read(const QpResult& result, ForcePlan* forces) const {
  for (auto& node : *forces) node.fill(Vector3d::Zero());
  for (std::size_t a = 0; a < slots_.size(); ++a) {
    (*forces)[static_cast<std::size_t>(slots_[a].node)][static_cast<std::size_t>(slots_[a].foot)] =
        result.x.segment<3>(static_cast<Eigen::Index>(3 * a));
  }
}

void CondensedForm::WarmStart(const ForcePlan& plan, QpResult* result) const {
  const auto n = static_cast<Eigen::Index>(slots_.size());
  if (result->x.size() != 3 * n) {
    result->x.resize(3 * n);
    result->y.setZero(5 * n);
  }
  for (std::size_t a = 0; a < slots_.size(); ++a) {
    result->x.segment<3>(static_cast<Eigen::Index>(3 * a)) =
        plan[static_cast<std::size_t>(slots_[a].node)][static_cast<std::size_t>(slots_[a].foot)];
  }
}

}  // namespace tread
