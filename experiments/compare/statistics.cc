#include "experiments/compare/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace tread {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

}  // namespace

double Mean(const std::vector<double>& values) {
  if (values.empty()) return kNan;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double Quantile(std::vector<double> values, double p) {
  if (values.empty()) return kNan;
  std::sort(values.begin(), values.end());
  const double rank = p * static_cast<double>(values.size() - 1), below = std::floor(rank);
  const double a = values[static_cast<std::size_t>(below)];
  const double b = values[static_cast<std::size_t>(std::ceil(rank))];
  return a == b || rank == below ? a : a + (rank - below) * (b - a);
}

double Median(const std::vector<double>& values) {
  return Quantile(values, 0.5);
}

Interval WilsonInterval(int successes, int n) {
  if (n == 0) return {};
  constexpr double z = 1.959963984540054;  // of the standard normal, 97.5 %
  const double count = n, p = successes / count, square = z * z / count;
  const double centre = p + square / 2, half = z * std::sqrt(p * (1 - p) / count + square / (4 * count));
  return {std::max(0.0, (centre - half) / (1 + square)), std::min(1.0, (centre + half) / (1 + square))};
}

double McNemarExact(int b, int c) {
  const int n = b + c;
  double tail = 0;  // P(X <= min(b, c)), term by term in logarithms
  for (int k = 0; k <= std::min(b, c); ++k)
    tail += std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) - n * std::log(2.0));
  return std::min(1.0, 2 * tail);
}

double KendallTauB(const std::vector<double>& a, const std::vector<double>& b) {
  double score = 0, untied_a = 0, untied_b = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = i + 1; j < a.size(); ++j) {
      const int sa = (a[i] < a[j]) - (a[j] < a[i]), sb = (b[i] < b[j]) - (b[j] < b[i]);
      score += sa * sb;
      untied_a += sa != 0;
      untied_b += sb != 0;
    }
  }
  return untied_a > 0 && untied_b > 0 ? score / std::sqrt(untied_a * untied_b) : kNan;
}

double Slope(const std::vector<double>& x, const std::vector<double>& y) {
  const double mean_x = Mean(x), mean_y = Mean(y);
  double xx = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    xy += (x[i] - mean_x) * (y[i] - mean_y);
  }
  return xx > 0 ? xy / xx : kNan;
}

}  // namespace tread
