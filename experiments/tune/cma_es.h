// CMA-ES in the unit cube: points x = m + s B D z, z ~ N(0, I), of which the better half moves the mean m, the step size s and
// the covariance C = B D^2 B'.
//
// N. Hansen, The CMA Evolution Strategy: A Tutorial, 2016, equations (38) to (48) and table 1 with its default parameters; weights of the worse
// half are zero. A point outside of the cube is drawn anew, up to twenty times, and then reflected at its faces. Ranks alone count,
// so values may be infinite; of equal values the first comes first.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <random>
#include <vector>

namespace tread {

class CmaEs {
 public:
  CmaEs(const std::vector<double>& start, double step, std::uint64_t seed);

  std::vector<std::vector<double>> Ask();        // the next generation
  void Tell(const std::vector<double>& values);  // of what was asked last

  double largest_step() const;  // standard deviation along the longest axis

 private:
  double Normal();
  Eigen::VectorXd Draw();

  Eigen::Index n_, lambda_;
  Eigen::VectorXd weights_;  // of the better half, sum 1
  double mu_eff_, c_sigma_, d_sigma_, c_c_, c_1_, c_mu_, chi_;
  Eigen::VectorXd mean_, path_sigma_, path_c_, D_;
  Eigen::MatrixXd C_, B_;
  double step_;
  long generation_ = 0;
  std::vector<Eigen::VectorXd> asked_;
  std::mt19937_64 random_;
  double spare_ = 0;
  bool has_spare_ = false;
};

}  // namespace tread
