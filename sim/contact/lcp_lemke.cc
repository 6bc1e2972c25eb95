#include "sim/contact/lcp_lemke.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sim/contact/lemke.h"

namespace tread {
namespace {

constexpr double kHalf = 0.5 * std::numbers::sqrt2;  // sine and cosine of 45 degrees
// The variables of a contact as directions in (t1, t2, n): the normal, then d_1 .. d_4.
constexpr double kDirections[5][3] = {
    {0, 0, 1}, {kHalf, kHalf, 0}, {-kHalf, kHalf, 0}, {-kHalf, -kHalf, 0}, {kHalf, -kHalf, 0}};
constexpr int kGamma = 5;
constexpr double kAtBound = 1 - 1e-6;  // a guess that uses so much of its friction is one that slides

class LcpLemke final : public ContactSolver {
 public:
  explicit LcpLemke(const ContactSolverConfig& config) : ContactSolver(config, ContactLaw::kLcp) {}

 private:
  // The variables of one block: forces, then gamma where there is friction.
  struct Part {
    int first, forces, offset;
    BlockType type;
    double mu, scale;  // lambda = unit_ x scale x (variables along their directions)

    bool slips() const { return type == BlockType::kCoulomb && mu > 0; }
    int rows() const { return type == BlockType::kCoulomb ? 3 : forces; }
    double Direction(int force, int row) const {
      return type == BlockType::kCoulomb ? kDirections[force][row] : (force == row ? 1.0 : 0.0);
    }
  };

  SolveStatus Run(const ContactProblem& problem, ContactSolution* solution) override {
    if (!SetUp(problem)) return SolveStatus::kFailed;
    if (tests() && !solution->lambda.isZero(0)) {
      Guess(solution->lambda);
      solution->iterations = 1;
      const bool taken = TakeBasis(problem, &solution->lambda);
      Trace(problem, solution->lambda, 1);
      if (taken) return SolveStatus::kConverged;
    }
    return Pivot(problem, solution);
  }

  SolveStatus Pivot(const ContactProblem& problem, ContactSolution* solution) {
    RowVector& lambda = solution->lambda;
    int& k = solution->iterations;
    Lemke::State state = lemke_.Begin();
    while (k < iteration_limit() && (state == Lemke::State::kRunning || !tests())) {
      if (state == Lemke::State::kRunning) state = lemke_.Pivot();
      ReadDictionary(&lambda);
      Trace(problem, lambda, ++k);
    }
    if (state == Lemke::State::kRay) return SolveStatus::kFailed;
    ReadDictionary(&lambda);
    if (!std::isfinite(lambda.sum())) return SolveStatus::kFailed;
    if (Recheck(problem, lambda)) return SolveStatus::kConverged;
    if (state == Lemke::State::kRunning) return SolveStatus::kMaxIterations;
    for (int i = 0; i < lemke_.size(); ++i) basic_[static_cast<std::size_t>(i)] = lemke_.IsBasic(i);
    unrefined_ = lambda;
    if (TakeBasis(problem, &lambda)) return SolveStatus::kConverged;
    lambda = unrefined_;
    return SolveStatus::kStalled;
  }

  // The LCP of the problem; false when it is too large or a diagonal of G + R is negative.
  bool SetUp(const ContactProblem& problem) {
    parts_.clear();
    int pairs = 0;
    for (int i = 0; i < problem.block_count(); ++i) {
      const BlockType type = problem.types[static_cast<std::size_t>(i)];
      const int size = problem.G.size(i), o = problem.G.offset(i);
      double trace = 0;
      for (int r = 0; r < size; ++r) {
        const double diagonal = problem.G.diagonal_data(i)[r * size + r] + problem.R[o + r];
        if (diagonal < 0) return false;
        trace += diagonal;
      }
      Part part{pairs, size, o, type, problem.mu[i], trace > 0 ? std::sqrt(size / trace) : 1.0};
      if (type == BlockType::kCoulomb) part.forces = part.mu > 0 ? 5 : 1;
      parts_.push_back(part);
      pairs += part.forces + (part.slips() ? 1 : 0);
    }
    if (pairs > kLemkeLargest) return false;
    lemke_.Resize(pairs);
    basic_.assign(static_cast<std::size_t>(pairs), 0);
    z_.resize(static_cast<std::size_t>(pairs));
    FillConstants(problem);
    for (int i = 0; i < problem.block_count(); ++i) {
      for (int slot = problem.G.row_begin(i); slot < problem.G.row_end(i); ++slot)
        FillBlock(problem, i, slot);
      if (parts_[static_cast<std::size_t>(i)].slips()) FillFriction(parts_[static_cast<std::size_t>(i)]);
    }
    return true;
  }

  void FillConstants(const ContactProblem& problem) {
    unit_ = 0;
    for (const Part& part : parts_) {
      for (int a = 0; a < part.forces; ++a) {
        double q = 0;
        for (int r = 0; r < part.rows(); ++r) {
          q += part.Direction(a, r) * (problem.g[part.offset + r] - problem.target[part.offset + r]);
        }
        lemke_.q(part.first + a) = part.scale * q;
        if (part.type == BlockType::kEquality) lemke_.set_free(part.first + a);
        unit_ = std::max(unit_, std::abs(part.scale * q));
      }
    }
    if (!(unit_ > 0)) unit_ = 1;
    for (int i = 0; i < lemke_.size(); ++i) lemke_.q(i) /= unit_;
  }

  // Entries of one block of G + R, seen from the forces of both ends.
  void FillBlock(const ContactProblem& problem, int i, int slot) {
    const Part& row = parts_[static_cast<std::size_t>(i)];
    const Part& column = parts_[static_cast<std::size_t>(problem.G.column(slot))];
    const double* G = problem.G.block_data(slot);
    const int height = problem.G.size(i);
    const bool diagonal = slot == problem.G.diagonal_slot(i);
    for (int a = 0; a < row.forces; ++a) {
      for (int b = 0; b < column.forces; ++b) {
        double sum = 0;
        for (int r = 0; r < row.rows(); ++r) {
          const double weight = row.Direction(a, r);
          if (weight == 0) continue;
          for (int c = 0; c < column.rows(); ++c) sum += weight * G[c * height + r] * column.Direction(b, c);
          if (diagonal) sum += weight * problem.R[row.offset + r] * column.Direction(b, r);
        }
        lemke_.M(row.first + a, column.first + b) = row.scale * column.scale * sum;
      }
    }
  }

  void FillFriction(const Part& part) {
    const int gamma = part.first + kGamma;
    lemke_.M(gamma, part.first) = std::numbers::sqrt2 * part.mu;
    for (int k = 1; k < kGamma; ++k) {
      lemke_.M(part.first + k, gamma) = 1;
      lemke_.M(gamma, part.first + k) = -1;
    }
  }

  // Which variables a guess has: none of an open contact; two neighbouring directions of one that sticks or is on an edge, one at a corner.
  void Guess(const RowVector& lambda) {
    for (const Part& part : parts_) {
      char* basic = basic_.data() + part.first;
      std::fill_n(basic, part.forces, static_cast<char>(part.type == BlockType::kEquality));
      const double* l = lambda.data() + part.offset;
      if (part.type == BlockType::kLimit) basic[0] = l[0] > 0;
      if (part.type != BlockType::kCoulomb) continue;
      basic[0] = l[2] > 0;
      if (!part.slips()) continue;
      const double bound = kAtBound * part.mu * l[2];
      const bool x_slides = std::abs(l[0]) >= bound, y_slides = std::abs(l[1]) >= bound;
      basic[kGamma] = l[2] > 0 && (x_slides || y_slides);
      for (int k = 1; k < kGamma; ++k) {
        const bool same_x = kDirections[k][0] * l[0] >= 0, same_y = kDirections[k][1] * l[1] >= 0;
        const bool x_decides = x_slides || (!y_slides && std::abs(l[0]) > std::abs(l[1]));
        basic[k] = l[2] > 0 && (x_slides && y_slides ? same_x && same_y : x_decides ? same_x : same_y);
      }
    }
  }

  // The forces of a basis, and whether the judge takes them.
  bool TakeBasis(const ContactProblem& problem, RowVector* lambda) {
    if (!lemke_.SolveBasis(basic_, &z_)) return false;
    ReadForces(lambda);
    return std::isfinite(lambda->sum()) && Recheck(problem, *lambda);
  }

  void ReadDictionary(RowVector* lambda) {
    for (int i = 0; i < lemke_.size(); ++i) z_[static_cast<std::size_t>(i)] = lemke_.z(i);
    ReadForces(lambda);
  }

  // lambda of z_; clamped to the law, which rounding may have left by little and an unfinished path by much.
  void ReadForces(RowVector* lambda) const {
    for (const Part& part : parts_) {
      double* l = lambda->data() + part.offset;
      for (int r = 0; r < part.rows(); ++r) {
        l[r] = 0;
        for (int a = 0; a < part.forces; ++a) {
          l[r] += part.Direction(a, r) * z_[static_cast<std::size_t>(part.first + a)];
        }
        l[r] *= part.scale * unit_;
      }
      if (part.type == BlockType::kLimit) l[0] = std::max(l[0], 0.0);
      if (part.type != BlockType::kCoulomb) continue;
      l[2] = std::max(l[2], 0.0);
      const double bound = part.mu * l[2];
      for (int r = 0; r < 2; ++r) l[r] = std::max(-bound, std::min(bound, l[r]));
    }
  }

  Lemke lemke_;
  std::vector<Part> parts_;
  std::vector<char> basic_;
  std::vector<double> z_;
  RowVector unrefined_;
  double unit_ = 1;  // of q, taken out so that the tolerances of pivoting fit
};

}  // namespace

std::unique_ptr<ContactSolver> MakeLcpLemke(const ContactSolverConfig& config) {
  return std::make_unique<LcpLemke>(config);
}

}  // namespace tread
