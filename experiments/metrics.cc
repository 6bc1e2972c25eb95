#include "experiments/metrics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tread {

double Series::sum() const {
  return std::accumulate(values_.begin(), values_.end(), 0.0);
}

double Series::mean() const {
  return values_.empty() ? 0 : sum() / static_cast<double>(values_.size());
}

double Series::rms() const {
  double squares = 0;
  for (const double x : values_) squares += x * x;
  return values_.empty() ? 0 : std::sqrt(squares / static_cast<double>(values_.size()));
}

double Series::max() const {
  return values_.empty() ? 0 : *std::max_element(values_.begin(), values_.end());
}

double Series::percentile(double p) const {
  if (values_.empty()) return 0;
  std::vector<double> sorted = values_;
  const double rank = std::ceil(p * static_cast<double>(sorted.size())) - 1;
  const auto index =
      static_cast<std::ptrdiff_t>(std::clamp(rank, 0.0, static_cast<double>(sorted.size() - 1)));
  std::nth_element(sorted.begin(), sorted.begin() + index, sorted.end());
  return sorted[static_cast<std::size_t>(index)];
}

double MovingMean::Add(double x) {
  sum_ += x - ring_[next_];
  ring_[next_] = x;
  next_ = (next_ + 1) % ring_.size();
  count_ = std::min(count_ + 1, ring_.size());
  if (next_ == 0) sum_ = std::accumulate(ring_.begin(), ring_.end(), 0.0);
  return sum_ / static_cast<double>(count_);
}

}  // namespace tread
