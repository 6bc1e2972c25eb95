// Every contact solver by name: one line each, here and nowhere else.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/contact/contact_solver.h"
#include "sim/contact/criteria.h"

namespace tread {

struct SolverEntry {
  const char* name;
  const char* summary;
  ContactLaw law;
  std::unique_ptr<ContactSolver> (*make)(const ContactSolverConfig&);
  bool peer = false;  // another library's own, called as it is: it may allocate and refuse equality rows
};

const std::vector<SolverEntry>& SolverTable();
// nullptr when there is none of that name.
const SolverEntry* FindSolver(const std::string& name);

}  // namespace tread
