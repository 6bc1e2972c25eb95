// CCP by ADMM: the convex relaxation of Coulomb's law, solved on forces and velocities in turn.
//
// Law: lambda in K, sigma in K*, lambda' sigma = 0: sliding contacts open at mu |sigma_T|. The iteration is that of admm.h with s = 0.
// Guarantee: for fixed rho the method converges to a solution whenever one exists (a convex problem), also with redundant contacts, and rho is
// finally fixed. Where it breaks: linear convergence whose rate depends on rho and the conditioning; degenerate problems (many contacts at the
// border of their cones) need thousands of iterations. An infeasible problem (lambda grows without bound) ends at max_iterations.
// Departs from Le Lidec et al. 2023, Alg. 3: one scale per contact, rho balances the residuals instead of growing with the spectrum, and
// the stop test is the judge's on velocities recomputed from the forces that are returned.
#pragma once

#include <memory>

#include "sim/contact/contact_solver.h"

namespace tread {

std::unique_ptr<ContactSolver> MakeCcpAdmm(const ContactSolverConfig& config);

}  // namespace tread
