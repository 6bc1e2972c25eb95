#include "sim/contact/dense_panel.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "sim/contact/block_matrix.h"

namespace tread {
namespace {

// C -= A B' for four rows and `n` <= 4 columns of C; A is 4 x k, B is n x k. The accumulators stay in registers.
template <int n>
void SubtractTile(const double* A, int lda, const double* B, int ldb, int k, double* C, int ldc) {
  DoublePair low[n] = {}, high[n] = {};
  for (; k > 0; --k, A += lda, B += ldb) {
    const DoublePair a = LoadPair(A), b = LoadPair(A + 2);
    for (int j = 0; j < n; ++j) {
      const DoublePair x = {B[j], B[j]};
      low[j] += a * x;
      high[j] += b * x;
    }
  }
  for (int j = 0; j < n; ++j, C += ldc) {
    C[0] -= low[j][0], C[1] -= low[j][1];
    C[2] -= high[j][0], C[3] -= high[j][1];
  }
}

template <int n>
void SubtractColumns(int m, const double* A, int lda, const double* B, int ldb, int k, double* C, int ldc) {
  int i = 0;
  for (; i + 4 <= m; i += 4) SubtractTile<n>(A + i, lda, B, ldb, k, C + i, ldc);
  for (; i < m; ++i) {
    double sum[n] = {};
    for (int l = 0; l < k; ++l) {
      for (int j = 0; j < n; ++j) sum[j] += A[i + l * lda] * B[j + l * ldb];
    }
    for (int j = 0; j < n; ++j) C[i + j * ldc] -= sum[j];
  }
}

}  // namespace

void SubtractProduct(int m, int n, int k, const double* A, int lda, const double* B, int ldb, double* C,
                     int ldc, bool lower) {
  for (int j = 0; j < n; j += 4, B += 4, C += 4 * static_cast<std::ptrdiff_t>(ldc)) {
    const int skip = lower ? j : 0;
    const double* a = A + skip;
    switch (std::min(4, n - j)) {
      case 4:
        SubtractColumns<4>(m - skip, a, lda, B, ldb, k, C + skip, ldc);
        break;
      case 3:
        SubtractColumns<3>(m - skip, a, lda, B, ldb, k, C + skip, ldc);
        break;
      case 2:
        SubtractColumns<2>(m - skip, a, lda, B, ldb, k, C + skip, ldc);
        break;
      default:
        SubtractColumns<1>(m - skip, a, lda, B, ldb, k, C + skip, ldc);
    }
  }
}

bool FactorPanel(double* P, int height, int width) {
  for (int c = 0; c < width; c += 4) {
    const int end = std::min(c + 4, width);
    double* chunk = P + c + static_cast<std::ptrdiff_t>(c) * height;
    SubtractProduct(height - c, end - c, c, P + c, height, P + c, height, chunk, height, false);
    for (int j = c; j < end; ++j) {
      double* column = P + static_cast<std::ptrdiff_t>(j) * height;
      if (!(column[j] > 0) || !(column[j] < HUGE_VAL)) return false;
      const double inverse = 1 / std::sqrt(column[j]);
      column[j] = inverse;
      for (int i = j + 1; i < height; ++i) column[i] *= inverse;
      for (int l = j + 1; l < end; ++l) {
        double* right = P + static_cast<std::ptrdiff_t>(l) * height;
        const double factor = column[l];
        for (int i = l; i < height; ++i) right[i] -= factor * column[i];
      }
    }
  }
  return true;
}

namespace {

void ExchangeRows(int n, double* A, int columns, int a, int b) {
  if (a == b) return;
  for (double* column = A; columns > 0; --columns, column += n) std::swap(column[a], column[b]);
}

// U of `width` columns above row c, by the c columns of L on their left; U' is left in buffer, four numbers per row.
void SolveUpperPart(int n, int c, int width, const double* L, double* columns, double* buffer) {
  constexpr int kRows = 16;
  const std::ptrdiff_t stride = n;
  for (int top = 0; top < c; top += kRows) {
    const int end = std::min(top + kRows, c);
    SubtractProduct(end - top, width, top, L + top, n, buffer, 4, columns + top, n, false);
    for (int k = top; k < end; ++k) {
      for (int j = 0; j < width; ++j) {
        double* column = columns + j * stride;
        const double u = buffer[4 * k + j] = column[k];
        for (int i = k + 1; i < end; ++i) column[i] -= L[i + k * stride] * u;
      }
    }
  }
}

}  // namespace

// Four columns at a time: what the columns on their left did to the matrix, then elimination among the four.
bool FactorLu(int n, double* A, int* pivot, double* buffer) {
  const std::ptrdiff_t stride = n;
  for (int c = 0; c < n; c += 4) {
    const int width = std::min(4, n - c);
    double* columns = A + c * stride;
    for (int k = 0; k < c; ++k) ExchangeRows(n, columns, width, k, pivot[k]);
    SolveUpperPart(n, c, width, A, columns, buffer);
    SubtractProduct(n - c, width, c, A + c, n, buffer, 4, columns + c, n, false);
    for (int j = 0; j < width; ++j) {
      double* column = columns + j * stride;
      const int at = c + j;
      int largest = at;
      for (int i = at + 1; i < n; ++i) {
        if (std::abs(column[i]) > std::abs(column[largest])) largest = i;
      }
      pivot[at] = largest;
      if (!(std::abs(column[largest]) > 0) || !(std::abs(column[largest]) < HUGE_VAL)) return false;
      ExchangeRows(n, A, c + width, at, largest);
      const double inverse = 1 / column[at];
      for (int i = at + 1; i < n; ++i) column[i] *= inverse;
      for (int l = j + 1; l < width; ++l) {
        double* right = columns + l * stride;
        for (int i = at + 1; i < n; ++i) right[i] -= right[at] * column[i];
      }
    }
  }
  return true;
}

void SolveLu(int n, const double* A, const int* pivot, double* x) {
  for (int k = 0; k < n; ++k) std::swap(x[k], x[pivot[k]]);
  const double* column = A;
  for (int k = 0; k < n; ++k, column += n) {
    for (int i = k + 1; i < n; ++i) x[i] -= column[i] * x[k];
  }
  for (int k = n - 1; k >= 0; --k) {
    column -= n;
    x[k] /= column[k];
    for (int i = 0; i < k; ++i) x[i] -= column[i] * x[k];
  }
}

}  // namespace tread
