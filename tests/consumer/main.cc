// Uses an installed tread: its headers have the names they have in the repository, and its libraries link and run.
#include <iostream>

#include "sim/contact/solver_table.h"

int main() {
  const tread::SolverEntry* entry = tread::FindSolver("ncp_pgs");
  if (entry == nullptr || entry->make({}) == nullptr) {
    std::cerr << "the installed tread has no solver ncp_pgs\n";
    return 1;
  }
  std::cout << entry->name << ": " << entry->summary << "\n";
  return 0;
}
