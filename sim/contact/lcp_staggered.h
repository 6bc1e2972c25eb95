// LCP by staggered projections: normal forces and friction in turn, each as a convex problem with the other held.
//
// The law is that of sim/contact/lcp_pgs.h (square pyramid). With A = G + R, b = g - c*, one iteration is
//   lambda_N <- argmin over lambda_N >= 0 of                 lambda' A lambda / 2 + lambda' b,   lambda_T held
//   lambda_T <- argmin over |lambda_T|_inf <= mu lambda_N of lambda' A lambda / 2 + lambda' b,   lambda_N held
// Limits belong to the first, equality rows to both. Both are solved by sim/contact/box_qp.h, each to a hundredth of the violation it
// started from, and to a tenth of what the stop test needs once that is smaller: early iterations need no accuracy.
// A fixed point satisfies the law. With mu = 0, or where normals and tangents do not couple (G_NT = 0), one iteration is exact.
//
// No guarantee otherwise: the map is a contraction only while mu |A_NN^-1 A_NT| is small. Beyond, the iterates settle on a cycle (friction that
// unloads the contact it hangs on). When the change from one iteration to the next has not shrunk for a while, the normal forces are mixed
// with the old ones, half as much of the new at each such time; that breaks cycles, and without it 3 of 17 public problems take more than 3000. One half
// is near the best: stronger damping is slower and no safer. Each iteration costs many sweeps.
// Redundant contacts are solved; the forces then stay near the guess. Relaxation acts on the normal forces.
//
// Departs from Le Lidec et al. 2023, Alg. 7: the square instead of the disk, g_N where line 2 prints g_T, inexact inner solutions, the damping,
// and the stop test, which is the judge's.
#pragma once

#include <memory>

#include "sim/contact/contact_solver.h"

namespace tread {

std::unique_ptr<ContactSolver> MakeLcpStaggered(const ContactSolverConfig& config);

}  // namespace tread
