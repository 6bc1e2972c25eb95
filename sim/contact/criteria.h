// The judge: how badly (lambda, sigma) violate a contact law. The only code that computes it, for every backend alike.
//
// Per block, then the largest over blocks:
//   eps_p  distance of lambda to the friction cone K                               [N]
//   eps_d  distance of sigma + Gamma(sigma) to the dual cone K*                    [m/s^2]
//   eps_c  |lambda . (sigma + Gamma(sigma))|                                       [N m/s^2]
// NCP: circular cone, Gamma = mu |sigma_T|. CCP: circular cone, no Gamma. LCP: the square |lambda_T|_inf <= mu lambda_n with
// Gamma = mu |sigma_T|_1. RaiSim: eps_p of the circular cone, eps_d = max(0, -sigma_n), and its sliding rule: with l = lambda_T + mu^2 lambda_n
// G_NT / G_NN and eta = max(0, -sigma_T . l / |l|^2), eps_c is the largest of |lambda_n sigma_n|, lambda_n |sigma_T + eta l| and
// eta (mu lambda_n - |lambda_T|) lambda_n. The second is weighted by lambda_n, so that an opening contact may slide freely without a jump.
// Limits: the same three with K = {lambda >= 0}. Equalities: eps_d = |sigma|.
// Distances use Moreau: dist(x, K*) = |P_K(-x)|. Everything is finite for mu = 0. Compliance enters through sigma alone: judge with sigma
// of (G + R) lambda for the model with R, of G lambda for the rigid one.
// Reference: Le Lidec et al. 2023, section IV; De Saxce and Feng 1998.
#pragma once

#include <Eigen/Core>
#include <algorithm>

#include "sim/contact/contact_problem.h"

namespace tread {

enum class ContactLaw { kNcp, kCcp, kLcp, kRaisim };
const char* Name(ContactLaw law);

struct ContactCriteria {
  double eps_p = 0, eps_d = 0, eps_c = 0;     // largest over blocks
  double mean_p = 0, mean_d = 0, mean_c = 0;  // mean over blocks
  double signorini = 0;                       // largest |lambda_n sigma_n| [N m/s^2]
  double dissipation_angle = 0;  // largest angle between lambda_T and -sigma_T while sliding [rad]
  double worst() const { return std::max({eps_p, eps_d, eps_c}); }
};

// The judge proper.
ContactCriteria Judge(ContactLaw law, const ContactProblem& problem, const Eigen::VectorXd& lambda,
                      const Eigen::VectorXd& sigma);

// The three numbers of one Coulomb block; G_NT, G_NN matter to RaiSim's rule only.
struct BlockCriteria {
  double eps_p = 0, eps_d = 0, eps_c = 0;
};
BlockCriteria JudgeContact(ContactLaw law, double mu, const Eigen::Vector3d& lambda,
                           const Eigen::Vector3d& sigma,
                           const Eigen::Vector2d& G_NT = Eigen::Vector2d::Zero(), double G_NN = 1);

// Euclidean projections on the circular cone and on the square one (t1, t2, n); mu >= 0.
Eigen::Vector3d ProjectCircularCone(double mu, const Eigen::Vector3d& x);
Eigen::Vector3d ProjectSquareCone(double mu, const Eigen::Vector3d& x);

}  // namespace tread
