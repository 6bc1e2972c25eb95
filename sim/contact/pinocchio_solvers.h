// Peers: the contact solvers that ship with Pinocchio 3, called as they are and judged like our own.
//
// Law: NCP, the same cone, order (t1, t2, n) and units as ours; g - c* is their g.
//   pinocchio_pgs    projected Gauss-Seidel, tangential step 1 / min(G_xx, G_yy); G + R as one dense matrix
//   pinocchio_admm   proximal ADMM with De Saxce shift on a dense G, R passed on; rho by the ratio of its residuals
// Their own tolerance starts at the judge's (smallest limit) and is divided by 10 from where they are until the judge accepts: the PGS
// measures its residual on the last change of velocity, not on the velocity, and so may report success far from it. That, not its
// iteration, is why it needs the judge. No relative stop: the PGS would take stagnation for success.
// Guarantee: none (NCP). Breaks: the PGS on anisotropic contacts, as ncp_pgs with the paper's step; the ADMM costs O(n^3) per change of rho
// in the rows n, as a dense operator has no use for who touches whom.
// A limit becomes a contact with mu = 0 and a tangential plane of its own. Refused (failed): equality rows, a diagonal of G + R that is not
// positive, negative R or mu; the library divides by the first and throws at, or asserts, the others.
// Warm start: forces, and for the ADMM dual and rho as well; nothing else of an earlier problem is kept. budget: exact. relaxation: the PGS's
// over-relaxation; the ADMM has none. paper_step: no effect.
// A trace calls them once per iteration: the same iterates for the PGS; the ADMM then restarts x from its projection, and differs a little.
// Memory: exempt from the rule that a solve asks for none. The library's ADMM allocates in every iteration; storage of the adapter is kept
// while the size of the problem stays.
// Reference: pinocchio/algorithm/{pgs,admm}-solver.hpp, version 3.9; Carpentier, Le Lidec, Montaut 2024 for the ADMM.
#pragma once

#include <memory>

#include "sim/contact/contact_solver.h"

namespace tread {

std::unique_ptr<ContactSolver> MakePinocchioPgs(const ContactSolverConfig& config);
std::unique_ptr<ContactSolver> MakePinocchioAdmm(const ContactSolverConfig& config);

}  // namespace tread
