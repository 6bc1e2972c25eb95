// Smooth seeded hills: eight plane waves times a window, see sim/terrain.h.
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "sim/terrain_parts.h"

namespace tread {
namespace {

using Eigen::Matrix2d;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eight = Eigen::Array<double, 8, 1>;  // one number per wave, four SSE2 registers

// Sines and cosines of the eight angles at one place.
struct Phasors {
  Eight sine, cosine;
};

// sin and cos by their series, for |x| <= 0.4: the terms left out are below 1e-17.
Phasors SmallAngles(const Eight& x) {
  constexpr double s3 = -1.0 / 6, s5 = 1.0 / 120, s7 = -1.0 / 5040, s9 = 1.0 / 362880, s11 = -1.0 / 39916800,
                   s13 = 1.0 / 6227020800;
  constexpr double c2 = -1.0 / 2, c4 = 1.0 / 24, c6 = -1.0 / 720, c8 = 1.0 / 40320, c10 = -1.0 / 3628800,
                   c12 = 1.0 / 479001600;
  const Eight y = x * x;
  return {x + x * y * (s3 + y * (s5 + y * (s7 + y * (s9 + y * (s11 + y * s13))))),
          1 + y * (c2 + y * (c4 + y * (c6 + y * (c8 + y * (c10 + y * c12)))))};
}

// All eight at once, to some 1e-15 while |angle| < 1e8: remainder of 2 pi (in three parts, so that its multiples are exact), series of an
// eighth of the angle, doubled three times. A fraction of the time of the library's functions, one by one.
Phasors SineCosine(const Eight& angle) {
  constexpr double kTurn[] = {0x1.921fb4p+2, 0x1.4442dp-22, 0x1.8469898cc517p-46};
  constexpr double kRound = 0x1.8p52;  // adding and subtracting it rounds to a whole number
  const Eight scaled = angle * (0.5 / std::numbers::pi) + kRound;
  const Eight turns = scaled - kRound;
  Phasors p = SmallAngles(0.125 * (((angle - turns * kTurn[0]) - turns * kTurn[1]) - turns * kTurn[2]));
  for (int doubling = 0; doubling < 3; ++doubling) {
    const Eight twice = 2 * p.sine;
    p.sine = twice * p.cosine;
    p.cosine = 1 - 0.5 * twice * twice;
  }
  return p;
}

class BumpyTerrain final : public Terrain {
 public:
  BumpyTerrain(const TerrainConfig& config, std::uint64_t seed)
      : window_{config.flat_radius, config.blend_radius} {
    std::mt19937_64 generator(seed);
    for (int i = 0; i < 8; ++i) {
      const double lambda = config.wavelength * (0.67 + (1.5 - 0.67) * ToUnit(generator()));
      const double heading = 2 * std::numbers::pi * ToUnit(generator());
      const double k = 2 * std::numbers::pi / lambda;
      kx_[i] = k * std::cos(heading);
      ky_[i] = k * std::sin(heading);
      phase_[i] = 2 * std::numbers::pi * ToUnit(generator());
    }
    const Eight k = (kx_.square() + ky_.square()).sqrt();
    largest_k_ = k.maxCoeff();
    // Peak to valley of the bare sum on a fixed 0.02 m grid over [-3, 3]^2; waves shorter than 0.1 m are coarsely sampled.
    double low = kInfinity, high = -kInfinity;
    for (int i = -150; i <= 150; ++i) {
      for (int j = -150; j <= 150; ++j) {
        const double sum = At({0.02 * i, 0.02 * j}).cosine.sum();
        low = std::min(low, sum);
        high = std::max(high, sum);
      }
    }
    scale_ = config.amplitude / (high - low);
    // |grad (w s sum)| <= s sum |k_i| + |w'| 8 s, and |w'| <= 15/8 / width
    max_slope_ = scale_ * (k.sum() + 8 * 1.875 / (config.blend_radius - config.flat_radius));
    cull_ = std::sqrt(1 + max_slope_ * max_slope_);
  }

  double Height(double x, double y) const override {
    const double w = window_.At(std::sqrt(x * x + y * y)).w;
    return w == 0 ? 0 : w * scale_ * At({x, y}).cosine.sum();
  }
  Vector3d Normal(double x, double y) const override {
    return NormalOf(Evaluate({x, y}, At({x, y})).gradient);
  }
  double max_height() const override { return scale_ * 8; }
  double max_slope() const override { return max_slope_; }

  SurfacePoint Closest(const Vector3d& c) const override {
    const Phasors start = At(c.head<2>());
    return Descend(c, start, Evaluate(c.head<2>(), start));
  }

  // As in the base class; the height that rules far spheres out is also where the search begins.
  int Touches(const Vector3d& c, double radius, double margin, int capacity, SurfacePoint* points,
              std::uint32_t* features) const override {
    const double reach = radius + margin;
    if (capacity < 1 || c.z() - max_height() >= reach) return 0;
    const Phasors start = At(c.head<2>());
    const Jet jet = Evaluate(c.head<2>(), start);
    if (!(c.z() - jet.height < reach * cull_)) return 0;
    points[0] = Descend(c, start, jet);
    features[0] = 0;
    return points[0].distance < reach ? 1 : 0;
  }

 private:
  struct Jet {
    double height = 0;
    Vector2d gradient = Vector2d::Zero();
    Matrix2d hessian = Matrix2d::Zero();
  };

  static Vector3d NormalOf(const Vector2d& gradient) {
    return Vector3d(-gradient.x(), -gradient.y(), 1).normalized();
  }

  Phasors At(const Vector2d& q) const {
    const Eight angle = kx_ * q.x() + ky_ * q.y() + phase_;
    if ((std::abs(q.x()) + std::abs(q.y())) * largest_k_ < 1e8) return SineCosine(angle);
    return {angle.sin(), angle.cos()};  // far away, or NaN
  }

  // The phasors `step` further on, by the addition theorems while every angle moves by less than 0.4.
  Phasors Moved(const Phasors& p, const Vector2d& q, const Vector2d& step) const {
    if (!(step.norm() * largest_k_ < 0.4)) return At(q + step);
    const Phasors d = SmallAngles(kx_ * step.x() + ky_ * step.y());
    return {p.sine * d.cosine + p.cosine * d.sine, p.cosine * d.cosine - p.sine * d.sine};
  }

  // Minimises |(q, h(q)) - c|^2 / 2 over q from the point below c. The Gauss-Newton matrix I + g g^T (whose first step is the projection on the
  // tangent plane) is completed by (h - c_z) h'' wherever the result stays positive definite: quadratic convergence. Steps are halved until the
  // distance falls. The last one, below 1e-7 m, needs no evaluation: its Taylor expansion is exact to 1e-12. The point found is the closest one as long
  // as c is nearer to the ground than its smallest radius of curvature.
  SurfacePoint Descend(const Vector3d& c, Phasors phasors, Jet jet) const {
    const Vector2d below = c.head<2>();
    Vector2d q = below;
    for (int iteration = 0; iteration < 50; ++iteration) {
      const double rise = jet.height - c.z();
      Vector2d step = NewtonStep(jet, q - below + rise * jet.gradient, rise);
      if (!(step.squaredNorm() > 1e-14)) {  // also ends on NaN
        q += step;
        jet.height += step.dot(jet.gradient + 0.5 * jet.hessian * step);
        jet.gradient += jet.hessian * step;
        break;
      }
      const double before = (q - below).squaredNorm() + rise * rise;
      for (int halving = 0; halving < 30; ++halving, step *= 0.5) {
        const Phasors there = Moved(phasors, q, step);
        const Jet next = Evaluate(q + step, there);
        const double next_rise = next.height - c.z();
        if (halving < 29 && !((q + step - below).squaredNorm() + next_rise * next_rise <= before)) continue;
        q += step;
        phasors = there;
        jet = next;
        break;
      }
    }
    const Vector3d point(q.x(), q.y(), jet.height), normal = NormalOf(jet.gradient);
    return {point, normal, normal.dot(c - point)};
  }

  static Vector2d NewtonStep(const Jet& jet, const Vector2d& residual, double rise) {
    const Matrix2d gauss = Matrix2d::Identity() + jet.gradient * jet.gradient.transpose();
    Matrix2d matrix = gauss + rise * jet.hessian;
    if (!(matrix.determinant() > 0.05 && matrix.trace() > 0)) matrix = gauss;
    return -(matrix.inverse() * residual);
  }

  Jet Evaluate(const Vector2d& q, const Phasors& p) const {
    Jet bare;
    const double r = q.norm();
    const Window::Value w = window_.At(r);
    if (w.w == 0 && w.d1 == 0) return bare;
    bare.height = scale_ * p.cosine.sum();
    const Eight sx = p.sine * kx_, cx = p.cosine * kx_, cy = p.cosine * ky_;
    bare.gradient = -scale_ * Vector2d(sx.sum(), (p.sine * ky_).sum());
    const double xy = (cx * ky_).sum();
    bare.hessian << (cx * kx_).sum(), xy, xy, (cy * ky_).sum();
    bare.hessian *= -scale_;
    if (w.d1 == 0 && w.d2 == 0) return bare;  // w = 1
    const Vector2d radial = q / r;            // r > flat radius >= 0 here
    const Matrix2d outer = radial * radial.transpose();
    const Vector2d dw = w.d1 * radial;
    const Matrix2d ddw = w.d2 * outer + w.d1 / r * (Matrix2d::Identity() - outer);
    Jet jet;
    jet.height = w.w * bare.height;
    jet.gradient = w.w * bare.gradient + bare.height * dw;
    jet.hessian = w.w * bare.hessian + dw * bare.gradient.transpose() + bare.gradient * dw.transpose() +
                  bare.height * ddw;
    return jet;
  }

  Window window_;
  Eight kx_, ky_, phase_;  // wave vectors [rad/m], phases [rad]
  double scale_ = 0, largest_k_ = 0, max_slope_ = 0, cull_ = 1;
};

}  // namespace

std::unique_ptr<Terrain> MakeBumpy(const TerrainConfig& config, std::uint64_t seed) {
  return std::make_unique<BumpyTerrain>(config, seed);
}

}  // namespace tread
