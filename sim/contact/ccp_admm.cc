#include "sim/contact/ccp_admm.h"

#include "sim/contact/admm.h"

namespace tread {

std::unique_ptr<ContactSolver> MakeCcpAdmm(const ContactSolverConfig& config) {
  return MakeAdmm(config, ContactLaw::kCcp);
}

}  // namespace tread
