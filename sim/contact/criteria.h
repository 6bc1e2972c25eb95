// The judge: how badly (lambda, sigma) violate a contact law. The only code that computes it, for every backend alike.
//
// Per block, then the largest over blocks:
//   eps_p  distance of lambda to the friction cone K                               [N]
//   eps_d  distance of sigma + Gamma(sigma) to the dual cone K*                    [m/s^2]
//   eps_c  |lambda . (sigma + Gamma(sigma))|                                       [N m/s^2]
// NCP: circular cone, Gamma = mu |sigma_T|. CCP: circular cone, no Gamma. LCP: the square |lambda_T|_inf <= mu lambda_n with
// Gamma = mu |sigma_T|_1. RaiSim: eps_p of the circular cone, eps_d = max(0, -sigma_n), and its sliding rule: with l = lambda_T + mu^2 lambda_n
// G_NT / G_NN and eta = max(0, -sigma_T . l / |l|^2), eps_c is the largest of |lambda_n sigma_n|, lambda_n |sigma_T + eta l| and
// eta (mu lambda_n - |lambda_T|) lambda_n. The second is weighted by lambda_n, so that an opening contact may slide freely without a jump;
// with mu = 0 the sliding rule is void.
// Limits: the same three with K = {lambda >= 0}. Equalities: eps_d = |sigma|.
// Distances use Moreau: dist(x, K*) = |P_K(-x)|. Everything is finite for mu = 0. Compliance enters through sigma alone: judge with sigma
// of (G + R) lambda for the model with R, of G lambda for the rigid one.
// The paper holds that eps_p and eps_c do not depend on dt once g is divided by it. With that scaling sigma is an acceleration: eps_d and eps_c of one
// and the same velocity error grow as 1 / dt, and only eps_p stays.
// Reference: Le Lidec et al. 2023, section II, after (15); De Saxce and Feng 1998.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "sim/contact/contact_problem.h"

namespace tread {

enum class ContactLaw { kNcp, kCcp, kLcp, kRaisim };
const char* Name(ContactLaw law);

struct ContactCriteria {
  double eps_p = 0, eps_d = 0, eps_c = 0;     // largest over blocks
  double mean_p = 0, mean_d = 0, mean_c = 0;  // mean over blocks
  double signorini = 0;                       // largest |lambda_n sigma_n| [N m/s^2]
  double friction_cone = 0;                   // largest |lambda_T| - mu max(0, lambda_n) [N], 0 if inside
  // Largest angle between lambda_T and -sigma_T over the contacts that slide [rad]. One slides when |sigma_T| > 1e-4 velocity scale and
  // mu lambda_n > 1e-4 force scale (ComputeScale): below, the directions are those of rounding and of the solver's tolerance. A sliding
  // contact with |lambda_T| < 1e-4 mu lambda_n counts as pi / 2.
  double dissipation_angle = 0;
  // Largest of the three, whose units differ; NaN when one is.
  double worst() const {
    return std::isnan(eps_p + eps_d + eps_c) ? eps_p + eps_d + eps_c : std::max({eps_p, eps_d, eps_c});
  }
};

// The judge proper.
ContactCriteria Judge(ContactLaw law, const ContactProblem& problem, const RowVector& lambda,
                      const RowVector& sigma);

// Internal force: norm of the part of lambda in the null space of J', that is of G = J M^-1 J' [N]: what the contacts squeeze each other with
// without moving anything. Eigenvalues of G below 1e-10 of the largest count as zero. Offline use: a dense eigenvalue decomposition, allocates.
double InternalForce(const ContactProblem& problem, const RowVector& lambda);

// The three numbers of one Coulomb block; G_NT, G_NN matter to RaiSim's rule only.
struct BlockCriteria {
  double eps_p = 0, eps_d = 0, eps_c = 0;
};
BlockCriteria JudgeContact(ContactLaw law, double mu, const Eigen::Vector3d& lambda,
                           const Eigen::Vector3d& sigma,
                           const Eigen::Vector2d& G_NT = Eigen::Vector2d::Zero(), double G_NN = 1);
// What JudgeContact does for the exact law, in closed form and inline: stop tests run once per contact and sweep.
BlockCriteria JudgeNcpContact(double mu, const double* lambda, const double* sigma);
BlockCriteria JudgeLimit(double lambda, double sigma);

// Euclidean projections on the circular cone and on the square one (t1, t2, n); mu >= 0.
Eigen::Vector3d ProjectCircularCone(double mu, const Eigen::Vector3d& x);
Eigen::Vector3d ProjectSquareCone(double mu, const Eigen::Vector3d& x);
// Distance to the circular cone of a point with tangential length t >= 0 and normal part n.
inline double CircularConeDistance(double mu, double t, double n) {
  if (n >= 0 && t <= mu * n) return 0;
  if (mu * t <= -n) return std::sqrt(t * t + n * n);
  return (t - mu * n) / std::sqrt(1 + mu * mu);
}

inline BlockCriteria JudgeNcpContact(double mu, const double* lambda, const double* sigma) {
  const double slip = std::sqrt(sigma[0] * sigma[0] + sigma[1] * sigma[1]);
  const double shifted_n = sigma[2] + mu * slip;
  const double friction2 = lambda[0] * lambda[0] + lambda[1] * lambda[1], radius = mu * lambda[2];
  BlockCriteria c;
  if (!(lambda[2] >= 0 && friction2 <= radius * radius))
    c.eps_p = CircularConeDistance(mu, std::sqrt(friction2), lambda[2]);
  // |P_K(-x)| with x = sigma + Gamma(sigma): zero iff sigma_n >= 0, |x| where -x is in K, else on the boundary ray of K
  if (!(sigma[2] >= 0)) {
    const bool inside = shifted_n <= 0 && slip <= -mu * shifted_n;
    c.eps_d = inside ? std::sqrt(slip * slip + shifted_n * shifted_n) : -sigma[2] / std::sqrt(1 + mu * mu);
  }
  c.eps_c = std::abs(lambda[0] * sigma[0] + lambda[1] * sigma[1] + lambda[2] * shifted_n);
  return c;
}

inline BlockCriteria JudgeLimit(double lambda, double sigma) {
  return {std::max(-lambda, 0.0), std::max(-sigma, 0.0), std::abs(lambda * sigma)};
}

}  // namespace tread
