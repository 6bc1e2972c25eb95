#include <Eigen/Geometry>
#include <vector>

#include "control/mpc/centroidal.h"

namespace tread {
namespace {

using Eigen::Vector3d;

// Rows of C: 12 N of dynamics, 12 N of force bounds, 16 N of friction. Columns: x_1 .. x_N, then f_0 .. f_{N-1}, 12 each.
int StateColumn(int node) {  // of x_node, node = 1..N
  return 12 * (node - 1);
}
int ForceColumn(int nodes, int node) {
  return 12 * nodes + 12 * node;
}

// I^-1 [r]x, the effect of a foot's force on the angular acceleration.
Eigen::Matrix3d Lever(const CentroidalProblem& p, std::size_t node, std::size_t foot) {
  const Vector3d& r = p.lever_arms[node][foot];
  Eigen::Matrix3d S;
  S << 0, -r.z(), r.y(), r.z(), 0, -r.x(), -r.y(), r.x(), 0;
  return p.inverse_inertia[node] * S;
}

int EntryOf(const Eigen::SparseMatrix<double, Eigen::ColMajor, int>& matrix, int row, int column) {
  for (int e = matrix.outerIndexPtr()[column]; e < matrix.outerIndexPtr()[column + 1]; ++e) {
    if (matrix.innerIndexPtr()[e] == row) return e;
  }
  return -1;
}

}  // namespace

void SparseForm::MakePattern(const CentroidalProblem& p) {
  const int N = nodes_ = p.nodes, n = 24 * N, m = 40 * N;
  const double dt = p.dt;
  std::vector<Eigen::Triplet<double, int>> C, H;
  for (int i = 0; i < n; ++i) H.emplace_back(i, i, 1.0);
  for (int k = 0; k < N; ++k) {
    const int row = 12 * k, next = StateColumn(k + 1), force = ForceColumn(N, k);
    for (int i = 0; i < 12; ++i) {
      C.emplace_back(row + i, next + i, 1.0);
      if (k > 0) C.emplace_back(row + i, StateColumn(k) + i, -1.0);
      if (k > 0 && i < 6) C.emplace_back(row + i, StateColumn(k) + 6 + i, -dt);
      C.emplace_back(12 * N + 12 * k + i, force + i, 1.0);  // bounds
    }
    for (int foot = 0; foot < 4; ++foot) {
      for (int i = 0; i < 3; ++i) {
        C.emplace_back(row + 6 + i, force + 3 * foot + i, -dt / p.mass);
        for (int j = 0; j < 3; ++j)
          C.emplace_back(row + 9 + j, force + 3 * foot + i, 1.0);  // lever arms, filled in later
      }
      const int cone = 24 * N + 16 * k + 4 * foot;
      for (int side = 0; side < 4; ++side) {
        C.emplace_back(cone + side, force + 3 * foot + side / 2, 1.0);
        C.emplace_back(cone + side, force + 3 * foot + 2, side % 2 == 0 ? -1.0 : 1.0);  // -+ mu
      }
    }
  }
  qp_.H.resize(n, n);
  qp_.H.setFromTriplets(H.begin(), H.end());
  qp_.C.resize(m, n);
  qp_.C.setFromTriplets(C.begin(), C.end());
  qp_.equalities = 12 * N;
  qp_.g.setZero(n);
  qp_.l.setZero(m);
  qp_.u.setZero(m);
  lever_entries_.clear();
  friction_entries_.clear();
  for (int k = 0; k < N; ++k) {
    for (int column = 0; column < 12; ++column) {
      for (int j = 0; j < 3; ++j)
        lever_entries_.push_back(EntryOf(qp_.C, 12 * k + 9 + j, ForceColumn(N, k) + column));
    }
    for (int foot = 0; foot < 4; ++foot) {
      for (int side = 0; side < 4; ++side)
        friction_entries_.push_back(
            EntryOf(qp_.C, 24 * N + 16 * k + 4 * foot + side, ForceColumn(N, k) + 3 * foot + 2));
    }
  }
}

const SparseQp& SparseForm::Build(const CentroidalProblem& p) {
  if (nodes_ != p.nodes) MakePattern(p);
  const int N = p.nodes;
  const double dt = p.dt;
  const CentroidalState w = p.weights.state / p.weights.force;
  double* C = qp_.C.valuePtr();
  const int* lever = lever_entries_.data();
  const int* friction = friction_entries_.data();
  for (int k = 0; k < N; ++k) {
    const auto node = static_cast<std::size_t>(k);
    const int state = StateColumn(k + 1), force = ForceColumn(N, k);
    // H is diagonal: entry i belongs to column i
    for (int i = 0; i < 12; ++i) qp_.H.valuePtr()[state + i] = w[i];
    qp_.g.segment<12>(state) = -w.cwiseProduct(p.reference[node]);
    CentroidalState constant = CentroidalState::Zero();
    constant[8] = -dt * p.gravity;
    if (k == 0) {
      constant += p.x0;
      constant.head<6>() += dt * p.x0.tail<6>();
    }
    qp_.l.segment<12>(12 * k) = qp_.u.segment<12>(12 * k) = constant;
    for (std::size_t foot = 0; foot < 4; ++foot) {
      const Eigen::Matrix3d B = Lever(p, node, foot);
      for (int c = 0; c < 3; ++c) {
        for (int r = 0; r < 3; ++r) C[*lever++] = -dt * B(r, c);
      }
      const int row = 12 * N + 12 * k + 3 * static_cast<int>(foot),
                cone = 24 * N + 16 * k + 4 * static_cast<int>(foot);
      const bool stands = p.stance[node][foot] != 0;
      const double side = stands ? p.friction * p.max_force : 0;
      qp_.l.segment<3>(row) << -side, -side, 0;
      qp_.u.segment<3>(row) << side, side, stands ? p.max_force : 0;
      for (int i = 0; i < 4; ++i) {
        C[*friction++] = i % 2 == 0 ? -p.friction : p.friction;
        qp_.l[cone + i] = i % 2 == 0 ? -kUnbounded : 0;
        qp_.u[cone + i] = i % 2 == 0 ? 0 : kUnbounded;
      }
      const double share = stands ? p.mass * p.gravity / p.stance_count(k) : 0;
      qp_.g.segment<3>(force + 3 * static_cast<int>(foot)) << 0, 0, -share;
    }
    for (int i = 0; i < 12; ++i) qp_.H.valuePtr()[force + i] = 1;
  }
  return qp_;
}

void SparseForm::Read(const QpResult& result, ForcePlan* forces) const {
  for (int k = 0; k < nodes_; ++k) {
    for (std::size_t foot = 0; foot < 4; ++foot)
      (*forces)[static_cast<std::size_t>(k)][foot] =
          result.x.segment<3>(ForceColumn(nodes_, k) + 3 * static_cast<int>(foot));
  }
}

// The states that the forces lead to, so that the guess satisfies the dynamics.
void SparseForm::WarmStart(const CentroidalProblem& p, const ForcePlan& plan, QpResult* result) const {
  const int N = nodes_;
  if (result->x.size() != 24 * N) {
    result->x.setZero(24 * N);
    result->y.setZero(40 * N);
  }
  CentroidalState x = p.x0;
  for (int k = 0; k < N; ++k) {
    const auto node = static_cast<std::size_t>(k);
    CentroidalState next = x;
    next.head<6>() += p.dt * x.tail<6>();
    next[8] -= p.dt * p.gravity;
    for (std::size_t foot = 0; foot < 4; ++foot) {
      const Vector3d f = p.stance[node][foot] ? plan[node][foot] : Vector3d(Vector3d::Zero());
      next.segment<3>(6) += p.dt / p.mass * f;
      next.segment<3>(9) += p.dt * (Lever(p, node, foot) * f);
      result->x.segment<3>(ForceColumn(N, k) + 3 * static_cast<int>(foot)) = f;
    }
    x = next;
    result->x.segment<12>(StateColumn(k + 1)) = x;
  }
}

}  // namespace tread
