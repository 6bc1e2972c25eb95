// LCP by Lemke's pivoting: the square law of sim/contact/lcp_pgs.h, solved directly.
//
// Per contact the forces are lambda_n >= 0 and four beta_k >= 0 along d_k, lambda_T = sum beta_k d_k. The d_k point at 45, 135, 225, 315 degrees and
// sum beta_k <= sqrt(2) mu lambda_n, so that the polygon is the square |lambda_T|_inf <= mu lambda_n of the other LCP solvers. With
// a slip gamma per contact, the pairs of the LCP are
//   lambda_n  and  sigma_n
//   beta_k    and  d_k . sigma_T + gamma,   k = 1..4
//   gamma     and  sqrt(2) mu lambda_n - sum beta_k
// a limit is one pair, an equality row a free one (eliminated first, dependent rows with force 0), a contact without friction one pair. Each
// contact is scaled to a diagonal near 1. An iteration is one pivot (sim/contact/lemke.h). At the end the linear system of the basis is
// solved again with the original numbers. A guess that is not zero is used first: its basis (open, stick, edge, corner) is solved for, as the
// first iteration, and pivoting starts from scratch when the judge does not accept that. With a budget there is no such first try, and what
// is left of the budget after the last pivot changes nothing.
//
// Guarantee: M is copositive, so that Lemke's path ends at a solution and not at a ray for every problem that mechanics can pose
// (g in the range of J; Anitescu and Potra 1997), in exact arithmetic. A ray is reported as failed, a basis the judge rejects as stalled.
// Breaks: in rounding, on many redundant contacts (hyperstatic stacks), whose bases are nearly singular. Costs 36 nc^2 operations per pivot and a few
// pivots per contact. An LCP of more than kLemkeLargest pairs (6 per contact: about 60 contacts) is refused: failed. Relaxation has no meaning
// here and is ignored. max_iterations before the end leaves the friction clamped to the square, and the law unsatisfied.
// Named but not written out in Le Lidec et al. 2023; the formulation is Stewart and Trinkle's (1996).
#pragma once

#include <memory>

#include "sim/contact/contact_solver.h"

namespace tread {

constexpr int kLemkeLargest = 384;

std::unique_ptr<ContactSolver> MakeLcpLemke(const ContactSolverConfig& config);

}  // namespace tread
