// NCP by semismooth Newton on the natural map: few, dear iterations down to rounding. The reference for accuracy.
//
//   F(lambda) = lambda - P(y),  y = lambda - rho sigma,  sigma = A lambda + g - c*,  A = G + R
//   P: normal max(0, y_n), tangent on the disk of radius mu max(0, y_n); rho = 1 / A_nn, 1 / lambda_max(A_TT); F is in newtons
//   Newton: (I - D + D rho (A + eps)) d = -F,  D an element of the generalised Jacobian of P at y
//
// eps = 1e-9 of each contact's own curvature makes the step defined where contacts are redundant (A singular) without moving the answer: F = 0 does not
// contain it. Globalised by halving the step while |F| does not sink; where no step helps, sweeps of ncp_pgs move on, in rounds that double.
// An iteration is one Newton step or one round of sweeps.
// Guarantee: quadratic near a solution whose contacts are strictly open, stuck or sliding; none from far away, the law is not convex.
// Breaks: dense LU of all rows, n^3 / 3: 12 rows 3 us, 800 rows 0.2 s.
// Reference: Alart and Curnier 1991; the Siconos line of work (Acary, Bremond, Huber 2018).
#pragma once

#include <memory>

#include "sim/contact/contact_solver.h"

namespace tread {

std::unique_ptr<ContactSolver> MakeNcpNewton(const ContactSolverConfig& config);

}  // namespace tread
