// Writing of siconos_io.h.
#include <cmath>
#include <fstream>
#include <iomanip>
#include <stdexcept>
#include <vector>

#include "sim/contact/siconos_io.h"

namespace tread {
namespace {

std::ofstream OpenForWriting(const std::string& path) {
  std::ofstream out(path);
  if (!out) throw std::invalid_argument(path + ": cannot be written; is the folder there and writable?");
  out << std::setprecision(17);
  return out;
}

void Finish(const std::string& path, std::ofstream* out) {
  if (!out->flush()) throw std::invalid_argument(path + ": writing failed; is the disk full?");
}

// Row of the problem for each row of the file (N, T1, T2 per block); -1: a padded row of a limit.
std::vector<int> FileRows(const std::string& path, const ContactProblem& problem) {
  std::vector<int> rows;
  for (int i = 0; i < problem.block_count(); ++i) {
    const int o = problem.G.offset(i);
    switch (problem.types[static_cast<std::size_t>(i)]) {
      case BlockType::kCoulomb:
        rows.insert(rows.end(), {o + 2, o, o + 1});
        break;
      case BlockType::kLimit:
        rows.insert(rows.end(), {o, -1, -1});
        break;
      case BlockType::kEquality:
        throw std::invalid_argument(path + ": block " + std::to_string(i) +
                                    " is an equality; this format holds Coulomb contacts and limits");
    }
  }
  if (rows.empty())
    throw std::invalid_argument(path + ": the problem has no contacts; this format needs one");
  return rows;
}

double Finite(const std::string& path, const char* what, int row, double value) {
  if (!std::isfinite(value)) {
    throw std::invalid_argument(path + ": " + what + " of row " + std::to_string(row) + " is " +
                                std::to_string(value) + "; only finite numbers are written");
  }
  return value;
}

// scale: of q.
void Write(const std::string& path, const ContactProblem& problem, double scale, double dt) {
  const std::vector<int> rows = FileRows(path, problem);
  Eigen::MatrixXd W = problem.G.ToDense();
  W.diagonal() += problem.R;
  const Eigen::VectorXd q = (problem.g - problem.target) * scale;
  for (int r = 0; r < problem.rows(); ++r) {
    Finite(path, "W", r, W.row(r).sum());
    Finite(path, "q", r, q[r]);
  }

  std::ofstream out = OpenForWriting(path);
  const std::size_t n = rows.size();
  out << "3\n" << n / 3 << "\n0\n" << n << "\n" << n << "\n" << n << "\t" << n << "\n";
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const double padded = i == j ? 1.0 : 0.0;
      out << (rows[i] >= 0 && rows[j] >= 0 ? W(rows[i], rows[j]) : padded) << (j + 1 < n ? ' ' : '\n');
    }
  }
  for (std::size_t i = 0; i < n; ++i) out << (rows[i] >= 0 ? q[rows[i]] : 0.0) << (i + 1 < n ? ' ' : '\n');
  for (int i = 0; i < problem.block_count(); ++i) {
    const bool limit = problem.types[static_cast<std::size_t>(i)] == BlockType::kLimit;
    out << (limit ? 0.0 : Finite(path, "mu", problem.G.offset(i), problem.mu[i]))
        << (i + 1 < problem.block_count() ? ' ' : '\n');
  }
  out << "# dt = " << dt << "\n";
  Finish(path, &out);
}

}  // namespace

void WriteSiconos(const std::string& path, const ContactProblem& problem) {
  Write(path, problem, problem.dt > 0 ? problem.dt : 1.0, problem.dt);
}

void WriteSiconos(const std::string& path, const ProblemFile& file) {
  Write(path, file.problem, 1.0, file.dt);
}

void WriteSolution(const std::string& path, const RowVector& lambda) {
  if (lambda.size() % 3 != 0)
    throw std::invalid_argument(path + ": " + std::to_string(lambda.size()) +
                                " rows; expected 3 per contact");
  std::ofstream out = OpenForWriting(path);
  for (int r = 0; r < lambda.size(); r += 3)
    out << lambda[r + 2] << "\n" << lambda[r] << "\n" << lambda[r + 1] << "\n";
  Finish(path, &out);
}

}  // namespace tread
