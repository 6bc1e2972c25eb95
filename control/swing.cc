#include "control/swing.h"

#include <algorithm>

namespace tread {

void Swing::LiftOff(const Eigen::Vector3d& p) {
  reference_ = {p, Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero()};
  start_height_ = p.z();
  target_ = p;
}

const FootReference& Swing::Update(double elapsed, double duration, double tick,
                                   const Eigen::Vector3d& target) {
  const double left = duration - elapsed;  // at the start of the tick
  if (left > config_.lock || elapsed <= 0) target_ = target;
  FootReference& r = reference_;
  if (left > tick) {
    // the quintic from here to the target, one tick along it
    const double T = left, t = tick;
    for (int i = 0; i < 2; ++i) {
      const double D = target_[i] - r.p[i], v = r.v[i], a = r.a[i];
      const double c3 = (20 * D - 12 * v * T - 3 * a * T * T) / (2 * T * T * T);
      const double c4 = (-30 * D + 16 * v * T + 3 * a * T * T) / (2 * T * T * T * T);
      const double c5 = (12 * D - 6 * v * T - a * T * T) / (2 * T * T * T * T * T);
      r.p[i] += t * (v + t * (a / 2 + t * (c3 + t * (c4 + t * c5))));
      r.v[i] = v + t * (a + t * (3 * c3 + t * (4 * c4 + t * 5 * c5)));
      r.a[i] = a + t * (6 * c3 + t * (12 * c4 + t * 20 * c5));
    }
  } else {
    r.p.head<2>() = target_.head<2>();
    r.v.head<2>().setZero();
    r.a.head<2>().setZero();
  }
  const double s = std::clamp((elapsed + tick) / duration, 0.0, 1.0), u = 1 - s,
               rise = target_.z() - start_height_;
  const double bell = 64 * config_.apex;
  r.p.z() = start_height_ + rise * s * s * s * (10 + s * (-15 + 6 * s)) + bell * s * s * s * u * u * u;
  r.v.z() = (rise * 30 * s * s * u * u + bell * 3 * s * s * u * u * (1 - 2 * s)) / duration;
  r.a.z() =
      (rise * 60 * s * u * (1 - 2 * s) + bell * 6 * s * u * (1 - 5 * s + 5 * s * s)) / (duration * duration);
  return r;
}

}  // namespace tread
