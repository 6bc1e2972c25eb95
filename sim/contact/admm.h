// ADMM (alternating direction method of multipliers) for contact problems: what ccp_admm and ncp_admm share.
//
//   minimise  x' A x / 2 + (q + s)' x + [z in K],   x = z,   A = S (G + R) S,   q = S (g - c*),   lambda = S z
//   x <- (A + (rho + eta) I)^-1 (eta x + rho z - y - q - s)        x' = w x + (1 - w) z, w: relaxation
//   z <- P_K(x' + y / rho)                                        K: the friction cone, >= 0 for limits, everything for equalities
//   y <- y + rho (x' - z)                                         -y / S tends to sigma + Gamma(sigma)
//   s <- 0 (convex law), or S Gamma(sigma) = mu |y_T| on the normal row (exact law)
//
// S is one number per block, 1 / sqrt(mean diagonal of G + R): it leaves the cones as they are, makes the diagonals 1, and gives x and y the same
// unit, so that one rho serves light and heavy bodies alike. rho: every so often, ever more rarely (hence finally constant), it is multiplied by
// sqrt(|x - z| / (rho |z - z_old|)) when that is far from 1. eta keeps the matrix invertible where G is singular and rho small.
// Few rows: explicit inverse, an iteration is one dense product and the projections. Many: sparse factors (block_cholesky.h).
// G need not be positive definite; if it is so indefinite that no factor exists, rho is raised and kept there.
//
// lambda on entry, if not zero, is the warm start, together with dual (blocks of zeros: unknown, guessed from sigma) and rho of the solution if dual has the problem's size. A zero lambda is
// a cold start: dual and rho are then ignored, and nothing of an earlier solve has influence. Status stalled: a fixed point to the last bit that
// the judge rejects. No allocation while the number of rows (few rows) or the pattern (many) stays the same.
#pragma once

#include <memory>

#include "sim/contact/contact_solver.h"

namespace tread {

// law: kNcp or kCcp.
std::unique_ptr<ContactSolver> MakeAdmm(const ContactSolverConfig& config, ContactLaw law);

}  // namespace tread
