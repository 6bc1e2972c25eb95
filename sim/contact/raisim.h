// RaiSim's rule by Gauss-Seidel: per contact exact, with a search on the curve where the contact neither opens nor leaves the cone.
//
//   b = sigma - A lambda (others fixed), A = G_ii + R_i
//   opens   b_n >= 0:                      lambda = 0
//   sticks  -A^-1 b in the cone:           lambda = -A^-1 b
//   slides  otherwise: the least lambda' A lambda / 2 + lambda' b over {sigma_n = 0, |lambda_T| = mu lambda_n}:
//           lambda_T = mu lambda_n u(theta), lambda_n = -b_n / (A_nn + mu A_nT . u(theta)), a search in theta
//
// Sliding is the least kinetic energy with Signorini kept, which is not maximum dissipation where A_nT is not 0: friction is then not opposite to
// the slip (the law kRaisim of the judge, sim/contact/criteria.h).
// The weight alpha of the new force starts at 1 and sinks towards 0.7 (times sim.contact.relaxation): alpha <- 0.99 alpha + 0.01 x 0.7 after every
// sweep, so that sweeps do not cycle.
// Guarantee: each contact's own law holds right after its update (no relaxation); none for the sweeps.
// Breaks: where A_nn + mu A_nT . u <= 0 (strong coupling, large mu) these directions hold no force and are left out; slow on stacks.
// Departs from Le Lidec et al. 2023, Alg. 5: alpha decays per sweep, where the paper's listing has it within the loop over contacts (and states neither
// number; these are Hwangbo's); eight directions are compared before the search, which so finds the global minimum; the stop test
// is the judge's on RaiSim's own law, where the paper watches the NCP's criterion, which this law need not meet.
// Reference: Hwangbo, Lee, Hutter 2018.
#pragma once

#include <memory>

#include "sim/contact/contact_solver.h"

namespace tread {

std::unique_ptr<ContactSolver> MakeRaisim(const ContactSolverConfig& config);

}  // namespace tread
