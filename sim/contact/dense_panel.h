// Arithmetic on dense column-major panels that the factorisations spend their time in. No allocation, no instructions beyond SSE2 or NEON.
#pragma once

namespace tread {

// C -= A B': C is m x n, A is m x k, B is n x k. lower: what lies above the diagonal of C is not wanted and left in part as it was.
void SubtractProduct(int m, int n, int k, const double* A, int lda, const double* B, int ldb, double* C,
                     int ldc, bool lower);

// The panel's first `width` rows become L with 1 / L_jj on the diagonal, the rows below L_21. False: a pivot is not positive.
bool FactorPanel(double* P, int height, int width);

// P A = L U of a square column-major matrix, in place, rows exchanged where a larger pivot lies below: row k with row pivot[k] >= k, in order of k.
// buffer: 4 n numbers. False: a pivot is 0 or not a number.
bool FactorLu(int n, double* A, int* pivot, double* buffer);
// x <- A^-1 x
void SolveLu(int n, const double* A, const int* pivot, double* x);

}  // namespace tread
