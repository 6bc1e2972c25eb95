#include "experiments/tune/cma_es.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace tread {
namespace {

// Mirrored at 0 and 1 as often as needed.
double Reflect(double x) {
  x = std::abs(std::remainder(x, 2.0));
  return std::min(x, 1.0);
}

bool InCube(const Eigen::VectorXd& x) {
  return x.minCoeff() >= 0 && x.maxCoeff() <= 1;
}

}  // namespace

CmaEs::CmaEs(const std::vector<double>& start, double step, std::uint64_t seed)
    : n_(static_cast<Eigen::Index>(start.size())), step_(step), random_(seed) {
  const double n = static_cast<double>(n_);
  lambda_ = 4 + static_cast<Eigen::Index>(std::floor(3 * std::log(n)));
  const Eigen::Index mu = lambda_ / 2;
  weights_.resize(mu);
  for (Eigen::Index i = 0; i < mu; ++i)
    weights_[i] = std::log((static_cast<double>(lambda_) + 1) / 2) - std::log(static_cast<double>(i) + 1);
  weights_ /= weights_.sum();
  mu_eff_ = 1 / weights_.squaredNorm();

  c_sigma_ = (mu_eff_ + 2) / (n + mu_eff_ + 5);
  d_sigma_ = 1 + 2 * std::max(0.0, std::sqrt((mu_eff_ - 1) / (n + 1)) - 1) + c_sigma_;
  c_c_ = (4 + mu_eff_ / n) / (n + 4 + 2 * mu_eff_ / n);
  c_1_ = 2 / ((n + 1.3) * (n + 1.3) + mu_eff_);
  c_mu_ = std::min(1 - c_1_, 2 * (mu_eff_ - 2 + 1 / mu_eff_) / ((n + 2) * (n + 2) + mu_eff_));
  chi_ = std::sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n));  // mean of |z|

  mean_ = Eigen::Map<const Eigen::VectorXd>(start.data(), n_);
  path_sigma_ = path_c_ = Eigen::VectorXd::Zero(n_);
  D_ = Eigen::VectorXd::Ones(n_);
  C_ = B_ = Eigen::MatrixXd::Identity(n_, n_);
}

double CmaEs::Normal() {
  has_spare_ = !has_spare_;
  if (!has_spare_) return spare_;
  const auto unit = [&] { return (static_cast<double>(random_() >> 11) + 0.5) * 0x1.0p-53; };
  const double radius = std::sqrt(-2 * std::log(unit())), angle = 2 * std::numbers::pi * unit();
  spare_ = radius * std::sin(angle);
  return radius * std::cos(angle);
}

Eigen::VectorXd CmaEs::Draw() {
  Eigen::VectorXd z(n_), x;
  for (int attempt = 0; attempt < 20; ++attempt) {
    for (double& component : z) component = Normal();
    x = mean_ + step_ * (B_ * D_.cwiseProduct(z));
    if (InCube(x)) return x;
  }
  return x.unaryExpr(&Reflect);
}

std::vector<std::vector<double>> CmaEs::Ask() {
  asked_.clear();
  std::vector<std::vector<double>> points;
  for (Eigen::Index i = 0; i < lambda_; ++i) {
    asked_.push_back(Draw());
    points.emplace_back(asked_.back().begin(), asked_.back().end());
  }
  return points;
}

void CmaEs::Tell(const std::vector<double>& values) {
  ++generation_;
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });

  // mean, in units of the step
  Eigen::VectorXd move = Eigen::VectorXd::Zero(n_);
  Eigen::MatrixXd spread = Eigen::MatrixXd::Zero(n_, n_);
  for (Eigen::Index i = 0; i < weights_.size(); ++i) {
    const Eigen::VectorXd y = (asked_[order[static_cast<std::size_t>(i)]] - mean_) / step_;
    move += weights_[i] * y;
    spread += weights_[i] * y * y.transpose();
  }
  mean_ += step_ * move;

  // step size: longer where steps follow one another in one direction
  const Eigen::VectorXd whitened = B_ * (B_.transpose() * move).cwiseQuotient(D_);
  path_sigma_ = (1 - c_sigma_) * path_sigma_ + std::sqrt(c_sigma_ * (2 - c_sigma_) * mu_eff_) * whitened;
  const double length = path_sigma_.norm(), n = static_cast<double>(n_);
  const double settled = std::sqrt(1 - std::pow(1 - c_sigma_, 2 * static_cast<double>(generation_)));
  const bool slow = length / settled < (1.4 + 2 / (n + 1)) * chi_;
  step_ = std::min(1.0, step_ * std::exp(c_sigma_ / d_sigma_ * (length / chi_ - 1)));

  // covariance
  path_c_ = (1 - c_c_) * path_c_ + (slow ? std::sqrt(c_c_ * (2 - c_c_) * mu_eff_) : 0.0) * move;
  const double missing = slow ? 0 : c_c_ * (2 - c_c_);
  C_ = (1 + c_1_ * missing - c_1_ - c_mu_) * C_ + c_1_ * path_c_ * path_c_.transpose() + c_mu_ * spread;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(C_);
  B_ = eigen.eigenvectors();
  D_ = eigen.eigenvalues().cwiseMax(1e-20).cwiseSqrt();
}

double CmaEs::largest_step() const {
  return step_ * D_.maxCoeff();
}

}  // namespace tread
