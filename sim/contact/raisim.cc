#include "sim/contact/raisim.h"

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "sim/contact/gauss_seidel.h"

namespace tread {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr double kLeastAlpha = 0.7, kDecay = 0.99;
constexpr int kDirections = 8, kSearch = 60;

class RaisimRule {
 public:
  static constexpr ContactLaw kLaw = ContactLaw::kRaisim;
  struct Contact {
    double mu;
    bool movable;  // A has an inverse to speak of
    Matrix3d A, inverse;
  };

  explicit RaisimRule(const ContactSolverConfig&) {}

  void BeginSweep(int k) { alpha_ = k == 1 ? 1 : kDecay * alpha_ + (1 - kDecay) * kLeastAlpha; }

  bool Prepare(const double* A, double mu, Contact* contact) const {
    contact->mu = mu;
    contact->A = Eigen::Map<const Matrix3d>(A);
    contact->movable = A[8] > 0;
    bool invertible = false;
    contact->A.computeInverseWithCheck(contact->inverse, invertible,
                                       1e-14 * std::pow(contact->A.trace() / 3, 3));
    if (!invertible) contact->inverse.setConstant(std::nan(""));  // never sticks by the formula
    return true;
  }

  void Update(const Contact& contact, const double* old, const double* sigma, double* next) const {
    const Eigen::Map<const Vector3d> l(old), s(sigma);
    Eigen::Map<Vector3d> out(next);
    out = contact.movable ? Vector3d(l + alpha_ * (Exact(contact, s - contact.A * l) - l)) : Vector3d(l);
  }

 private:
  static Vector3d Exact(const Contact& contact, const Vector3d& b) {
    if (b.z() >= 0) return Vector3d::Zero();
    if (contact.mu == 0) return {0, 0, -b.z() / contact.A(2, 2)};
    const Vector3d stick = -contact.inverse * b;
    if (stick.head<2>().norm() <= contact.mu * stick.z()) return stick;
    return Slide(contact, b);
  }

  // The point of the curve in direction u; z <= 0 where there is none.
  static Vector3d OnCurve(const Contact& contact, const Vector3d& b, const Vector2d& u) {
    const double n = -b.z() / (contact.A(2, 2) + contact.mu * contact.A.block<1, 2>(2, 0).dot(u));
    return {contact.mu * n * u.x(), contact.mu * n * u.y(), n};
  }

  static double Cost(const Contact& contact, const Vector3d& b, const Vector3d& l) {
    return l.z() > 0 ? l.dot(0.5 * contact.A * l + b) : HUGE_VAL;
  }

  // Derivative of the cost along the curve: sigma_T . d lambda_T / d theta, because sigma_n = 0 there.
  static double Slope(const Contact& contact, const Vector3d& b, double theta) {
    const Vector2d u(std::cos(theta), std::sin(theta)), across(-u.y(), u.x());
    const Vector3d l = OnCurve(contact, b, u);
    const Vector2d coupling = contact.A.block<2, 1>(0, 2);
    const double dn = l.z() * l.z() / b.z() * contact.mu * coupling.dot(across);
    const Vector2d change = contact.mu * (dn * u + l.z() * across);
    const Vector2d sigma = contact.A.topRows<2>() * l + b.head<2>();
    return sigma.dot(change);
  }

  static Vector3d Slide(const Contact& contact, const Vector3d& b) {
    constexpr double kStep = 2 * std::numbers::pi / kDirections;
    const double first = std::atan2(-b.y(), -b.x());  // against the free slip
    double best = HUGE_VAL, middle = first;
    for (int k = 0; k < kDirections; ++k) {
      const double theta = first + k * kStep;
      const double cost = Cost(contact, b, OnCurve(contact, b, {std::cos(theta), std::sin(theta)}));
      if (cost < best) best = cost, middle = theta;
    }
    double low = middle - kStep, high = middle + kStep;
    // Illinois' regula falsi; where the ends do not bracket a root (no force in that direction), bisection on the sign alone
    double slope_low = Slope(contact, b, low), slope_high = Slope(contact, b, high), theta = middle;
    int side = 0;
    for (int k = 0; k < kSearch && high - low > 1e-15; ++k) {
      const bool bracket = slope_low < 0 && slope_high > 0;
      theta = bracket ? (low * slope_high - high * slope_low) / (slope_high - slope_low) : 0.5 * (low + high);
      const double slope = Slope(contact, b, theta);
      if (slope == 0) break;
      if (slope < 0) {
        low = theta, slope_low = slope;
        if (side == -1) slope_high *= 0.5;
        side = -1;
      } else {
        high = theta, slope_high = slope;
        if (side == 1) slope_low *= 0.5;
        side = 1;
      }
    }
    const Vector3d l = OnCurve(contact, b, {std::cos(theta), std::sin(theta)});
    return l.z() > 0 ? l : Vector3d(0, 0, -b.z() / contact.A(2, 2));
  }

  double alpha_ = 1;
};

}  // namespace

std::unique_ptr<ContactSolver> MakeRaisim(const ContactSolverConfig& config) {
  return std::make_unique<GaussSeidel<RaisimRule>>(config);
}

}  // namespace tread
