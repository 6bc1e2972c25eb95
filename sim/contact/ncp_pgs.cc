#include "sim/contact/ncp_pgs.h"

#include <cmath>

#include "sim/contact/gauss_seidel.h"

namespace tread {
namespace {

class NcpPgsRule {
 public:
  static constexpr ContactLaw kLaw = ContactLaw::kNcp;
  struct Contact {
    double inverse_normal, tangent_step;  // 1 / (G_nn + R_n) and rho; 0 where the diagonal is 0
    double mu, G_xn, G_yn;
  };

  explicit NcpPgsRule(const ContactSolverConfig& config) : paper_step_(config.paper_step) {}

  void BeginSweep(int) {}

  bool Prepare(const double* A, double mu, Contact* contact) const {
    const double a = A[0], b = A[4], c = A[3], n = A[8];
    const double largest = 0.5 * (a + b) + std::sqrt(0.25 * (a - b) * (a - b) + c * c);
    const double curvature = paper_step_ ? std::min(a, b) : largest;
    contact->tangent_step = curvature > 0 ? 1 / curvature : 0;
    contact->inverse_normal = n > 0 ? 1 / n : 0;
    contact->mu = mu, contact->G_xn = A[6], contact->G_yn = A[7];
    return true;
  }

  // normal, then tangent with the normal's change already felt; std::max in this order keeps a NaN
  void Update(const Contact& contact, const double* old, const double* sigma, double* next) const {
    const double n = std::max(old[2] - sigma[2] * contact.inverse_normal, 0.0);
    const double change = n - old[2];
    double x = old[0] - contact.tangent_step * (sigma[0] + contact.G_xn * change);
    double y = old[1] - contact.tangent_step * (sigma[1] + contact.G_yn * change);
    const double square = x * x + y * y, radius = contact.mu * n;
    if (square > radius * radius) {
      const double shrink = radius / std::sqrt(square);
      x *= shrink, y *= shrink;
    }
    next[0] = x, next[1] = y, next[2] = n;
  }

 private:
  bool paper_step_;
};

}  // namespace

std::unique_ptr<ContactSolver> MakeNcpPgs(const ContactSolverConfig& config) {
  return std::make_unique<GaussSeidel<NcpPgsRule>>(config);
}

}  // namespace tread
