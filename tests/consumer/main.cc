// Uses an installed tread: a 1 kg point mass at rest needs 9.81 N from the ground.
#include <cmath>

#include "sim/contact/solver_table.h"

int main() {
  tread::ContactProblem problem;
  const int size = 3;
  problem.G.SetDensePattern({&size, 1});
  problem.G.Block(0, 0).setIdentity();
  problem.types = {tread::BlockType::kCoulomb};
  problem.g = Eigen::Vector3d(0, 0, -9.81);
  problem.target = problem.R = Eigen::Vector3d::Zero();
  problem.mu = Eigen::VectorXd::Constant(1, 0.5);
  tread::ContactSolution solution;
  tread::FindSolver("ncp_pgs")->make({})->Solve(problem, &solution);
  return std::abs(solution.lambda[2] - 9.81) < 1e-6 ? 0 : 1;
}
