#include "sim/contact/solver_table.h"

#include "sim/contact/ccp_newton.h"
#include "sim/contact/ncp_newton.h"
#include "sim/contact/ncp_pgs.h"

namespace tread {

const std::vector<SolverEntry>& SolverTable() {
  static const std::vector<SolverEntry> table = {
      {"ccp_newton", "primal Newton with exact line search, as MuJoCo and Drake", ContactLaw::kCcp,
       MakeCcpNewton},
      {"ncp_pgs", "projected Gauss-Seidel on the exact law", ContactLaw::kNcp, MakeNcpPgs},
      {"ncp_newton", "semismooth Newton on the exact law: the accuracy reference", ContactLaw::kNcp,
       MakeNcpNewton},
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
