// Pinocchio's contact solvers by plain calls, without our adapter around them: what the adapter (sim/contact/pinocchio_solvers.h) is measured against.
#pragma once

#include <memory>
#include <string>

#include "sim/contact/contact_problem.h"

namespace tread {

// A problem of contacts alone, converted beforehand, and one cold call at a time.
class BareSolver {
 public:
  virtual ~BareSolver() = default;
  // From zero forces, at the library's own tolerance, no relative stop; what a user would have to call, set-up included. Returns us.
  virtual double Call(double tolerance, RowVector* lambda) = 0;
};

// name: pinocchio_pgs or pinocchio_admm. Throws std::invalid_argument for any other, and for rows that are no contacts.
std::unique_ptr<BareSolver> MakeBareSolver(const std::string& name, const ContactProblem& problem);

}  // namespace tread
