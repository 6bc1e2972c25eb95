// Contact problems with known answers, and any solver of the table on them.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <numeric>
#include <ostream>
#include <random>
#include <string>
#include <vector>

#include "sim/contact/criteria.h"
#include "sim/contact/solver_table.h"

namespace tread {

inline void PrintTo(SolveStatus status, std::ostream* out) {
  *out << Name(status);
}
inline void PrintTo(const SolverEntry& entry, std::ostream* out) {
  *out << entry.name;
}

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

inline constexpr double kEps = 1e-8;
// The judge's eps_c is quadratic in the angle by which friction misses the slip: velocities are known to the root of eps only.
inline constexpr double kVelocityTolerance = 1e-3;
// Where velocities are compared closely: 10 times the root of eps.
inline constexpr double kTightEps = 1e-12, kTightVelocity = 1e-5;
inline constexpr double kForceTolerance = 1e-6;

struct Result {
  SolveStatus status = SolveStatus::kFailed;
  VectorXd lambda, sigma;
  int iterations = 0;
};

inline Result Solve(const SolverEntry& entry, const ContactProblem& problem,
                    ContactSolverConfig config = {.eps_abs = kEps}, const VectorXd& guess = {},
                    const ProblemScale& scale = {}) {
  const auto solver = entry.make(config);
  solver->set_scale(scale);
  ContactSolution solution;
  solution.lambda = guess;
  Result result;
  result.status = solver->Solve(problem, &solution);
  RowVector sigma;
  ComputeSigma(problem, solution.lambda, &sigma);
  result.lambda = solution.lambda, result.sigma = sigma, result.iterations = solution.iterations;
  return result;
}

inline ContactProblem Problem(const std::vector<BlockType>& types, const std::vector<int>& sizes,
                              const MatrixXd& G, const VectorXd& g, double mu) {
  ContactProblem p;
  p.G.SetDensePattern(sizes);
  p.types = types;
  for (int i = 0; i < p.block_count(); ++i) {
    for (int j = 0; j < p.block_count(); ++j)
      p.G.Block(i, j) = G.block(p.G.offset(i), p.G.offset(j), p.G.size(i), p.G.size(j));
  }
  p.g = g;
  p.target = p.R = VectorXd::Zero(g.size());
  p.mu = VectorXd::Zero(p.block_count());
  for (int i = 0; i < p.block_count(); ++i) {
    if (types[static_cast<std::size_t>(i)] == BlockType::kCoulomb) p.mu[i] = mu;
  }
  return p;
}

inline ContactProblem PointMass(double m, const Vector3d& g, double mu) {
  return Problem({BlockType::kCoulomb}, {3}, MatrixXd::Identity(3, 3) / m, g, mu);
}

// G = J M^-1 J' of more degrees of freedom than rows: positive definite, so forces are unique wherever velocities are. Most contacts press.
struct Random {
  explicit Random(unsigned seed) : engine(seed) {}
  double operator()(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine);
  }
  MatrixXd Matrix(int rows, int columns) {
    return MatrixXd::NullaryExpr(rows, columns, [&] { return (*this)(-1, 1); });
  }
  MatrixXd Delassus(int rows) {
    const int nv = rows + 3;
    MatrixXd J = 0.3 * Matrix(rows, nv);
    J.leftCols(rows).diagonal().array() += 1;
    const MatrixXd root = 0.3 * Matrix(nv, nv);
    const MatrixXd M = MatrixXd::Identity(nv, nv) + root * root.transpose();
    return J * M.inverse() * J.transpose();
  }
  std::mt19937 engine;
};

inline ContactProblem RandomProblem(unsigned seed, int contacts, bool with_rows = false,
                                    bool with_equalities = false) {
  Random random(seed);
  std::vector<BlockType> types(static_cast<std::size_t>(contacts), BlockType::kCoulomb);
  std::vector<int> sizes(static_cast<std::size_t>(contacts), 3);
  if (with_rows) types.insert(types.begin() + 1, BlockType::kLimit), sizes.insert(sizes.begin() + 1, 1);
  if (with_equalities) types.push_back(BlockType::kEquality), sizes.push_back(2);
  const int rows = std::accumulate(sizes.begin(), sizes.end(), 0);
  VectorXd g = random.Matrix(rows, 1) * 4;
  ContactProblem p = Problem(types, sizes, random.Delassus(rows), g, 0.4);
  for (int i = 0; i < p.block_count(); ++i) {
    if (types[static_cast<std::size_t>(i)] == BlockType::kCoulomb) p.g[p.G.offset(i) + 2] = random(-9, 1);
  }
  return p;
}

// One solver of the table.
class SolverTest : public testing::TestWithParam<SolverEntry> {
 protected:
  // Another library's method may come to no end on a problem, if only it says so.
  static bool GaveUp(const Result& r) {
    return GetParam().peer && (r.status == SolveStatus::kMaxIterations || r.status == SolveStatus::kStalled);
  }
};

inline std::string NameOf(const testing::TestParamInfo<SolverEntry>& info) {
  return info.param.name;
}

}  // namespace tread
