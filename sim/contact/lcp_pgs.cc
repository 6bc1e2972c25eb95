#include "sim/contact/lcp_pgs.h"

#include <algorithm>

#include "sim/contact/gauss_seidel.h"

namespace tread {
namespace {

// To [-bound, bound]; a NaN stays.
double Clamp(double x, double bound) {
  return x > bound ? bound : x < -bound ? -bound : x;
}

class LcpPgsRule {
 public:
  static constexpr ContactLaw kLaw = ContactLaw::kLcp;
  struct Contact {
    double step_x, step_y, step_n;  // 0 where the diagonal is 0
    double mu, G_xn, G_yn, G_xy;    // G_xy = 0 with the published step: x and y then move together
  };

  explicit LcpPgsRule(const ContactSolverConfig& config) : paper_step_(config.paper_step) {}

  void BeginSweep(int) {}

  bool Prepare(const double* A, double mu, Contact* contact) const {
    const double smaller = std::min(A[0], A[4]);
    const double x = paper_step_ ? smaller : A[0], y = paper_step_ ? smaller : A[4];
    contact->step_x = x > 0 ? 1 / x : 0;
    contact->step_y = y > 0 ? 1 / y : 0;
    contact->step_n = A[8] > 0 ? 1 / A[8] : 0;
    contact->mu = mu, contact->G_xn = A[6], contact->G_yn = A[7];
    contact->G_xy = paper_step_ ? 0 : A[3];
    return true;
  }

  void Update(const Contact& contact, const double* old, const double* sigma, double* next) const {
    next[2] = std::max(old[2] - sigma[2] * contact.step_n, 0.0);  // in this order std::max keeps a NaN
    const double change_n = next[2] - old[2], bound = contact.mu * next[2];
    next[0] = Clamp(old[0] - contact.step_x * (sigma[0] + contact.G_xn * change_n), bound);
    const double change_x = next[0] - old[0];
    next[1] = Clamp(old[1] - contact.step_y * (sigma[1] + contact.G_yn * change_n + contact.G_xy * change_x),
                    bound);
  }

 private:
  bool paper_step_;
};

}  // namespace

std::unique_ptr<ContactSolver> MakeLcpPgs(const ContactSolverConfig& config) {
  return std::make_unique<GaussSeidel<LcpPgsRule>>(config);
}

}  // namespace tread
