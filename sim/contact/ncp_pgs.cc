#include "sim/contact/ncp_pgs.h"

#include <cmath>
#include <vector>

#include "sim/contact/criteria.h"

namespace tread {
namespace {

// 0 x number is 0 unless the number is infinite or NaN, and NaN survives a sum.
bool AllFinite(const RowVector& x) {
  return (0.0 * x).sum() == 0.0;
}

class NcpPgs final : public ContactSolver {
 public:
  explicit NcpPgs(const ContactSolverConfig& config) : config_(config) {}

  SolveStatus Solve(const ContactProblem& problem, ContactSolution* solution) override {
    RowVector& lambda = solution->lambda;
    solution->iterations = 0;
    if (lambda.size() != problem.rows()) lambda.setZero(problem.rows());
    if (problem.rows() == 0) return SolveStatus::kConverged;

    // Whatever is not finite in G, R, g, c* or lambda is so in sigma. A warm start that solves the problem is returned as it is.
    ComputeSigma(problem, lambda, &sigma_);
    if (!AllFinite(sigma_) || !AllFinite(problem.mu)) return SolveStatus::kFailed;
    force_limit_ = config_.eps_abs * scale_.force;
    velocity_limit_ = config_.eps_abs * scale_.velocity;
    power_limit_ = config_.eps_abs * scale_.force * scale_.velocity;
    if (config_.budget == 0 && Accepts(problem, lambda)) return SolveStatus::kConverged;

    entry_ = lambda;
    if (!Prepare(problem)) return SolveStatus::kFailed;
    const SolveStatus status = Iterate(problem, solution);
    if (status == SolveStatus::kFailed) lambda = entry_;
    return status;
  }

 private:
  // What a block's update needs besides its row of G; rows of limits and equalities have one each.
  struct Block {
    int index, offset;                    // of the block, of its (first) row
    double inverse_normal, tangent_step;  // 1 / (G_nn + R_n) and rho; 0 where the diagonal is 0
    double mu, G_xn, G_yn;                // Coulomb only
    double R[3], free[3];                 // compliance, g - c*
    BlockType type;
    int row;  // within the block, for limits and equalities
  };

  SolveStatus Iterate(const ContactProblem& problem, ContactSolution* solution) {
    RowVector& lambda = solution->lambda;
    const bool test = config_.budget == 0;
    const int sweeps = test ? config_.max_iterations : config_.budget;
    for (int k = 1; k <= sweeps; ++k) {
      moved_ = 0;
      stale_ = test;
      for (const Block& block : blocks_) {
        block.type == BlockType::kCoulomb ? UpdateContact(problem.G, block, lambda.data())
                                          : UpdateRow(problem.G, block, lambda.data());
      }
      solution->iterations = k;
      if (!(moved_ < HUGE_VAL)) return SolveStatus::kFailed;
      if (!test) continue;
      if (stale_ && Recheck(problem, lambda)) return SolveStatus::kConverged;
      if (moved_ == 0) return SolveStatus::kStalled;
    }
    return Recheck(problem, lambda) ? SolveStatus::kConverged : SolveStatus::kMaxIterations;
  }

  bool Passes(const BlockCriteria& c) const {
    return c.eps_p <= force_limit_ && c.eps_d <= velocity_limit_ && c.eps_c <= power_limit_;
  }

  bool Recheck(const ContactProblem& problem, const RowVector& lambda) {
    ComputeSigma(problem, lambda, &sigma_);
    return Accepts(problem, lambda);
  }

  // The judge's verdict on (lambda, sigma_), block by block until one fails.
  bool Accepts(const ContactProblem& problem, const RowVector& lambda) const {
    for (int i = 0; i < problem.block_count(); ++i) {
      const int o = problem.G.offset(i);
      BlockCriteria c;
      switch (problem.types[static_cast<std::size_t>(i)]) {
        case BlockType::kCoulomb:
          c = JudgeNcpContact(problem.mu[i], lambda.data() + o, sigma_.data() + o);
          break;
        case BlockType::kLimit:
          c = JudgeLimit(lambda[o], sigma_[o]);
          break;
        case BlockType::kEquality:
          c.eps_d = sigma_.segment(o, problem.G.size(i)).norm();
          break;
      }
      if (!Passes(c)) return false;
    }
    return true;
  }

  // False when a diagonal is negative: G + R is then no matrix of a contact problem.
  bool Prepare(const ContactProblem& problem) {
    blocks_.clear();
    int largest_block = 3;
    for (int i = 0; i < problem.block_count(); ++i) {
      const BlockType type = problem.types[static_cast<std::size_t>(i)];
      const int size = problem.G.size(i), o = problem.G.offset(i);
      largest_block = std::max(largest_block, size);
      if (type == BlockType::kCoulomb) {
        if (!PrepareContact(problem, i)) return false;
        continue;
      }
      for (int r = 0; r < size; ++r) {
        const double diagonal = problem.G.diagonal_data(i)[r * size + r] + problem.R[o + r];
        if (diagonal < 0) return false;
        Block block{};
        block.index = i, block.offset = o, block.row = r, block.type = type;
        block.inverse_normal = diagonal > 0 ? 1 / diagonal : 0;
        block.R[0] = problem.R[o + r];
        block.free[0] = problem.g[o + r] - problem.target[o + r];
        blocks_.push_back(block);
      }
    }
    row_.resize(static_cast<std::size_t>(largest_block));
    return true;
  }

  bool PrepareContact(const ContactProblem& problem, int i) {
    const double* G = problem.G.diagonal_data(i);  // column-major 3 x 3
    Block block{};
    block.index = i, block.offset = problem.G.offset(i), block.type = BlockType::kCoulomb;
    for (int r = 0; r < 3; ++r) {
      block.R[r] = problem.R[block.offset + r];
      block.free[r] = problem.g[block.offset + r] - problem.target[block.offset + r];
    }
    const double a = G[0] + block.R[0], b = G[4] + block.R[1], c = G[3], n = G[8] + block.R[2];
    if (a < 0 || b < 0 || n < 0) return false;
    const double largest = 0.5 * (a + b) + std::sqrt(0.25 * (a - b) * (a - b) + c * c);
    const double curvature = config_.paper_step ? std::min(a, b) : largest;
    block.tangent_step = curvature > 0 ? 1 / curvature : 0;
    block.inverse_normal = n > 0 ? 1 / n : 0;
    block.mu = problem.mu[i], block.G_xn = G[6], block.G_yn = G[7];
    blocks_.push_back(block);
    return true;
  }

  void UpdateContact(const BlockMatrix& G, const Block& block, double* lambda) {
    double sigma[3];
    G.RowTimes(block.index, lambda, sigma);
    double* old = lambda + block.offset;
    for (int r = 0; r < 3; ++r) sigma[r] += block.R[r] * old[r] + block.free[r];
    if (stale_) stale_ = Passes(JudgeNcpContact(block.mu, old, sigma));

    // normal, then tangent with the normal's change already felt; std::max in this order keeps a NaN
    double n = std::max(old[2] - sigma[2] * block.inverse_normal, 0.0);
    const double change = n - old[2];
    double x = old[0] - block.tangent_step * (sigma[0] + block.G_xn * change);
    double y = old[1] - block.tangent_step * (sigma[1] + block.G_yn * change);
    const double square = x * x + y * y, radius = block.mu * n;
    if (square > radius * radius) {
      const double shrink = radius / std::sqrt(square);
      x *= shrink, y *= shrink;
    }
    if (config_.relaxation != 1) {
      x = old[0] + config_.relaxation * (x - old[0]);
      y = old[1] + config_.relaxation * (y - old[1]);
      n = old[2] + config_.relaxation * (n - old[2]);
    }
    moved_ += std::abs(x - old[0]) + std::abs(y - old[1]) + std::abs(n - old[2]);
    old[0] = x, old[1] = y, old[2] = n;
  }

  void UpdateRow(const BlockMatrix& G, const Block& block, double* lambda) {
    G.RowTimes(block.index, lambda, row_.data());
    double* at = lambda + block.offset + block.row;
    const double old = *at;
    const double sigma = row_[static_cast<std::size_t>(block.row)] + block.R[0] * old + block.free[0];
    const bool limit = block.type == BlockType::kLimit;
    if (stale_) stale_ = Passes(limit ? JudgeLimit(old, sigma) : BlockCriteria{0, std::abs(sigma), 0});
    double next = old - config_.relaxation * sigma * block.inverse_normal;
    if (limit) next = std::max(next, 0.0);
    moved_ += std::abs(next - old);
    *at = next;
  }

  ContactSolverConfig config_;
  double force_limit_ = 0, velocity_limit_ = 0, power_limit_ = 0;
  RowVector sigma_, entry_;
  std::vector<Block> blocks_;
  std::vector<double> row_;
  double moved_ = 0;    // sum of |change| over the sweep; NaN or infinite when it broke
  bool stale_ = false;  // every block so far passed the test on the values it had before its update
};

}  // namespace

std::unique_ptr<ContactSolver> MakeNcpPgs(const ContactSolverConfig& config) {
  return std::make_unique<NcpPgs>(config);
}

}  // namespace tread
