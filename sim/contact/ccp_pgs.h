// CCP by block Gauss-Seidel with projection on the friction cone.
//
//   lambda_i <- P_K(lambda_i - rho sigma_i),   rho = 1 / lambda_max(A_ii) (safe, default) or 3 / trace(A_ii) (paper_step),   A = G + R
//
// The law is the convex relaxation: lambda in K, sigma in K*, lambda' sigma = 0, without the De Saxce term. It minimises lambda' A lambda / 2 + lambda' (g - c*)
// over the cones. Its price: a sliding contact lifts off with sigma_n = mu |sigma_T|.
// Guarantee: with the safe step every update lowers that cost, and the forces converge. The paper's step overshoots where lambda_max(A_ii) > 2/3 trace(A_ii),
// and may then grow without bound. Breaks: slow on ill-conditioned stacks; the projected step of one number per contact also on anisotropic ones.
// Departs from Le Lidec et al. 2023, Alg. 2: the step, limits and equality rows, and the judge as stop test.
// Reference: Tasora and Anitescu 2011.
#pragma once

#include <memory>

#include "sim/contact/contact_solver.h"

namespace tread {

std::unique_ptr<ContactSolver> MakeCcpPgs(const ContactSolverConfig& config);

}  // namespace tread
