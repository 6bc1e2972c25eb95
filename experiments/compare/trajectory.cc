#include "experiments/compare/trajectory.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "experiments/compare/statistics.h"

namespace tread {

std::string ToBytes(const Trajectory& trajectory) {
  std::vector<double> numbers{trajectory.period};
  for (std::size_t i = 0; i < trajectory.size(); ++i) {
    const Eigen::Vector3d& p = trajectory.position[i];
    const Eigen::Vector2d& v = trajectory.velocity[i];
    numbers.insert(numbers.end(), {p.x(), p.y(), p.z(), v.x(), v.y()});
  }
  std::string bytes(numbers.size() * sizeof(double), '\0');
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

Trajectory FromBytes(const std::string& bytes) {
  std::vector<double> numbers(bytes.size() / sizeof(double));
  std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(double));
  Trajectory trajectory;
  if (!numbers.empty()) trajectory.period = numbers[0];
  for (std::size_t i = 1; i + 5 <= numbers.size(); i += 5) {
    trajectory.position.emplace_back(numbers[i], numbers[i + 1], numbers[i + 2]);
    trajectory.velocity.emplace_back(numbers[i + 3], numbers[i + 4]);
  }
  return trajectory;
}

void TrajectoryRecorder::Add(const ClosedLoop& loop, const TickLog* row) {
  if (every_ == 0) {
    every_ = std::max(1L, std::lround(trajectory_.period / loop.tick_duration()));
    trajectory_.period = static_cast<double>(every_) * loop.tick_duration();
    if (row != nullptr) {
      const auto& columns = row->columns();
      const auto found = std::find(columns.begin(), columns.end(), "base.gvx");
      if (found != columns.end()) velocity_column_ = static_cast<int>(found - columns.begin());
    }
  }
  if (++tick_ % every_ != 0) return;
  const Robot& first = *loop.simulator().scene().systems[0];
  const auto at = static_cast<std::size_t>(std::max(0, velocity_column_));
  trajectory_.position.push_back(first.poses()[0].p);
  trajectory_.velocity.push_back(velocity_column_ >= 0 ? Eigen::Vector2d(row->row()[at], row->row()[at + 1])
                                                       : first.velocities()[0].linear.head<2>().eval());
}

std::vector<double> Distances(const Trajectory& a, const Trajectory& b) {
  std::vector<double> distances(std::min(a.size(), b.size()));
  for (std::size_t i = 0; i < distances.size(); ++i) distances[i] = (a.position[i] - b.position[i]).norm();
  return distances;
}

double VelocityDifference(const Trajectory& a, const Trajectory& b) {
  const std::size_t n = std::min(a.size(), b.size());
  double squares = 0;
  for (std::size_t i = 0; i < n; ++i) squares += (a.velocity[i] - b.velocity[i]).squaredNorm();
  return n > 0 ? std::sqrt(squares / static_cast<double>(n)) : std::numeric_limits<double>::quiet_NaN();
}

double TimeToThreshold(const std::vector<double>& distances, double period, double threshold) {
  for (std::size_t i = 0; i < distances.size(); ++i) {
    if (distances[i] > threshold) return static_cast<double>(i + 1) * period;
  }
  return std::numeric_limits<double>::infinity();
}

double DivergenceRate(const std::vector<double>& distances, double period, double low, double high) {
  std::vector<double> t, log_distance;
  for (std::size_t i = 0; i < distances.size() && distances[i] <= high; ++i) {
    if (distances[i] < low) continue;
    t.push_back(static_cast<double>(i + 1) * period);
    log_distance.push_back(std::log(distances[i]));
  }
  if (t.size() < 10) return std::numeric_limits<double>::quiet_NaN();
  const double slope = Slope(t, log_distance), grown = log_distance.back() - log_distance.front();
  return grown < std::log(10.0) || slope <= 0 ? std::numeric_limits<double>::quiet_NaN() : slope;
}

}  // namespace tread
