#include "sim/contact/condition.h"

#include <limits>

namespace tread {

double ConditionNumber::Compute(const BlockMatrix& G, int dofs) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const int n = G.rows();
  if (n == 0) return 1;
  if (n > dofs) return kInfinity;
  if (n > kMostRows) return std::numeric_limits<double>::quiet_NaN();
  dense_.setZero(n, n);
  for (int i = 0; i < G.block_count(); ++i) {
    for (int slot = G.row_begin(i); slot < G.row_end(i); ++slot) {
      const int j = G.column(slot);
      dense_.block(G.offset(i), G.offset(j), G.size(i), G.size(j)) =
          Eigen::Map<const Eigen::MatrixXd>(G.block_data(slot), G.size(i), G.size(j));
    }
  }
  eigen_.compute(dense_, Eigen::EigenvaluesOnly);
  const double smallest = eigen_.eigenvalues()[0], largest = eigen_.eigenvalues()[n - 1];
  // below the error of the eigenvalues themselves, a ratio would be noise
  const double noise = n * std::numeric_limits<double>::epsilon() * largest;
  return smallest > noise ? largest / smallest : kInfinity;
}

}  // namespace tread
