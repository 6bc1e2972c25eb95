// Numbers of a run, gathered tick by tick and reduced at its end.
//
// Errors are measured minus commanded. Room for all ticks is reserved at the start, so adding does not allocate.
#pragma once

#include <cstddef>
#include <vector>

namespace tread {

class Series {
 public:
  void Reserve(std::size_t n) { values_.reserve(n); }
  void Add(double x) { values_.push_back(x); }
  bool empty() const { return values_.empty(); }
  const std::vector<double>& values() const { return values_; }

  double mean() const;
  double rms() const;
  double max() const;
  double sum() const;
  // Smallest value that at least the share p of all values does not exceed.
  double percentile(double p) const;

 private:
  std::vector<double> values_;
};

// Mean of the last `window` values: the velocity over one gait period.
class MovingMean {
 public:
  explicit MovingMean(int window = 1) : ring_(static_cast<std::size_t>(window), 0.0) {}
  double Add(double x);  // mean over what has been seen, at most the window
  bool full() const { return count_ >= ring_.size(); }

 private:
  std::vector<double> ring_;
  std::size_t next_ = 0, count_ = 0;
  double sum_ = 0;  // taken anew once per round, so that rounding errors do not pile up
};

}  // namespace tread
