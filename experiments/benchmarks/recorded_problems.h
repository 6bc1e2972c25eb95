// Contact problems for the solver benchmarks, recorded by running the shipped experiments; made once, on first use.
#pragma once

#include <string>
#include <vector>

#include "sim/contact/contact_problem.h"

namespace tread {

// A problem and the one of the step before, which has the same contacts: its forces are the warm start.
struct RecordedProblem {
  ContactProblem before, problem;
};

// Solo-12 standing, trotting on the flat, and trotting over slippery bumps: 110 of each.
const std::vector<RecordedProblem>& Solo12Problems();

// The same heap going on from step 800 under another backend, forces of the step before as first guess: mean solve time of a step over `steps`
// further ones [us], and the mean number of contacts.
struct SettlingTimes {
  double solve_us = 0, contacts = 0, unconverged = 0;  // unconverged: share of the steps
};
SettlingTimes SettlePile(int bodies, const std::string& backend, int steps);

// Boxes, spheres and capsules that have fallen on a heap, as many of them; what step 800 asks.
const ContactProblem& PileProblem(int bodies);

}  // namespace tread
