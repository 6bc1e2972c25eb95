#include "sim/contact/criteria.h"

#include <cmath>

namespace tread {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

BlockCriteria JudgeRaisim(double mu, const Vector3d& lambda, const Vector3d& sigma, const Vector2d& G_NT,
                          double G_NN) {
  const double n = std::max(0.0, lambda.z());
  const Vector2d lambda_T = lambda.head<2>(), sigma_T = sigma.head<2>();
  const Vector2d l = lambda_T + mu * mu * n / G_NN * G_NT;
  const double l2 = l.squaredNorm();
  const double eta = l2 > 0 ? std::max(0.0, -sigma_T.dot(l) / l2) : 0.0;
  const double slack = std::max(0.0, mu * n - lambda_T.norm());
  BlockCriteria c;
  c.eps_p = (lambda - ProjectCircularCone(mu, lambda)).norm();
  c.eps_d = std::max(0.0, -sigma.z());
  c.eps_c = std::max({std::abs(lambda.z() * sigma.z()), n * (sigma_T + eta * l).norm(), eta * slack * n});
  return c;
}

}  // namespace

const char* Name(ContactLaw law) {
  switch (law) {
    case ContactLaw::kNcp:
      return "ncp";
    case ContactLaw::kCcp:
      return "ccp";
    case ContactLaw::kLcp:
      return "lcp";
    case ContactLaw::kRaisim:
      return "raisim";
  }
  return "";
}

Vector3d ProjectCircularCone(double mu, const Vector3d& x) {
  const double t = x.head<2>().norm(), n = x.z();
  if (n >= 0 && t <= mu * n) return x;
  if (mu * t <= -n) return Vector3d::Zero();
  // On the boundary ray (mu, 1) / sqrt(1 + mu^2) of the half plane spanned by x_T and n.
  const double n_p = (mu * t + n) / (1 + mu * mu);
  Vector3d p(0, 0, n_p);
  if (t > 0) p.head<2>() = x.head<2>() * (mu * n_p / t);
  return p;
}

Vector3d ProjectSquareCone(double mu, const Vector3d& x) {
  // minimise (s - n)^2 + sum_i max(0, |t_i| - mu s)^2 over s >= 0: a component is clamped while |t_i| > mu s.
  const double a = std::max(std::abs(x[0]), std::abs(x[1])), b = std::min(std::abs(x[0]), std::abs(x[1]));
  double s = x.z();
  if (a > mu * s) s = (x.z() + mu * a) / (1 + mu * mu);
  if (b > mu * s) s = (x.z() + mu * (a + b)) / (1 + 2 * mu * mu);
  s = std::max(0.0, s);
  return {std::clamp(x[0], -mu * s, mu * s), std::clamp(x[1], -mu * s, mu * s), s};
}

BlockCriteria JudgeContact(ContactLaw law, double mu, const Vector3d& lambda, const Vector3d& sigma,
                           const Vector2d& G_NT, double G_NN) {
  if (law == ContactLaw::kRaisim) return JudgeRaisim(mu, lambda, sigma, G_NT, G_NN);
  if (law == ContactLaw::kNcp) return JudgeNcpContact(mu, lambda.data(), sigma.data());
  Vector3d shifted = sigma;
  if (law == ContactLaw::kCcp) {
    return {CircularConeDistance(mu, lambda.head<2>().norm(), lambda.z()),
            ProjectCircularCone(mu, -shifted).norm(), std::abs(lambda.dot(shifted))};
  }
  shifted.z() += mu * sigma.head<2>().lpNorm<1>();
  return {(lambda - ProjectSquareCone(mu, lambda)).norm(), ProjectSquareCone(mu, -shifted).norm(),
          std::abs(lambda.dot(shifted))};
}

ContactCriteria Judge(ContactLaw law, const ContactProblem& problem, const Eigen::VectorXd& lambda,
                      const Eigen::VectorXd& sigma) {
  ContactCriteria total;
  for (int i = 0; i < problem.block_count(); ++i) {
    const int o = problem.G.offset(i);
    BlockCriteria c;
    switch (problem.types[static_cast<std::size_t>(i)]) {
      case BlockType::kCoulomb: {
        const Vector3d l = lambda.segment<3>(o), s = sigma.segment<3>(o);
        const auto G = problem.G.Diagonal(i);
        const double mu = problem.mu[i];
        c = JudgeContact(law, mu, l, s, Vector2d(G(0, 2), G(1, 2)), G(2, 2));
        total.signorini = std::max(total.signorini, std::abs(l.z() * s.z()));
        const double lt = l.head<2>().norm(), st = s.head<2>().norm();
        if (l.z() > 0 && st > 1e-9 && lt > 0) {
          const double cosine = std::clamp(-l.head<2>().dot(s.head<2>()) / (lt * st), -1.0, 1.0);
          total.dissipation_angle = std::max(total.dissipation_angle, std::acos(cosine));
        }
        break;
      }
      case BlockType::kLimit:
        c = JudgeLimit(lambda[o], sigma[o]);
        total.signorini = std::max(total.signorini, c.eps_c);
        break;
      case BlockType::kEquality:
        c.eps_d = sigma.segment(o, problem.G.size(i)).norm();
        break;
    }
    total.eps_p = std::max(total.eps_p, c.eps_p);
    total.eps_d = std::max(total.eps_d, c.eps_d);
    total.eps_c = std::max(total.eps_c, c.eps_c);
    total.mean_p += c.eps_p / problem.block_count();
    total.mean_d += c.eps_d / problem.block_count();
    total.mean_c += c.eps_c / problem.block_count();
  }
  return total;
}

}  // namespace tread
