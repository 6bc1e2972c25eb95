#include "sim/contact/contact_solver.h"

namespace tread {

const char* Name(SolveStatus status) {
  switch (status) {
    case SolveStatus::kConverged:
      return "converged";
    case SolveStatus::kMaxIterations:
      return "max_iterations";
    case SolveStatus::kStalled:
      return "stalled";
    case SolveStatus::kFailed:
      return "failed";
  }
  return "";
}

}  // namespace tread
