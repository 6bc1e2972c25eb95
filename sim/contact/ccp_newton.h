// CCP by Newton on the primal, the method of MuJoCo and of Drake's SAP, written in contact space.
//
//   primal  min_y  phi(y) = y' G y / 2 + sum_i l_i(c_i),  c = G y + g - c*,   l(c) = |P_K(-c / R)|^2_R / 2,   lambda = P_K(-c / R)
//   Newton  (G + G H G) d = G (lambda - y),  H = B B' the curvature of l:  d = r - B (I + B' G B)^-1 B' G r,  r = lambda - y
//
// With v = v_free + dt M^-1 J' y these are the iterates of Newton on the velocities v; contact space needs G alone, so that recorded problems work too.
// P_K is the projection on the friction cone in the metric of R, of rank 1, 2 or 3 per contact: B has at most three columns. The step length
// is the exact minimum along d. The factor is block sparse (sim/contact/block_cholesky.h).
// R must be positive. Rows where it is smaller than 1e-5 of the contact's own inertia (more where the accuracy asked for is so high that
// rounding, magnified by 1 / R, would drown it) get a proximal term that makes up the difference,
// (R^ - R)(lambda - lambda_k), and lambda_k follows: the answer is that of the given R, at the cost of further iterations.
// R like MuJoCo's or Drake's comes with the problem (sim.contact.regularisation, sim/stepping/assembly.h), with their targets, for any solver.
// Guarantee: phi is convex and the line search exact, so each inner problem converges from anywhere, finally quadratically; proximal steps
// converge linearly. Breaks: redundant contacts share forces as the first guess has them. CCP's own error is a sliding contact that lifts off by dt mu |v_T|.
// Departs from Le Lidec et al. 2023, Alg. 4: contact space instead of joint space, the proximal term, limits and equalities, and
// an exact line search as its listing prints (its own implementation backtracks by Armijo's rule).
// Reference: Todorov 2014; Castro, Permenter, Han 2022.
#pragma once

#include <memory>

#include "sim/contact/contact_solver.h"

namespace tread {

std::unique_ptr<ContactSolver> MakeCcpNewton(const ContactSolverConfig& config);

}  // namespace tread
