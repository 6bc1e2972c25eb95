// Quadratic programs with bounds on the matrix of a contact problem: minimise x' (G + R) x / 2 + x' (g - c*), low <= x <= high.
//
// What the staggered methods solve on the way. Rows with low = high are fixed, and so one class serves the normal part, the tangential part and
// anything else that bounds each row by itself. Each round makes two projected Gauss-Seidel sweeps, which say which rows rest on a bound,
// then conjugate gradients (diagonal preconditioner) on the others, and takes their point, projected, as far as that lowers the cost.
// The sweeps alone converge on every bounded problem of this kind (exact descent by coordinates); the conjugate gradients make that fast where
// contacts are many on one body. A singular matrix is no obstacle: of the minimisers, one near the guess is found.
#pragma once

#include <vector>

#include "sim/contact/contact_problem.h"

namespace tread {

class BoxQp {
 public:
  RowVector low, high;  // per row; infinite where there is no bound

  void resize(int rows);
  // Until no row's x can move by its bounds with |sigma| > max(tolerance, reduction x what it was at first), for at most max_rounds. Returns the
  // largest such |sigma| at the end (NaN when it broke); sigma then belongs to x.
  double Solve(const ContactProblem& problem, double tolerance, double reduction, int max_rounds,
               RowVector* x, RowVector* sigma);

 private:
  void Sweep(const ContactProblem& problem, RowVector* x);
  // Largest |sigma| over the rows that may still follow it downhill; marks the rows strictly within their bounds.
  double Violation(const RowVector& x, const RowVector& sigma);
  bool Descend(const ContactProblem& problem, double tolerance, const RowVector& x, const RowVector& sigma);
  // x <- P(x + t step) for the first t = 1, 1/2, ... that lowers the cost; sigma follows.
  void Accept(const ContactProblem& problem, RowVector* x, RowVector* sigma);
  void Product(const ContactProblem& problem, const RowVector& p);  // product_ = (G + R) p

  RowVector step_, residual_, direction_, product_, diagonal_, trial_, trial_sigma_;
  std::vector<char> free_;
  std::vector<double> row_;
};

}  // namespace tread
