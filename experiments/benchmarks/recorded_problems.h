// Contact problems for the solver benchmarks, recorded by running the shipped experiments; made once, on first use.
#pragma once

#include <vector>

#include "sim/contact/contact_problem.h"

namespace tread {

// A problem and the one of the step before, which has the same contacts: its forces are the warm start.
struct RecordedProblem {
  ContactProblem before, problem;
};

// Solo-12 standing, trotting on the flat, and trotting over slippery bumps: 110 of each.
const std::vector<RecordedProblem>& Solo12Problems();

// Boxes, spheres and capsules that have fallen on a heap, as many of them; what step 800 asks.
const ContactProblem& PileProblem(int bodies);

}  // namespace tread
