// NCP by block Gauss-Seidel with exact contact solves: each contact in turn gets the force that satisfies Coulomb's law and Signorini's
// while the others keep theirs.
//
// With A = G_ii + R_i = (A_TT, a; a', n) and b = sigma - A lambda_i, what sigma would be without this contact's force:
//   open   b_n >= 0:                      lambda = 0
//   stick  -A^-1 b in the cone:           lambda = lambda_old - A^-1 sigma
//   slide  lambda_T = -mu lambda_n d, |d| = 1, d the direction of slip. sigma_n = 0 gives lambda_n = -b_n / (n - mu a.d), and
//          (n - mu a.d) sigma_T = q + M d = s d  with  q = n b_T - b_n a,  M = mu (b_n A_TT - b_T a'),  s >= 0 the scaled slip speed.
//          So d(s) = (s I - M)^-1 q, and |d(s)| = 1 is one equation for s (a quartic; no angle, no trigonometry). 1 / |d(s)| is concave
//          where a = 0, as in a trust-region step: Newton on it from the left is monotone, and here it is kept in a bracket. The first s is
//          that of the slip the contact arrives with.
// mu = 0: lambda = (0, 0, max(0, -b_n / n)).
//
// Existence and uniqueness of the contact's solution. mu |a| < n: if it neither opens nor sticks, |d(0)| > 1 and d(s) -> 0, so a sliding
// solution exists, with lambda_n > 0. It is unique where a = 0 or mu is small; where M has a positive eigenvalue there can be several, and
// the one beyond the largest is taken (the one that slips fastest). mu |a| >= n (Painleve: pushing on the contact sideways closes it): there may be
// none, or an open and a closed solution at once; open is tried first, then stick, then slide. If the search ends without lambda_n > 0, the
// contact makes one step of ncp_pgs instead, whose fixed points satisfy the same law; the judge sees to the rest. So do all contacts after 500
// sweeps: exact solutions of neighbours can chase each other in a cycle that shorter steps leave (seen on one object with 24 contacts).
//
// A singular A (a contact that some force does not move) gets 1e-8 trace(A) on its diagonal as a proximal term about lambda_old, which
// leaves the fixed points where they are; A = 0 keeps its force.
//
// Guarantee: none over several contacts (the NCP is not convex); a single contact with mu |a| < n ends in one iteration. Breaks as all
// per-contact methods do: slow on heavy-on-light stacks and hyperstatic contacts. Not in the paper, whose Alg. 6 steps and projects
// (ncp_pgs); no step size to choose, so paper_step changes nothing.
#pragma once

#include <memory>

#include "sim/contact/contact_solver.h"

namespace tread {

std::unique_ptr<ContactSolver> MakeNcpBgs(const ContactSolverConfig& config);

}  // namespace tread
