#include "sim/contact/ncp_bgs.h"

#include <algorithm>
#include <cmath>

#include "sim/contact/gauss_seidel.h"

namespace tread {
namespace {

constexpr double kSingular = 1e-10;   // det A below this times (trace / 3)^3 counts as singular
constexpr double kProximal = 1e-8;    // then this times the trace is added
constexpr double kNewtonDone = 1e-6;  // | |d| - 1 | before the last step, which squares it
constexpr double kNearlySliding =
    0.99;  // |lambda_T| / (mu lambda_n) above which the slip on entry is a guess for the new one
constexpr int kMaxNewton = 60;
constexpr int kExactSweeps = 500;  // exact solves that went on for so long may be in a cycle

class NcpBgsRule {
 public:
  static constexpr ContactLaw kLaw = ContactLaw::kNcp;
  struct Contact {
    double xx, yy, xy, xn, yn, nn;  // A
    double inverse[6];              // of A: xx, yy, xy, xn, yn, nn
    double mu;
    double tangent_step, inverse_normal;  // of the fall-back step; 0 where A is 0
  };

  explicit NcpBgsRule(const ContactSolverConfig&) {}

  void BeginSweep(int k) { exact_ = k <= kExactSweeps; }

  bool Prepare(const double* A, double mu, Contact* c) const {
    c->xx = A[0], c->yy = A[4], c->xy = A[3], c->xn = A[6], c->yn = A[7], c->nn = A[8], c->mu = mu;
    const double trace = A[0] + A[4] + A[8], third = trace / 3;
    if (!(Invert(c) > kSingular * third * third * third)) {
      c->xx += kProximal * trace, c->yy += kProximal * trace, c->nn += kProximal * trace;
      if (!(Invert(c) > 0) && trace > 0) return false;  // not positive semidefinite
    }
    const double half = 0.5 * (c->xx - c->yy);
    const double largest = 0.5 * (c->xx + c->yy) + std::sqrt(half * half + c->xy * c->xy);
    c->tangent_step = trace > 0 ? 1 / largest : 0;
    c->inverse_normal = trace > 0 ? 1 / c->nn : 0;
    if (!(trace > 0)) std::fill(c->inverse, c->inverse + 6, 0.0);
    return true;
  }

  void Update(const Contact& c, const double* old, const double* sigma, double* next) const {
    if (!exact_) return Project(c, old, sigma, next);
    const double b_n = sigma[2] - (c.xn * old[0] + c.yn * old[1] + c.nn * old[2]);
    if (b_n >= 0 && c.inverse_normal > 0) {
      next[0] = next[1] = next[2] = 0;
      return;
    }
    const double* K = c.inverse;
    next[0] = old[0] - (K[0] * sigma[0] + K[2] * sigma[1] + K[3] * sigma[2]);
    next[1] = old[1] - (K[2] * sigma[0] + K[1] * sigma[1] + K[4] * sigma[2]);
    next[2] = old[2] - (K[3] * sigma[0] + K[4] * sigma[1] + K[5] * sigma[2]);
    const double radius = c.mu * next[2];
    if (next[2] > 0 && next[0] * next[0] + next[1] * next[1] <= radius * radius) return;
    if (c.mu == 0 && c.inverse_normal > 0) {
      next[0] = next[1] = 0, next[2] = -b_n / c.nn;
      return;
    }
    if (!Slide(c, old, sigma, b_n, next)) Project(c, old, sigma, next);
  }

 private:
  bool exact_ = true;

  // Returns det A, times which the adjugate is divided.
  static double Invert(Contact* c) {
    double* K = c->inverse;
    K[0] = c->yy * c->nn - c->yn * c->yn, K[1] = c->xx * c->nn - c->xn * c->xn;
    K[2] = c->xn * c->yn - c->xy * c->nn, K[3] = c->xy * c->yn - c->yy * c->xn;
    K[4] = c->xy * c->xn - c->xx * c->yn, K[5] = c->xx * c->yy - c->xy * c->xy;
    const double determinant = c->xx * K[0] + c->xy * K[2] + c->xn * K[3], scale = 1 / determinant;
    for (int k = 0; k < 6; ++k) K[k] *= scale;
    return determinant;
  }

  // The sliding force; false when the search finds none with lambda_n > 0.
  static bool Slide(const Contact& c, const double* old, const double* sigma, double b_n, double* next) {
    const double b_x = sigma[0] - (c.xx * old[0] + c.xy * old[1] + c.xn * old[2]);
    const double b_y = sigma[1] - (c.xy * old[0] + c.yy * old[1] + c.yn * old[2]);
    const double q_x = c.nn * b_x - b_n * c.xn, q_y = c.nn * b_y - b_n * c.yn;
    const double M_xx = c.mu * (b_n * c.xx - b_x * c.xn), M_xy = c.mu * (b_n * c.xy - b_x * c.yn);
    const double M_yx = c.mu * (b_n * c.xy - b_y * c.xn), M_yy = c.mu * (b_n * c.yy - b_y * c.yn);
    const double trace = M_xx + M_yy, determinant = M_xx * M_yy - M_xy * M_yx;
    const double Mq_x = M_xx * q_x + M_xy * q_y, Mq_y = M_yx * q_x + M_yy * q_y;

    double s = 0, low = 0, high = HUGE_VAL;
    const double friction2 = old[0] * old[0] + old[1] * old[1], reach = kNearlySliding * c.mu * old[2];
    if (old[2] > 0 && friction2 >= reach * reach)
      s = -b_n / old[2] * std::sqrt(sigma[0] * sigma[0] + sigma[1] * sigma[1]);
    // d = w / D by Cramer's rule; Newton on D / |w| - 1
    for (int k = 0; k < kMaxNewton; ++k) {
      const double w_x = (s - trace) * q_x + Mq_x, w_y = (s - trace) * q_y + Mq_y;
      const double D = s * (s - trace) + determinant;
      const double w2 = w_x * w_x + w_y * w_y, w = std::sqrt(w2);
      const double slope = (2 * s - trace) - D * (w_x * q_x + w_y * q_y) / w2;
      const double excess = D - w;
      (excess < 0 ? low : high) = s;
      double stepped = s - excess / slope;
      if (std::abs(excess) <= kNewtonDone * D && stepped >= 0)
        return Finish(c, q_x, q_y, Mq_x, Mq_y, stepped - trace, b_n, next);
      if (!(stepped > low && stepped < high))
        stepped = high < HUGE_VAL ? 0.5 * (low + high) : 2 * s + w / std::abs(trace);
      s = stepped;
    }
    return false;
  }

  // shifted = s - trace M at the root
  static bool Finish(const Contact& c, double q_x, double q_y, double Mq_x, double Mq_y, double shifted,
                     double b_n, double* next) {
    const double w_x = shifted * q_x + Mq_x, w_y = shifted * q_y + Mq_y;
    const double scale = 1 / std::sqrt(w_x * w_x + w_y * w_y), d_x = w_x * scale, d_y = w_y * scale;
    const double effective = c.nn - c.mu * (c.xn * d_x + c.yn * d_y);
    if (!(effective > 0)) return false;
    next[2] = -b_n / effective;
    next[0] = -c.mu * next[2] * d_x, next[1] = -c.mu * next[2] * d_y;
    return true;
  }

  // One step of ncp_pgs; std::max in this order keeps a NaN.
  static void Project(const Contact& c, const double* old, const double* sigma, double* next) {
    next[2] = std::max(old[2] - sigma[2] * c.inverse_normal, 0.0);
    const double change = next[2] - old[2], radius = c.mu * next[2];
    next[0] = old[0] - c.tangent_step * (sigma[0] + c.xn * change);
    next[1] = old[1] - c.tangent_step * (sigma[1] + c.yn * change);
    const double square = next[0] * next[0] + next[1] * next[1];
    if (square <= radius * radius) return;
    const double shrink = radius / std::sqrt(square);
    next[0] *= shrink, next[1] *= shrink;
  }
};

}  // namespace

std::unique_ptr<ContactSolver> MakeNcpBgs(const ContactSolverConfig& config) {
  return std::make_unique<GaussSeidel<NcpBgsRule>>(config);
}

}  // namespace tread
