#include "sim/contact/ccp_newton.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/contact/block_cholesky.h"

namespace tread {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double kLeastCompliance = 1e-5, kMostCompliance = 0.1;  // of the mean diagonal of G_ii
constexpr double kRounding = 1e-14;
constexpr int kLineSearch = 40;

class CcpNewton final : public ContactSolver {
 public:
  explicit CcpNewton(const ContactSolverConfig& config) : ContactSolver(config, ContactLaw::kCcp) {}

 private:
  SolveStatus Run(const ContactProblem& problem, ContactSolution* solution) override {
    Prepare(problem, solution->lambda);
    RowVector& lambda = solution->lambda;
    for (int k = 1; k <= iteration_limit(); ++k) {
      if (!Factor(problem)) return SolveStatus::kFailed;
      Step(problem);
      lambda = force_;
      solution->iterations = k;
      Trace(problem, lambda, k);
      if (!((0.0 * force_).sum() == 0.0)) return SolveStatus::kFailed;
      if (tests() && Recheck(problem, lambda)) return SolveStatus::kConverged;
      const double inner = (force_ - y_).norm(), outer = (force_ - centre_).norm();
      if (inner <= 0.1 * outer) MoveCentre(problem);
    }
    return Recheck(problem, lambda) ? SolveStatus::kConverged : SolveStatus::kMaxIterations;
  }

  void Prepare(const ContactProblem& problem, const RowVector& lambda) {
    const int n = problem.rows();
    for (RowVector* x : {&compliance_, &free_, &direction_, &G_direction_, &force_, &c_, &trial_})
      x->resize(n);
    ones_.resize(n);
    ones_.setOnes();
    roots_.resize(static_cast<std::size_t>(problem.block_count()));
    const double least = LeastCompliance(problem);
    for (int i = 0; i < problem.block_count(); ++i) PrepareBlock(problem, i, least);
    y_ = lambda;
    centre_ = lambda;
    MoveCentreTo(problem);
  }

  // Of G_ii: lambda = -c / R^ magnifies the rounding of c, which must stay below what the stop test asks of sigma.
  double LeastCompliance(const ContactProblem& problem) const {
    const ProblemScale scale = ComputeScale(problem);
    const double limit = std::min(velocity_limit_, power_limit_ / scale.force);
    return std::clamp(kRounding * scale.velocity / limit, kLeastCompliance, kMostCompliance);
  }

  // R^ per row: both tangents the same, none too small.
  void PrepareBlock(const ContactProblem& problem, int i, double share) {
    const int o = problem.G.offset(i), size = problem.G.size(i);
    const double mean = problem.G.Diagonal(i).trace() / size;
    const double least = mean > 0 ? share * mean : 1;
    for (int r = 0; r < size; ++r) compliance_[o + r] = std::max(problem.R[o + r], least);
    if (problem.types[static_cast<std::size_t>(i)] == BlockType::kCoulomb)
      compliance_[o] = compliance_[o + 1] = std::max(compliance_[o], compliance_[o + 1]);
  }

  void MoveCentre(const ContactProblem& problem) {
    centre_ = force_;
    MoveCentreTo(problem);
  }

  // Free term of the proximal problem, and forces there.
  void MoveCentreTo(const ContactProblem& problem) {
    free_ = problem.g - problem.target + (problem.R - compliance_).cwiseProduct(centre_);
    problem.G.Times(y_, &c_);
    c_ += free_;
    ComputeForces(problem, c_, &force_);
  }

  // Projection of -c / R^ on the cone in the metric of R^: with tangents scaled by s = sqrt(R_t / R_n) it is the Euclidean one on mu s.
  Vector3d ContactForce(double mu, int o, const Vector3d& c, Matrix3d* root) const {
    const double R_n = compliance_[o + 2], s = std::sqrt(compliance_[o] / R_n), m = mu * s;
    const Vector3d x(-c[0] / (s * R_n), -c[1] / (s * R_n), -c[2] / R_n);
    const Vector3d p = ProjectCircularCone(m, x);
    if (root != nullptr) {
      *root = ProjectionRoot(m, x, p);
      *root /= std::sqrt(R_n);
      root->topRows<2>() /= s;
    }
    return {p[0] / s, p[1] / s, p[2]};
  }

  // W with W W' = the derivative of the projection at x, whose value is p: the identity inside, 0 in the polar cone; else the ray p lies on
  // moves along itself, and sideways by |p_T| / |x_T|.
  static Matrix3d ProjectionRoot(double m, const Vector3d& x, const Vector3d& p) {
    const double length = x.head<2>().norm();
    if (x[2] >= 0 && length <= m * x[2]) return Matrix3d::Identity();
    Matrix3d root = Matrix3d::Zero();
    if (p[2] <= 0 || length == 0) return root;
    const double t1 = x[0] / length, t2 = x[1] / length, unit = 1 / std::sqrt(1 + m * m);
    const double side = std::sqrt(m * p[2] / length);
    root.col(0) = Vector3d(m * t1, m * t2, 1) * unit;
    root.col(1) = Vector3d(-t2, t1, 0) * side;
    return root;
  }

  void ComputeForces(const ContactProblem& problem, const RowVector& c, RowVector* force) const {
    for (int i = 0; i < problem.block_count(); ++i) {
      const int o = problem.G.offset(i), size = problem.G.size(i);
      const BlockType type = problem.types[static_cast<std::size_t>(i)];
      if (type == BlockType::kCoulomb) {
        force->segment<3>(o) = ContactForce(problem.mu[i], o, c.segment<3>(o), nullptr);
        continue;
      }
      for (int r = o; r < o + size; ++r) {
        const double f = -c[r] / compliance_[r];
        (*force)[r] = type == BlockType::kLimit ? std::max(0.0, f) : f;
      }
    }
  }

  // B of block i at c_: 3 x 3 for contacts; diagonal for rows, kept in root_row_.
  void FillRoots(const ContactProblem& problem) {
    root_row_.resize(problem.rows());
    for (int i = 0; i < problem.block_count(); ++i) {
      const int o = problem.G.offset(i), size = problem.G.size(i);
      const BlockType type = problem.types[static_cast<std::size_t>(i)];
      if (type == BlockType::kCoulomb) {
        ContactForce(problem.mu[i], o, c_.segment<3>(o), &roots_[static_cast<std::size_t>(i)]);
        continue;
      }
      for (int r = o; r < o + size; ++r)
        root_row_[r] = type == BlockType::kLimit && c_[r] >= 0 ? 0 : 1 / std::sqrt(compliance_[r]);
    }
  }

  // Entry (r, k) of B_i.
  double Root(const ContactProblem& problem, int i, int r, int k) const {
    if (problem.types[static_cast<std::size_t>(i)] == BlockType::kCoulomb)
      return roots_[static_cast<std::size_t>(i)](r, k);
    return r == k ? root_row_[problem.G.offset(i) + r] : 0;
  }

  // I + B' G B.
  bool Factor(const ContactProblem& problem) {
    FillRoots(problem);
    scaled_ = problem.G;
    for (int i = 0; i < problem.block_count(); ++i) {
      for (int slot = problem.G.row_begin(i); slot < problem.G.row_end(i); ++slot) {
        const int j = problem.G.column(slot), rows = problem.G.size(i), columns = problem.G.size(j);
        const double* G = problem.G.block_data(slot);
        double* out = scaled_.block_data(slot);
        for (int k = 0; k < rows; ++k) {
          for (int l = 0; l < columns; ++l) {
            double sum = 0;
            for (int c = 0; c < columns; ++c) {
              double column = 0;
              for (int r = 0; r < rows; ++r) column += Root(problem, i, r, k) * G[c * rows + r];
              sum += column * Root(problem, j, c, l);
            }
            out[l * rows + k] = sum;
          }
        }
      }
    }
    return factor_.Factor(scaled_, ones_);
  }

  // x <- B' x or B x.
  void TimesRoots(const ContactProblem& problem, bool transpose, RowVector* x) const {
    for (int i = 0; i < problem.block_count(); ++i) {
      const int o = problem.G.offset(i), size = problem.G.size(i);
      if (problem.types[static_cast<std::size_t>(i)] != BlockType::kCoulomb) {
        for (int r = o; r < o + size; ++r) (*x)[r] *= root_row_[r];
        continue;
      }
      const Matrix3d& B = roots_[static_cast<std::size_t>(i)];
      const Vector3d part = x->segment<3>(o);
      x->segment<3>(o) = transpose ? Vector3d(B.transpose() * part) : Vector3d(B * part);
    }
  }

  void Step(const ContactProblem& problem) {
    direction_ = force_ - y_;
    problem.G.Times(direction_, &trial_);
    TimesRoots(problem, true, &trial_);
    factor_.Solve(&trial_);
    TimesRoots(problem, false, &trial_);
    direction_ -= trial_;
    problem.G.Times(direction_, &G_direction_);
    const double length = LineSearch(problem);
    y_ += length * direction_;
    problem.G.Times(y_, &c_);
    c_ += free_;
    ComputeForces(problem, c_, &force_);
  }

  // phi'(a) = (y + a d - lambda(c + a G d))' G d, which rises with a.
  double Slope(const ContactProblem& problem, double a) {
    trial_ = c_ + a * G_direction_;
    ComputeForces(problem, trial_, &force_);
    return (y_ + a * direction_ - force_).dot(G_direction_);
  }

  // The root of phi': Newton's own step of 1 where it is good enough, else by regula falsi (Illinois) in a bracket.
  double LineSearch(const ContactProblem& problem) {
    double low = 0, slope_low = Slope(problem, 0);
    if (!(slope_low < 0)) return 1;  // at the minimum up to rounding
    const double good = 1e-3 * -slope_low;
    double high = 1, slope_high = Slope(problem, high);
    if (std::abs(slope_high) <= good) return 1;
    for (int k = 0; k < kLineSearch && slope_high < 0; ++k) {
      low = high, slope_low = slope_high;
      high *= 2;
      slope_high = Slope(problem, high);
    }
    double a = high;
    for (int k = 0, side = 0; k < kLineSearch; ++k) {
      a = (low * slope_high - high * slope_low) / (slope_high - slope_low);
      const double slope = Slope(problem, a);
      if (!(std::abs(slope) > good)) break;
      if (slope < 0) {
        low = a, slope_low = slope;
        if (side == -1) slope_high *= 0.5;
        side = -1;
      } else {
        high = a, slope_high = slope;
        if (side == 1) slope_low *= 0.5;
        side = 1;
      }
    }
    return a;
  }

  RowVector compliance_, free_, y_, centre_, force_, c_, direction_, G_direction_, trial_, ones_, root_row_;
  std::vector<Matrix3d> roots_;
  BlockMatrix scaled_;
  BlockCholesky factor_;
};

}  // namespace

std::unique_ptr<ContactSolver> MakeCcpNewton(const ContactSolverConfig& config) {
  return std::make_unique<CcpNewton>(config);
}

}  // namespace tread
