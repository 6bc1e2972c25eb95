// NCP by staggering: normal forces with friction fixed, then friction with normal forces fixed, until neither moves.
//
//   lambda_n <- argmin  n' A_nn n / 2 + n' (A_nT lambda_T + g_n - c*_n),  n >= 0                                  (a QP)
//   lambda_T <- argmin  t' A_TT t / 2 + t' (A_Tn lambda_n + g_T),         |t_i| <= mu_i lambda_n,i               (a QCQP on disks)
//
// Both are convex, and at a fixed point the law holds: friction opposes the slip as strongly as the normal force allows. Each is solved by projected
// Gauss-Seidel over all blocks, each disk by one step of 1 / lambda_max(A_TT,ii), to a tenth
// of the stop test or 100 sweeps. Limits and equality rows belong to the normal half. relaxation: of lambda_T between two halves.
// An iteration is both halves. Guarantee: none for the fixed point; it contracts for small mu or weak coupling of normals and tangents.
// Breaks: cycles at large mu with strong coupling (lower the relaxation); the inner sweeps are as slow on stacks as those of ncp_pgs.
// Departs from Le Lidec et al. 2023, Alg. 7: the inner solvers, limits and equalities, the judge as stop test; g_N is meant in its line 2.
// Reference: Kaufman, Sueda, James, Pai 2008.
#pragma once

#include <memory>

#include "sim/contact/contact_solver.h"

namespace tread {

std::unique_ptr<ContactSolver> MakeNcpStaggered(const ContactSolverConfig& config);

}  // namespace tread
