// NCP by projected Gauss-Seidel: one sweep updates every contact in turn with the freshest forces of the others.
//
//   lambda_n <- max(0, lambda_n - sigma_n / G_nn),   sigma_T corrected for the change of lambda_n,
//   lambda_T <- P_{|.| <= mu lambda_n}(lambda_T - rho sigma_T),   diagonal blocks of G + R throughout.
//
// rho = 1 / lambda_max(G_TT) (safe, default) or 1 / min(G_xx, G_yy) (paper_step). The paper's rule overshoots as soon as
// lambda_max(G_TT) > 2 min(G_xx, G_yy), that is on anisotropic contacts (stretched legs, wheels), and then may never converge.
// Guarantee: none in general (the NCP is not a convex problem); each contact's subproblem decreases with the safe step. Breaks:
// slow on ill-conditioned stacks (heavy on light) and hyperstatic contacts, where errors travel one contact per sweep.
// Departs from Le Lidec et al. 2023, Alg. 6: the step, limits and equality rows, and the stop test, which is the judge's on
// velocities recomputed after the sweep (evaluated only when the sweep's own stale estimate already passes).
// Anything not finite in the problem or the warm start, or a negative diagonal of G + R: status failed, forces as on entry. A zero diagonal
// (a contact between immovable bodies) keeps its force. No allocation while the size of the problem does not grow.
#pragma once

#include <memory>

#include "sim/contact/contact_solver.h"

namespace tread {

std::unique_ptr<ContactSolver> MakeNcpPgs(const ContactSolverConfig& config);

}  // namespace tread
