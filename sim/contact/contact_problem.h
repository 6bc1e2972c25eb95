// The contact problem of one time step, in forces.
//
//   find lambda in K_mu with  sigma = (G + R) lambda + g - c*,  sigma + Gamma(sigma) in K_mu*,  lambda' (sigma + Gamma(sigma)) = 0
//
// G = J M^-1 J' [1/kg], g = J v_free / dt [m/s^2], lambda [N], R >= 0 diagonal compliance [1/kg], c* the target [m/s^2].
// A Coulomb block has 3 rows in the order t1, t2, n, K_mu = {|lambda_T| <= mu lambda_n}, Gamma(sigma) = (0, 0, mu |sigma_T|)
// (De Saxce). A limit has one row, lambda >= 0, sigma >= 0, lambda sigma = 0. Equality rows have sigma = 0.
// A file may be in other units (impulses and velocities): the equations are the same, the eps then are in the file's units.
// Reference: Le Lidec et al., Contact Models in Robotics, 2023, section II.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "sim/contact/block_matrix.h"

namespace tread {

enum class BlockType { kCoulomb, kLimit, kEquality };

struct ContactProblem {
  std::vector<BlockType> types;  // per block
  BlockMatrix G;
  RowVector g;       // per row
  RowVector target;  // c*, per row
  RowVector R;       // diagonal compliance, per row
  RowVector mu;      // per block; 0 for limits and equalities
  double dt = 0;     // [s]; 0 when unknown (files)

  // Room for so many blocks, so that no step allocates before there are more.
  void Reserve(int blocks) {
    types.reserve(static_cast<std::size_t>(blocks));
    G.Reserve(blocks, 16);
    for (RowVector* x : {&g, &target, &R, &mu}) x->reserve(3 * blocks);
  }

  int block_count() const { return G.block_count(); }
  int rows() const { return G.rows(); }
};

// sigma = (G + R) lambda + g - c*; allocates only when sigma grows.
void ComputeSigma(const ContactProblem& problem, const RowVector& lambda, RowVector* sigma);

// velocity_scale = max(1, max |g_i|), force_scale = max(1, max over contacts of |g_n| / G_nn): what an accuracy is relative to.
struct ProblemScale {
  double velocity = 1, force = 1;
};
ProblemScale ComputeScale(const ContactProblem& problem);

}  // namespace tread
