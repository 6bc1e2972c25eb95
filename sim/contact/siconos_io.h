// Contact problems as text files, in the format that Siconos users record.
//
// Whitespace separated: dimension (3), number of contacts, storage (0 dense, 1 sparse block), rows, columns, the matrix W, the vector
// q (3 per contact), the friction coefficients. Order per contact in the FILE is N, T1, T2; tread's is T1, T2, N. Velocity u = W r + q.
// Dense: rows, columns again, then the entries. Sparse block: number of blocks, block rows, block columns, the running row and column
// ends, sizes of the two index arrays, row starts, block columns, and each block as its number and 9 entries.
// W is symmetrised; `asymmetry` is max |W - W'| / max |W| before that, and above 1e-2 the file is refused.
// A problem written by tread adds a last line `# dt = SECONDS`. Only Coulomb blocks can be written; compliance and target are folded into
// W and q (W = G + R, q = g - c*), so the equations stay the same.
#pragma once

#include <Eigen/Core>
#include <string>

#include "sim/contact/contact_problem.h"

namespace tread {

struct ProblemFile {
  ContactProblem problem;
  double asymmetry = 0;  // relative, before symmetrising
};

// Throws std::invalid_argument with one line that names the file, the line and what would be right.
ProblemFile ReadSiconos(const std::string& path);
void WriteSiconos(const std::string& path, const ContactProblem& problem);

// Forces in the order of the file (N, T1, T2), one number a line, 17 digits.
void WriteSolution(const std::string& path, const Eigen::VectorXd& lambda);

}  // namespace tread
