// Contact problems as text files, in the format that Siconos users record.
//
// Whitespace separated: dimension (3), number of contacts, storage (0 dense, 1 sparse block), rows, columns, the matrix W, the vector
// q (3 per contact), the friction coefficients. Order per contact in the FILE is N, T1, T2; tread's is T1, T2, N. Velocity u = W r + q.
// Dense: rows, columns again, then the entries. Sparse block: number of blocks, block rows, block columns, the running row and column
// ends, sizes of the two index arrays, row starts, block columns, and each block as its number and 9 entries.
// W is symmetrised; `asymmetry` is max |W - W'| / max |W| before that, and above 1e-2 the file is refused.
// After the coefficients one flag 0 or 1, which some Siconos versions write, is read over; anything else but comment is refused.
//
// Files written by tread hold velocities and impulses. With r = lambda dt [N s] and u = sigma dt [m/s], sigma = (G + R) lambda + g - c* becomes
//   u = W r + q,   W = G + R [1/kg],   q = (g - c*) dt [m/s],
// the cones being the same; dt stands in the last line, `# dt = SECONDS`. A problem whose dt is 0 (unknown) is written as it is, W = G + R and
// q = g - c*. A limit row becomes the normal of a contact with mu = 0 whose tangential rows couple to nothing (unit diagonal, q = 0): its tangential
// force is 0 and the normal one unchanged, so the problem is equivalent. Equality rows do not fit and are refused.
#pragma once

#include <Eigen/Core>
#include <string>

#include "sim/contact/contact_problem.h"

namespace tread {

struct ProblemFile {
  ContactProblem problem;  // in the units of the file, so problem.dt is 0: bit for bit what stands there
  double asymmetry = 0;    // relative, before symmetrising
  double dt = 0;           // [s], of the last line; 0 without one
};

// All throw std::invalid_argument with one line that names the file, the line (reading) and what would be right.
ProblemFile ReadSiconos(const std::string& path);
// A problem in forces, written as above; and a file's problem, written as it was read.
void WriteSiconos(const std::string& path, const ContactProblem& problem);
void WriteSiconos(const std::string& path, const ProblemFile& file);

// The problem of a file with dt in forces again: g = q / dt [m/s^2], lambda [N]. Without dt: as it is.
ContactProblem InForces(const ProblemFile& file);

// Forces of a file's problem in the order and units of the file (N, T1, T2; N s where it has dt), one number a line, 17 digits.
void WriteSolution(const std::string& path, const RowVector& lambda);

}  // namespace tread
