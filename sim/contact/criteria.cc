#include "sim/contact/criteria.h"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <numbers>

namespace tread {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr double kSliding = 1e-4;     // see dissipation_angle
constexpr double kNullSpace = 1e-10;  // see InternalForce

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
  c.eps_c = std::abs(lambda.z() * sigma.z());
  // without friction l vanishes, and with it the rule: slip is free
  if (mu > 0) c.eps_c = std::max({c.eps_c, n * (sigma_T + eta * l).norm(), eta * slack * n});
  return c;
}

// The larger one; a NaN stays, so that broken forces never look good.
double Larger(double value, double so_far) {
  return !(value > so_far) && value == value ? so_far : value;
}

// Signorini, friction cone, and maximum dissipation where the contact slides.
void AddParts(double mu, const Vector3d& lambda, const Vector3d& sigma, const ProblemScale& scale,
              ContactCriteria* total) {
  const Vector2d friction = lambda.head<2>(), slip = sigma.head<2>();
  const double limit = mu * std::max(0.0, lambda.z()), strength = friction.norm();
  total->signorini = Larger(std::abs(lambda.z() * sigma.z()), total->signorini);
  total->friction_cone = std::max(total->friction_cone, strength - limit);
  if (!(slip.norm() > kSliding * scale.velocity && limit > kSliding * scale.force)) return;
  double angle = 0.5 * std::numbers::pi;  // no friction force to speak of: it dissipates nothing
  if (strength > kSliding * limit) {
    const double across = friction.x() * slip.y() - friction.y() * slip.x();
    angle = std::atan2(std::abs(across), -friction.dot(slip));
  }
  total->dissipation_angle = std::max(total->dissipation_angle, angle);
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

ContactCriteria Judge(ContactLaw law, const ContactProblem& problem, const RowVector& lambda,
                      const RowVector& sigma) {
  ContactCriteria total;
  const ProblemScale scale = ComputeScale(problem);
  for (int i = 0; i < problem.block_count(); ++i) {
    const int o = problem.G.offset(i);
    BlockCriteria c;
    switch (problem.types[static_cast<std::size_t>(i)]) {
      case BlockType::kCoulomb: {
        const Vector3d l = lambda.segment<3>(o), s = sigma.segment<3>(o);
        const double* G = problem.G.diagonal_data(i);
        c = JudgeContact(law, problem.mu[i], l, s, Vector2d(G[6], G[7]), G[8] + problem.R[o + 2]);
        AddParts(problem.mu[i], l, s, scale, &total);
        break;
      }
      case BlockType::kLimit:
        c = JudgeLimit(lambda[o], sigma[o]);
        total.signorini = Larger(c.eps_c, total.signorini);
        break;
      case BlockType::kEquality:
        c.eps_d = sigma.segment(o, problem.G.size(i)).norm();
        break;
    }
    total.eps_p = Larger(c.eps_p, total.eps_p);
    total.eps_d = Larger(c.eps_d, total.eps_d);
    total.eps_c = Larger(c.eps_c, total.eps_c);
    total.mean_p += c.eps_p;
    total.mean_d += c.eps_d;
    total.mean_c += c.eps_c;
  }
  const double count = std::max(1, problem.block_count());
  total.mean_p /= count;
  total.mean_d /= count;
  total.mean_c /= count;
  return total;
}

double InternalForce(const ContactProblem& problem, const RowVector& lambda) {
  if (problem.rows() == 0) return 0;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(problem.G.ToDense());
  const double limit = kNullSpace * eigen.eigenvalues().cwiseAbs().maxCoeff();
  double square = 0;
  for (int k = 0; k < problem.rows(); ++k) {
    if (eigen.eigenvalues()[k] > limit) break;  // they come in rising order
    const double part = eigen.eigenvectors().col(k).dot(lambda);
    square += part * part;
  }
  return std::sqrt(square);
}

}  // namespace tread
