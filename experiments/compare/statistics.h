// Statistics over seeds. Values that are not finite are the caller's affair; an empty sample gives nan.
#pragma once

#include <vector>

namespace tread {

double Mean(const std::vector<double>& values);
// Linear interpolation between order statistics (R's type 7). Infinite values sort last, so that times that were never reached may stand in
// the sample as infinity; between a finite and an infinite one the result is infinite.
double Quantile(std::vector<double> values, double p);
double Median(const std::vector<double>& values);

struct Interval {
  double low = 0, high = 1;
};
// Wilson's score interval for a share, 95 %: (p + z^2/2n +- z sqrt(p (1-p)/n + z^2/4n^2)) / (1 + z^2/n). [0, 1] for n = 0.
Interval WilsonInterval(int successes, int n);

// Exact McNemar test, two-sided: b pairs changed one way, c the other; under no effect b ~ Binomial(b + c, 1/2). 1 for b + c = 0.
// It is the sign test as well.
double McNemarExact(int b, int c);

// Kendall's tau-b: (concordant - discordant) / sqrt((n0 - ties in a) (n0 - ties in b)), n0 = n (n-1) / 2. nan where all of one are equal.
double KendallTauB(const std::vector<double>& a, const std::vector<double>& b);

// Least squares y = slope x + offset; nan for fewer than two different x.
double Slope(const std::vector<double>& x, const std::vector<double>& y);

}  // namespace tread
