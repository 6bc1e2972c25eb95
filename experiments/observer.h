// What the controller gets to see of the robot's state: the truth, or the truth with noise, bias and delay.
//
// Noise is white, Gaussian, new at every tick, and drawn before the run from its own generator (std::mt19937_64 of the seed, Box-Muller), so that a seed means the
// same on every machine and the loop itself draws nothing. Orientation noise is a small rotation about the base axes. The delay is in whole ticks.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "robots/state.h"

namespace tread {

struct ObserverConfig {
  double velocity_noise = 0;     // [m/s] standard deviation, per axis, of the base's linear velocity
  double orientation_noise = 0;  // [rad] per axis
  Eigen::Vector3d velocity_bias = Eigen::Vector3d::Zero();  // [m/s], base axes
  double delay = 0;                                         // [s]
};

class Observer {
 public:
  Observer() = default;
  Observer(const ObserverConfig& config, std::uint64_t seed, long ticks, double tick);
  // Writes what is seen at this tick; `state` is the robot's own, floating base first.
  void Observe(long tick, const State& truth, State* seen);

 private:
  ObserverConfig config_;
  std::vector<double> noise_;  // six per tick; empty without noise
  std::vector<State> ring_;    // the last states; empty without delay
  std::size_t delay_ = 0;
};

}  // namespace tread
