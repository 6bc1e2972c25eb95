// Where a run went, at a coarse rate, and how far two runs are from each other.
//
// Two runs are compared sample by sample over the time both lasted; all measures of a pair are functions of the two trajectories alone.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "experiments/closed_loop.h"
#include "experiments/tick_log.h"

namespace tread {

struct Trajectory {
  double period = 0.01;  // [s] between samples; sample i is at (i + 1) period
  std::vector<Eigen::Vector3d>
      position;  // [m] of the base (of the first body in a scene without robots), world axes
  std::vector<Eigen::Vector2d>
      velocity;  // [m/s] vx, vy in heading axes, mean over a gait period; world axes, no mean, without a robot

  std::size_t size() const { return position.size(); }
  double time(std::size_t i) const { return static_cast<double>(i + 1) * period; }
};

// As doubles in native order, for a pipe between processes of one program: the period, then five numbers per sample.
std::string ToBytes(const Trajectory& trajectory);
Trajectory FromBytes(const std::string& bytes);

// Takes a sample every 10 ms (or every tick where those are longer) out of a run; as RunHooks::after_tick, or with a null row for the position alone.
class TrajectoryRecorder {
 public:
  explicit TrajectoryRecorder(double period = 0.01) { trajectory_.period = period; }
  void Add(const ClosedLoop& loop, const TickLog* row);
  const Trajectory& trajectory() const { return trajectory_; }

 private:
  Trajectory trajectory_;
  long tick_ = 0, every_ = 0;
  int velocity_column_ = -1;
};

// |p_a - p_b| [m] at every common sample.
std::vector<double> Distances(const Trajectory& a, const Trajectory& b);

// Root mean square over the common samples of |v_a - v_b| [m/s]; nan when there are none.
double VelocityDifference(const Trajectory& a, const Trajectory& b);

// [s] of the first sample with a distance above the threshold; infinity when there is none.
double TimeToThreshold(const std::vector<double>& distances, double period, double threshold);

// Divergence rate [1/s]: the slope of log(distance) over time by least squares over the early part, which is every sample between
// `low` and `high` [m] before `high` is first exceeded. Below `low` it is rounding, above `high` two runs are on different ground and no
// longer near each other. nan for fewer than 10 such samples, or where they span less than a factor of 10: nothing diverged.
double DivergenceRate(const std::vector<double>& distances, double period, double low = 1e-9,
                      double high = 1e-2);

}  // namespace tread
