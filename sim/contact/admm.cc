#include "sim/contact/admm.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/contact/block_cholesky.h"

namespace tread {
namespace {

// All relative to a matrix with diagonal 1.
constexpr double kFirstRho = 0.3, kSmallestRho = 1e-6, kLargestRho = 1e6;
constexpr double kEta = 1e-6;
constexpr int kFirstPeriod = 10;       // iterations before rho is looked at
constexpr double kPeriodGrowth = 1.5;  // after each change
constexpr double kImbalance = 2;       // change rho by less: not worth a factorisation
constexpr double kLargestChange = 10;  // of rho at a time

class Admm final : public ContactSolver {
 public:
  Admm(const ContactSolverConfig& config, ContactLaw law) : ContactSolver(config, law) {}

 private:
  struct Block {
    int offset, size;
    BlockType type;
    double mu;
    double shift;  // mu of the exact law, 0 of the convex one
  };
  SolveStatus Run(const ContactProblem& problem, ContactSolution* solution) override;
  bool Prepare(const ContactProblem& problem);
  void Start(const ContactSolution& solution);
  void StartDual(const Block& b);
  bool Factor(const ContactProblem& problem);
  void SolveLinear();
  void ProjectBlocks();
  void Iterate();
  bool AdaptRho(const ContactProblem& problem, int k);
  void Unscale(RowVector* lambda) const { *lambda = z_.cwiseProduct(scale_rows_); }

  std::vector<Block> blocks_;
  RowVector scale_rows_, q_;  // S per row
  RowVector x_, z_, y_;
  RowVector work_, diagonal_;
  BlockCholesky cholesky_;
  std::vector<double> inverse_;  // (A + (rho + eta) I)^-1, column-major; few rows only
  bool dense_ = false;
  double rho_ = 0, smallest_rho_ = 0;
  int next_look_ = 0, period_ = 0;
  double primal_ = 0, dual_ = 0;  // |x' - z| and rho |z - z_old|, largest over rows
};

// False when a diagonal is negative: G + R is then no matrix of a contact problem.
bool Admm::Prepare(const ContactProblem& problem) {
  const int n = problem.rows();
  for (RowVector* v : {&scale_rows_, &q_, &x_, &z_, &y_, &work_, &diagonal_}) v->resize(n);
  blocks_.clear();
  for (int i = 0; i < problem.block_count(); ++i) {
    const BlockType type = problem.types[static_cast<std::size_t>(i)];
    const double mu = type == BlockType::kCoulomb ? problem.mu[i] : 0;
    const Block& b = blocks_.emplace_back(
        Block{problem.G.offset(i), problem.G.size(i), type, mu, law_ == ContactLaw::kNcp ? mu : 0});
    double sum = 0;
    for (int r = 0; r < b.size; ++r) {
      const double diagonal = problem.G.diagonal_data(i)[r * (b.size + 1)] + problem.R[b.offset + r];
      if (diagonal < 0) return false;
      sum += diagonal;
    }
    const double scale = sum > 0 ? std::sqrt(b.size / sum) : 1;  // 1: between immovable bodies
    scale_rows_.segment(b.offset, b.size).setConstant(scale);
  }
  q_ = (problem.g - problem.target).cwiseProduct(scale_rows_);
  dense_ = n <= BlockCholesky::kDenseRows;
  return true;
}

void Admm::Start(const ContactSolution& solution) {
  const bool warm = !solution.lambda.isZero(0);
  x_ = solution.lambda.cwiseQuotient(scale_rows_);
  z_ = x_;
  const bool has_dual = warm && solution.dual.size() == z_.size() && (0.0 * solution.dual).sum() == 0.0;
  if (has_dual) {
    y_ = -solution.dual.cwiseProduct(scale_rows_);
  } else {
    y_.setZero();
  }
  for (const Block& b : blocks_) {
    if (y_.segment(b.offset, b.size).isZero(0)) StartDual(b);
  }
  rho_ = has_dual && solution.rho > 0 ? std::clamp(solution.rho, kSmallestRho, kLargestRho) : kFirstRho;
  smallest_rho_ = kSmallestRho;
  period_ = next_look_ = kFirstPeriod;
}

// The velocity that goes with lambda (sigma_ is its own on entry), as far as the dual cone admits it.
void Admm::StartDual(const Block& b) {
  const double* sigma = sigma_.data() + b.offset;
  double* y = y_.data() + b.offset;
  const double scale = scale_rows_[b.offset];
  if (b.type == BlockType::kLimit) y[0] = std::min(0.0, -sigma[0]) * scale;
  if (b.type != BlockType::kCoulomb) return;
  const double slip = std::sqrt(sigma[0] * sigma[0] + sigma[1] * sigma[1]);
  const Eigen::Vector3d away(-sigma[0], -sigma[1], -sigma[2] - b.shift * slip);
  // Moreau: the part of v in K* is v + P_K(-v)
  const Eigen::Vector3d dual = scale * (away - ProjectCircularCone(b.mu, away));
  std::copy(dual.data(), dual.data() + 3, y);
}

// S^-1 (G + R + (rho + eta) S^-2)^-1 S^-1, as an inverse or as factors of the middle. Raises rho as long as there is none.
bool Admm::Factor(const ContactProblem& problem) {
  for (;; rho_ = smallest_rho_ = 10 * rho_) {
    if (!(rho_ <= kLargestRho)) return false;
    diagonal_ = problem.R + (rho_ + kEta) * scale_rows_.cwiseProduct(scale_rows_).cwiseInverse();
    if (cholesky_.Factor(problem.G, diagonal_)) break;
  }
  if (!dense_) return true;
  const int n = problem.rows();
  inverse_.resize(static_cast<std::size_t>(n * n));
  cholesky_.Invert(inverse_.data());
  for (int j = 0; j < n; ++j) {
    double* column = inverse_.data() + j * n;
    for (int i = 0; i < n; ++i) column[i] /= scale_rows_[i] * scale_rows_[j];
  }
  return true;
}

// x <- (A + (rho + eta) I)^-1 work
void Admm::SolveLinear() {
  const auto n = work_.size();
  if (dense_) {
    x_.noalias() = Eigen::Map<const Eigen::MatrixXd>(inverse_.data(), n, n) * work_;
    return;
  }
  x_ = work_.cwiseQuotient(scale_rows_);
  cholesky_.Solve(&x_);
  x_ = x_.cwiseQuotient(scale_rows_);
}

// work = x' + y / rho on entry; z <- P_K(work), y <- rho (work - z), which is y + rho (x' - z).
void Admm::ProjectBlocks() {
  double primal = 0, moved = 0;
  for (const Block& b : blocks_) {
    const double* v = work_.data() + b.offset;
    double* z = z_.data() + b.offset;
    double* y = y_.data() + b.offset;
    Eigen::Vector3d inside;
    const double* next = v;
    if (b.type == BlockType::kCoulomb) {
      inside = ProjectCircularCone(b.mu, Eigen::Vector3d(v));
      next = inside.data();
    } else if (b.type == BlockType::kLimit) {
      inside[0] = std::max(v[0], 0.0);
      next = inside.data();
    }
    for (int r = 0; r < b.size; ++r) {
      const double dual = rho_ * (v[r] - next[r]);
      primal = std::max(primal, std::abs(dual - y[r]));
      moved = std::max(moved, std::abs(next[r] - z[r]));
      y[r] = dual;
      z[r] = next[r];
    }
  }
  primal_ = primal / rho_;
  dual_ = rho_ * moved;
}

void Admm::Iterate() {
  work_ = kEta * x_ + rho_ * z_ - y_ - q_;
  for (const Block& b : blocks_) {
    if (b.shift == 0) continue;
    const double* y = y_.data() + b.offset;
    work_[b.offset + 2] -= b.shift * std::sqrt(y[0] * y[0] + y[1] * y[1]);
  }
  SolveLinear();
  const double w = config_.relaxation;
  if (w == 1) {
    work_ = x_ + (1 / rho_) * y_;
  } else {
    work_ = w * x_ + (1 - w) * z_ + (1 / rho_) * y_;
  }
  ProjectBlocks();
}

// False when no factor exists.
bool Admm::AdaptRho(const ContactProblem& problem, int k) {
  if (k < next_look_) return true;
  next_look_ = k + period_;
  const double smallest = 1e-300;  // both residuals may vanish
  const double wanted = std::sqrt(std::max(primal_, smallest) / std::max(dual_, smallest));
  if (wanted < kImbalance && wanted > 1 / kImbalance) return true;
  const double old = rho_;
  rho_ =
      std::clamp(rho_ * std::clamp(wanted, 1 / kLargestChange, kLargestChange), smallest_rho_, kLargestRho);
  if (rho_ == old) return true;
  period_ = static_cast<int>(std::min(1e6, kPeriodGrowth * period_ + 0.5));
  return Factor(problem);
}

SolveStatus Admm::Run(const ContactProblem& problem, ContactSolution* solution) {
  if (!Prepare(problem)) return SolveStatus::kFailed;
  Start(*solution);
  if (!Factor(problem)) return SolveStatus::kFailed;
  RowVector& lambda = solution->lambda;
  SolveStatus status = SolveStatus::kMaxIterations;
  for (int k = 1; k <= iteration_limit() && status == SolveStatus::kMaxIterations; ++k) {
    Iterate();
    solution->iterations = k;
    if (!(primal_ + dual_ < HUGE_VAL)) return SolveStatus::kFailed;
    Unscale(&lambda);
    Trace(problem, lambda, k, rho_);
    if (tests()) {
      if (Recheck(problem, lambda)) {
        status = SolveStatus::kConverged;
      } else if (primal_ == 0 && dual_ == 0) {
        status = SolveStatus::kStalled;
      }
    }
    if (status == SolveStatus::kMaxIterations && !AdaptRho(problem, k)) return SolveStatus::kFailed;
  }
  if (!tests() && Recheck(problem, lambda)) status = SolveStatus::kConverged;
  solution->dual = -y_.cwiseQuotient(scale_rows_);
  solution->rho = rho_;
  return status;
}

}  // namespace

std::unique_ptr<ContactSolver> MakeAdmm(const ContactSolverConfig& config, ContactLaw law) {
  return std::make_unique<Admm>(config, law);
}

}  // namespace tread
