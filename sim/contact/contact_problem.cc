#include "sim/contact/contact_problem.h"

#include <algorithm>
#include <cmath>

namespace tread {

void ComputeSigma(const ContactProblem& problem, const RowVector& lambda, RowVector* sigma) {
  problem.G.Times(lambda, sigma);
  *sigma += problem.R.cwiseProduct(lambda) + problem.g - problem.target;
}

ProblemScale ComputeScale(const ContactProblem& problem) {
  ProblemScale scale;
  if (problem.rows() == 0) return scale;
  scale.velocity = std::max(1.0, problem.g.cwiseAbs().maxCoeff());
  for (int i = 0; i < problem.block_count(); ++i) {
    const int n = problem.G.size(i) - 1;
    const double G_nn = problem.G.Diagonal(i)(n, n);
    const double g_n = problem.g[problem.G.offset(i) + n];
    if (G_nn > 0) scale.force = std::max(scale.force, std::abs(g_n) / G_nn);
  }
  return scale;
}

}  // namespace tread
