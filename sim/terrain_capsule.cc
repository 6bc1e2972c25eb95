// Capsules on the ground: Terrain::TouchesCapsule.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "sim/terrain.h"

namespace tread {
namespace {

using Eigen::Vector3d;

constexpr int kIntervals =
    8;  // samples along the axis: an inner minimum narrower than a quarter of it may be missed
constexpr double kTie = 1e-9;    // distances closer than this are equal: parallel to a face [m]
constexpr double kPlace = 1e-9;  // of an inner minimum along the axis [m]

struct Axis {
  const Terrain& terrain;
  Vector3d a, along;  // b - a
  SurfacePoint At(double t) const { return terrain.Closest(a + t * along); }
  // d distance / dt: the gradient of the distance is the normal.
  double Slope(const SurfacePoint& p) const { return p.normal.dot(along); }
};

// First and last sample of the lowest valley that has higher ground on both sides, {0, 0} if there is none.
std::array<int, 2> FindValley(const std::array<SurfacePoint, kIntervals + 1>& samples) {
  std::array<int, 2> best{0, 0};
  for (int first = 1; first < kIntervals; ++first) {
    const auto distance = [&](int k) { return samples[static_cast<std::size_t>(k)].distance; };
    const double floor = distance(first);
    if (!(distance(first - 1) > floor + kTie)) continue;
    int last = first;
    while (last < kIntervals && std::abs(distance(last + 1) - floor) <= kTie) ++last;
    if (last == kIntervals || !(distance(last + 1) > floor + kTie)) continue;
    if (best[0] == 0 || floor < distance(best[0])) best = {first, last};
  }
  return best;
}

// Minimum next to sample t, whose neighbours `step` away on both sides are farther from the ground: regula falsi (Illinois) on the slope.
SurfacePoint Refine(const Axis& axis, double t, double step, SurfacePoint at) {
  double f0 = axis.Slope(at);
  const double side = f0 < 0 ? 1 : -1;
  // the far end of the bracket: halve until the slope there has the other sign
  double t1 = t + side * step;
  double f1 = axis.Slope(axis.At(t1));
  for (int halving = 0; halving < 20 && !(side * f1 > 0); ++halving) {
    t1 = 0.5 * (t + t1);
    f1 = axis.Slope(axis.At(t1));
  }
  const double length = axis.along.norm();
  double t0 = t;
  for (int k = 0; k < 60 && f0 != 0 && f0 * f1 < 0 && std::abs(t1 - t0) * length > kPlace; ++k) {
    const double middle = k % 8 == 7 ? 0.5 * (t0 + t1) : (t0 * f1 - t1 * f0) / (f1 - f0);
    const SurfacePoint next = axis.At(middle);
    const double f = axis.Slope(next);
    if (next.distance < at.distance) at = next;
    if (std::abs(f) < 1e-12 * length) break;
    if ((f > 0) == (f1 > 0)) {
      t1 = middle, f1 = f;
      f0 *= 0.5;
    } else {
      t0 = t1, f0 = f1;
      t1 = middle, f1 = f;
    }
  }
  return at;
}

}  // namespace

int Terrain::TouchesCapsule(const Vector3d& a, const Vector3d& b, double radius, double margin, int capacity,
                            SurfacePoint* points, std::uint32_t* features) const {
  const double reach = radius + margin;
  const Axis axis{*this, a, b - a};
  const double length = axis.along.norm();
  if (capacity < 1 || !MayTouch(a + 0.5 * axis.along, reach + 0.5 * length)) return 0;
  int count = 0;
  const auto add = [&](const SurfacePoint& p, std::uint32_t feature) {
    if (!(p.distance < reach) || count == capacity) return;
    points[count] = p;
    features[count++] = feature;
  };
  // several points where a riser and a tread meet; the feature says which end, and what of the ground
  for (std::uint32_t end = 0; end < 2; ++end) {
    SurfacePoint touches[4];
    std::uint32_t which[4];
    const int n = Touches(end == 0 ? a : b, radius, margin, 4, touches, which);
    for (int k = 0; k < n; ++k) add(touches[k], end | which[k] << 2);
  }
  // where the ground is certainly too far, one need not know how far
  std::array<SurfacePoint, kIntervals + 1> samples;
  for (int k = 0; k <= kIntervals; ++k) {
    const double t = static_cast<double>(k) / kIntervals;
    SurfacePoint& sample = samples[static_cast<std::size_t>(k)];
    sample.distance = std::numeric_limits<double>::infinity();
    if (MayTouch(a + t * axis.along, reach)) sample = axis.At(t);
  }
  const auto [first, last] = FindValley(samples);
  if (first == 0) return count;
  const double t = 0.5 * (first + last) / kIntervals;
  add(first < last ? axis.At(t) : Refine(axis, t, 1.0 / kIntervals, samples[static_cast<std::size_t>(first)]),
      2);
  return count;
}

}  // namespace tread
