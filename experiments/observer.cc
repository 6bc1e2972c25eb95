#include "experiments/observer.h"

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <random>

namespace tread {

Observer::Observer(const ObserverConfig& config, std::uint64_t seed, long ticks, double tick)
    : config_(config), delay_(static_cast<std::size_t>(std::lround(config.delay / tick))) {
  if (config.velocity_noise > 0 || config.orientation_noise > 0) {
    std::mt19937_64 generator(seed ^ 0x6f62736572766572ull);  // apart from the ground's
    const auto unit = [&] { return (static_cast<double>(generator() >> 11) + 0.5) * 0x1.0p-53; };
    noise_.resize(static_cast<std::size_t>(6 * ticks));
    for (std::size_t i = 0; i + 1 < noise_.size(); i += 2) {
      const double radius = std::sqrt(-2 * std::log(unit())), angle = 2 * std::numbers::pi * unit();
      noise_[i] = radius * std::cos(angle);
      noise_[i + 1] = radius * std::sin(angle);
    }
  }
  if (delay_ > 0) ring_.resize(delay_ + 1);
}

void Observer::Observe(long tick, const State& truth, State* seen) {
  const State* source = &truth;
  if (delay_ > 0) {
    const auto now = static_cast<std::size_t>(tick);
    ring_[now % ring_.size()] = truth;
    source = &ring_[(now < delay_ ? 0 : now - delay_) % ring_.size()];
  }
  *seen = *source;
  if (seen->v.size() < 6 || seen->q.size() < 7) return;
  seen->v.head<3>() += config_.velocity_bias;
  const auto at = static_cast<std::size_t>(6 * tick);
  if (at + 6 > noise_.size()) return;
  const Eigen::Map<const Eigen::Vector3d> linear(noise_.data() + at), angular(noise_.data() + at + 3);
  seen->v.head<3>() += config_.velocity_noise * linear;
  Eigen::Quaterniond q(seen->q[6], seen->q[3], seen->q[4], seen->q[5]);
  const Eigen::Vector3d turn = 0.5 * config_.orientation_noise * angular;
  q = (q * Eigen::Quaterniond(1, turn.x(), turn.y(), turn.z())).normalized();
  seen->q.segment<4>(3) = q.coeffs();
}

}  // namespace tread
