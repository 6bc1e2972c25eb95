#include "control/qp/qp.h"

#include <stdexcept>

namespace tread {

std::unique_ptr<QpSolver> MakeQpSolver(const std::string& name, const QpConfig& config) {
  if (name == "osqp") return MakeOsqp(config);
  if (name == "proxqp") return MakeProxQp(config);
  throw std::invalid_argument("QP solver '" + name + "': one of osqp, proxqp");
}

}  // namespace tread
