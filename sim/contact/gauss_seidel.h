// The sweep that the per-contact solvers share: every block in turn is updated with the freshest forces of the others.
//
// A Rule says what one contact does with its sigma = (G + R) lambda + g - c*, given the forces it had:
//   static constexpr ContactLaw kLaw;
//   explicit Rule(const ContactSolverConfig&);
//   void BeginSweep(int k);                                            // k = 1, 2, ...
//   struct Contact;                                                    // constants of one contact
//   bool Prepare(const double* A, double mu, Contact*) const;          // A = G_ii + R_i, column-major 3 x 3; false: no contact problem
//   void Update(const Contact&, const double* old, const double* sigma, double* next) const;
// Limits are clamped at 0, equality rows solved one by one. Relaxation: lambda <- (1 - w) old + w next (the paper has the two swapped).
// The judge costs nearly a sweep, so it is asked only when its consent is likely: the sweep's own values, stale by the updates that followed,
// all pass, or those of the next sweep should, going by how fast the changes shrink. No allocation while the size does not grow.
// Everything is inlined into one loop: no virtual call within a sweep.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/contact/contact_solver.h"

namespace tread {

template <typename Rule>
class GaussSeidel final : public ContactSolver {
 public:
  explicit GaussSeidel(const ContactSolverConfig& config)
      : ContactSolver(config, Rule::kLaw), rule_(config) {}

 private:
  struct Block {
    int index, offset,
        row;  // of the block, of its first row, of the row within (limits and equalities: one Block per row)
    BlockType type;
    double mu,
        inverse;  // inverse: 1 / diagonal of G + R for limits and equalities; 0 where the diagonal is 0
    double G_xn, G_yn, G_nn;  // of G alone: RaiSim's law judges with them
    double R[3], free[3];     // compliance, g - c*
    typename Rule::Contact contact;
  };

  SolveStatus Run(const ContactProblem& problem, ContactSolution* solution) override {
    if (!Prepare(problem)) return SolveStatus::kFailed;
    RowVector& lambda = solution->lambda;
    last_moved_ = blocks_.size() > 1 ? 0 : HUGE_VAL;  // one block alone is done after one sweep, or may be
    caution_ = 1;
    for (int k = 1; k <= iteration_limit(); ++k) {
      moved_ = 0;
      stale_ = tests();
      rule_.BeginSweep(k);
      for (const Block& block : blocks_) {
        block.type == BlockType::kCoulomb ? UpdateContact(problem.G, block, lambda.data())
                                          : UpdateRow(problem.G, block, lambda.data());
      }
      solution->iterations = k;
      Trace(problem, lambda, k);
      if (!(moved_ < HUGE_VAL)) return SolveStatus::kFailed;
      if (!tests()) continue;
      if ((stale_ || Promising()) && Recheck(problem, lambda)) return SolveStatus::kConverged;
      last_moved_ = moved_;
      if (moved_ == 0) return SolveStatus::kStalled;
    }
    return Recheck(problem, lambda) ? SolveStatus::kConverged : SolveStatus::kMaxIterations;
  }

  // Whether the next sweep, if this one was to the last as the next to this, should find every sigma within the limit; the more
  // often that was wrong, the smaller it must be.
  bool Promising() {
    if (!(stiffness_ * moved_ * moved_ * caution_ <= velocity_limit_ * last_moved_)) return false;
    caution_ *= 10;
    return true;
  }

  // False when a diagonal is negative: G + R is then no matrix of a contact problem.
  bool Prepare(const ContactProblem& problem) {
    blocks_.clear();
    stiffness_ = 0;
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
        stiffness_ = std::max(stiffness_, diagonal);
        Block& block = blocks_.emplace_back();
        block.index = i, block.offset = o, block.row = r, block.type = type;
        block.inverse = diagonal > 0 ? 1 / diagonal : 0;
        block.R[0] = problem.R[o + r];
        block.free[0] = problem.g[o + r] - problem.target[o + r];
      }
    }
    row_.resize(static_cast<std::size_t>(largest_block));
    return true;
  }

  bool PrepareContact(const ContactProblem& problem, int i) {
    const double* G = problem.G.diagonal_data(i);
    Block& block = blocks_.emplace_back();
    block.index = i, block.offset = problem.G.offset(i), block.row = 0, block.type = BlockType::kCoulomb;
    block.mu = problem.mu[i], block.G_xn = G[6], block.G_yn = G[7],
    block.G_nn = G[8] + problem.R[block.offset + 2];
    double A[9];
    std::copy(G, G + 9, A);
    for (int r = 0; r < 3; ++r) {
      block.R[r] = problem.R[block.offset + r];
      block.free[r] = problem.g[block.offset + r] - problem.target[block.offset + r];
      A[4 * r] += block.R[r];
    }
    if (A[0] < 0 || A[4] < 0 || A[8] < 0) return false;
    stiffness_ = std::max({stiffness_, A[0], A[4], A[8]});
    return rule_.Prepare(A, block.mu, &block.contact);
  }

  BlockCriteria JudgeBlock(const Block& block, const double* lambda, const double* sigma) const {
    if constexpr (Rule::kLaw == ContactLaw::kNcp) return JudgeNcpContact(block.mu, lambda, sigma);
    return JudgeContact(Rule::kLaw, block.mu, Eigen::Vector3d(lambda), Eigen::Vector3d(sigma),
                        {block.G_xn, block.G_yn}, block.G_nn);
  }

  void UpdateContact(const BlockMatrix& G, const Block& block, double* lambda) {
    double sigma[3], next[3];
    G.RowTimes(block.index, lambda, sigma);
    double* old = lambda + block.offset;
    for (int r = 0; r < 3; ++r) sigma[r] += block.R[r] * old[r] + block.free[r];
    if (stale_) stale_ = Passes(JudgeBlock(block, old, sigma));
    rule_.Update(block.contact, old, sigma, next);
    if (config_.relaxation != 1) {
      for (int r = 0; r < 3; ++r) next[r] = old[r] + config_.relaxation * (next[r] - old[r]);
    }
    moved_ += std::abs(next[0] - old[0]) + std::abs(next[1] - old[1]) + std::abs(next[2] - old[2]);
    std::copy(next, next + 3, old);
  }

  void UpdateRow(const BlockMatrix& G, const Block& block, double* lambda) {
    G.RowTimes(block.index, lambda, row_.data());
    double* at = lambda + block.offset + block.row;
    const double old = *at;
    const double sigma = row_[static_cast<std::size_t>(block.row)] + block.R[0] * old + block.free[0];
    const bool limit = block.type == BlockType::kLimit;
    if (stale_) stale_ = Passes(limit ? JudgeLimit(old, sigma) : BlockCriteria{0, std::abs(sigma), 0});
    double next = old - config_.relaxation * sigma * block.inverse;
    if (limit) next = std::max(next, 0.0);
    moved_ += std::abs(next - old);
    *at = next;
  }

  Rule rule_;
  std::vector<Block> blocks_;
  std::vector<double> row_;
  double moved_ = 0;  // sum of |change| over the sweep; NaN or infinite when it broke
  double last_moved_ = 0, stiffness_ = 0,
         caution_ = 1;  // of the sweep before; largest diagonal; see Promising
  bool stale_ = false;  // every block so far passed the test on the values it had before its update
};

}  // namespace tread
