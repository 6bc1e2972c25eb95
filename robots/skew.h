// Skew(x) y = x × y.
#pragma once

#include <Eigen/Core>

namespace tread {

inline Eigen::Matrix3d Skew(const Eigen::Vector3d& x) {
  Eigen::Matrix3d S;
  S << 0, -x[2], x[1], x[2], 0, -x[0], -x[1], x[0], 0;
  return S;
}

}  // namespace tread
