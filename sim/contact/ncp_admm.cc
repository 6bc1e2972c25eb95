#include "sim/contact/ncp_admm.h"

#include "sim/contact/admm.h"

namespace tread {

std::unique_ptr<ContactSolver> MakeNcpAdmm(const ContactSolverConfig& config) {
  return MakeAdmm(config, ContactLaw::kNcp);
}

}  // namespace tread
