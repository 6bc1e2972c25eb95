// NCP by ADMM: the exact law, as the convex problem of ccp_admm whose normal velocities are shifted by the De Saxce term of the last iterate.
//
// Law: lambda in K, sigma + Gamma(sigma) in K*, orthogonal. The iteration is that of admm.h with s = Gamma(sigma) in every iteration; the slip is
// read off the dual variable, which costs no product.
// Guarantee: none (the law is not convex; each iteration is one of the convex problem with s frozen). Fixed points are solutions, so what
// is returned as converged is. Where it breaks: as ccp_admm; and with high friction on coupled contacts it may cycle, as any fixed point on the shift.
// Departs from Le Lidec et al. 2023, Alg. 3, which has no shift (the shift per iteration is that of later published ADMM solvers), and like ccp_admm
// in scaling, rho and stop test.
#pragma once

#include <memory>

#include "sim/contact/contact_solver.h"

namespace tread {

std::unique_ptr<ContactSolver> MakeNcpAdmm(const ContactSolverConfig& config);

}  // namespace tread
