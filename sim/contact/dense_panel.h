// Arithmetic on dense column-major panels that a sparse factorisation spends its time in. No allocation, no instructions beyond SSE2 or NEON.
#pragma once

namespace tread {

// C -= A B': C is m x n, A is m x k, B is n x k. lower: what lies above the diagonal of C is not wanted and left in part as it was.
void SubtractProduct(int m, int n, int k, const double* A, int lda, const double* B, int ldb, double* C,
                     int ldc, bool lower);

// The panel's first `width` rows become L with 1 / L_jj on the diagonal, the rows below L_21. False: a pivot is not positive.
bool FactorPanel(double* P, int height, int width);

}  // namespace tread
