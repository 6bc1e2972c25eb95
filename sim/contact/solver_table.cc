#include "sim/contact/solver_table.h"

#include "sim/contact/ccp_admm.h"
#include "sim/contact/ccp_newton.h"
#include "sim/contact/ccp_pgs.h"
#include "sim/contact/lcp_lemke.h"
#include "sim/contact/lcp_pgs.h"
#include "sim/contact/lcp_staggered.h"
#include "sim/contact/ncp_admm.h"
#include "sim/contact/ncp_bgs.h"
#include "sim/contact/ncp_newton.h"
#include "sim/contact/ncp_pgs.h"
#include "sim/contact/ncp_staggered.h"
#include "sim/contact/pinocchio_solvers.h"
#include "sim/contact/raisim.h"

namespace tread {

const std::vector<SolverEntry>& SolverTable() {
  static const std::vector<SolverEntry> table = {
      {"lcp_lemke", "direct pivoting, square pyramid", ContactLaw::kLcp, MakeLcpLemke},
      {"lcp_pgs", "projected Gauss-Seidel on the square pyramid", ContactLaw::kLcp, MakeLcpPgs},
      {"lcp_staggered", "normal and friction problems in turn, square pyramid", ContactLaw::kLcp,
       MakeLcpStaggered},
      {"ccp_pgs", "projected Gauss-Seidel on the convex relaxation", ContactLaw::kCcp, MakeCcpPgs},
      {"ccp_admm", "ADMM on the convex relaxation", ContactLaw::kCcp, MakeCcpAdmm},
      {"ccp_newton", "primal Newton with exact line search, as MuJoCo and Drake", ContactLaw::kCcp,
       MakeCcpNewton},
      {"raisim", "RaiSim's rule: exact per contact, on the curve of no opening", ContactLaw::kRaisim,
       MakeRaisim},
      {"ncp_pgs", "projected Gauss-Seidel on the exact law", ContactLaw::kNcp, MakeNcpPgs},
      {"ncp_bgs", "block Gauss-Seidel on the exact law, exact contact solves", ContactLaw::kNcp, MakeNcpBgs},
      {"ncp_staggered", "normal and friction problems in turn", ContactLaw::kNcp, MakeNcpStaggered},
      {"ncp_admm", "ADMM with the De Saxce shift on the exact law", ContactLaw::kNcp, MakeNcpAdmm},
      {"ncp_newton", "semismooth Newton on the exact law: the accuracy reference", ContactLaw::kNcp,
       MakeNcpNewton},
      {"pinocchio_pgs", "peer: the projected Gauss-Seidel that ships with Pinocchio", ContactLaw::kNcp,
       MakePinocchioPgs, true},
      {"pinocchio_admm", "peer: the ADMM that ships with Pinocchio", ContactLaw::kNcp, MakePinocchioAdmm,
       true},
  };
  return table;
}

const SolverEntry* FindSolver(const std::string& name) {
  for (const SolverEntry& entry : SolverTable()) {
    if (name == entry.name) return &entry;
  }
  return nullptr;
}

}  // namespace tread
