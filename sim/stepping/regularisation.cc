#include "sim/stepping/regularisation.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tread {
namespace {

// A smooth step from dmin to dmax: two parabolas that meet in the middle.
double Impedance(const RegularisationConfig& config, double gap) {
  const double x = std::min(1.0, -std::min(0.0, gap) / config.width);
  const double y = x <= 0.5 ? 2 * x * x : 1 - 2 * (1 - x) * (1 - x);
  return config.dmin + y * (config.dmax - config.dmin);
}

SoftContact SoftenMujoco(const RegularisationConfig& config, double gap, const Eigen::Vector3d& v,
                         const double* G, double dt) {
  const double d = Impedance(config, gap), T = std::max(config.time_constant, 2 * dt);
  const double b = 2 / (config.dmax * T);
  const double k = 1 / std::pow(config.dmax * T * config.damping_ratio, 2);
  SoftContact soft;
  soft.R[2] = (1 - d) / d * G[8];
  soft.R[0] = soft.R[1] = soft.R[2] / config.impratio;
  soft.target = (1 / dt - b) * v;
  soft.target[2] -= k * d * gap;
  return soft;
}

SoftContact SoftenDrake(const RegularisationConfig& config, double gap, const double* G, double stiffness,
                        double damping, double dt) {
  const double w = Eigen::Map<const Eigen::Matrix3d>(G).norm() / 3;
  const double tau = stiffness > 0 ? damping / stiffness : config.tau;
  SoftContact soft;
  soft.R[2] = std::pow(config.beta / (2 * std::numbers::pi), 2) * w;
  if (stiffness > 0) soft.R[2] = std::max(soft.R[2], 1 / (dt * stiffness * (dt + tau)));
  soft.R[0] = soft.R[1] = 1e-3 * w;
  soft.target[2] = -gap / ((dt + tau) * dt);
  return soft;
}

}  // namespace

SoftContact Soften(const RegularisationConfig& config, double gap, const Eigen::Vector3d& v, const double* G,
                   double stiffness, double damping, double dt) {
  SoftContact soft = config.model == Regularisation::kMujoco
                         ? SoftenMujoco(config, gap, v, G, dt)
                         : SoftenDrake(config, gap, G, stiffness, damping, dt);
  if (gap > 0) soft.target = {0, 0, -gap / (dt * dt)};
  return soft;
}

}  // namespace tread
