#include "sim/contact/siconos_io.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <vector>

namespace tread {
namespace {

constexpr double kLargestAsymmetry = 1e-2;
constexpr int kMaxContacts = 100000;

// Whitespace-separated numbers with the line they stand on.
class Tokens {
 public:
  explicit Tokens(const std::string& path) : path_(path) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
      throw std::invalid_argument(path + ": is a folder; give the path of a contact problem file");
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    if (!file) {
      throw std::invalid_argument(path + ": cannot be opened (" + std::strerror(errno) +
                                  "); give the path of a contact problem file");
    }
    text_.assign(std::istreambuf_iterator<char>(file), {});
    if (file.bad()) throw std::invalid_argument(path + ": cannot be read; is it a file?");
  }

  // Characters not yet read: no file holds more than half as many numbers.
  std::size_t left() const { return text_.size() - at_; }

  double Number(const std::string& what) {
    const std::string word = Word(what);
    double value = 0;
    const auto [end, error] =
        std::from_chars(word.data() + (word[0] == '+'), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size())
      Fail(what + " = '" + word + "': expected a number");
    if (!std::isfinite(value)) Fail(what + " = " + word + ": expected a finite number");
    return value;
  }

  int Integer(const std::string& what, int min, int max) {
    const double value = Number(what);
    if (value != std::floor(value) || value < min || value > max) {
      std::ostringstream text;
      text << what << " = " << value << ": expected a whole number from " << min << " to " << max;
      Fail(text.str());
    }
    return static_cast<int>(value);
  }

  void Expect(const std::string& what, int expected) {
    const int value = Integer(what, 0, 1 << 30);
    if (value != expected)
      Fail(what + " = " + std::to_string(value) + ": expected " + std::to_string(expected));
  }

  [[noreturn]] void Fail(const std::string& message) const {
    throw std::invalid_argument(path_ + ":" + std::to_string(line_) + ": " + message);
  }

  // What may follow the coefficients: one flag, 0 or 1, which Siconos writes, and lines of comment. Returns the dt of a line `# dt = SECONDS`,
  // 0 without one.
  double Rest() {
    double dt = 0;
    SkipSpace();
    if (at_ < text_.size() && text_[at_] != '#') {
      const std::string word = Word("the end");
      if (word != "0" && word != "1")
        Fail("'" + word + "' after the last coefficient: expected the end of the file or '# dt = SECONDS'");
      SkipSpace();
    }
    for (; at_ < text_.size(); SkipSpace()) {
      const std::string line = text_.substr(at_, text_.find('\n', at_) - at_);
      if (line[0] != '#') Fail("'" + line + "' after the last coefficient: expected the end of the file");
      at_ += line.size();
      if (line.rfind("# dt =", 0) == 0) dt = ParseDt(line.substr(6));
    }
    return dt;
  }

 private:
  double ParseDt(const std::string& text) const {
    std::istringstream in(text);
    std::string word, more;
    in >> word >> more;
    double dt = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), dt);
    const bool number = error == std::errc() && end == word.data() + word.size() && more.empty();
    if (!number || !std::isfinite(dt) || dt < 0) Fail("dt =" + text + ": expected a time in seconds, >= 0");
    return dt;
  }

  void SkipSpace() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) {
      if (text_[at_++] == '\n') ++line_;
    }
  }

  std::string Word(const std::string& what) {
    SkipSpace();
    const std::size_t begin = at_;
    while (at_ < text_.size() && !std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    if (at_ == begin) Fail("the file ends where " + what + " should stand; it is truncated");
    return text_.substr(begin, at_ - begin);
  }

  std::string path_, text_;
  std::size_t at_ = 0;
  int line_ = 1;
};

// Row in tread's order (T1, T2, N) of a row in the file's (N, T1, T2).
int Reorder(int file_row) {
  return file_row / 3 * 3 + (file_row % 3 + 2) % 3;
}

struct Entry3 {
  int i, j;
  Eigen::Matrix3d value;  // in the file's order
};

void ReadDense(Tokens* in, int contacts, std::vector<Entry3>* blocks) {
  const int n = 3 * contacts;
  in->Expect("matrix rows", n);
  in->Expect("matrix columns", n);
  const auto entries = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
  if (in->left() / 2 < entries)
    in->Fail("the file is too short for " + std::to_string(entries) + " matrix entries; it is truncated");
  Eigen::MatrixXd W(n, n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j)
      W(i, j) = in->Number("matrix entry (" + std::to_string(i) + ", " + std::to_string(j) + ")");
  }
  for (int i = 0; i < contacts; ++i) {
    for (int j = 0; j < contacts; ++j) {
      const Eigen::Matrix3d block = W.block<3, 3>(3 * i, 3 * j);
      if (i == j || !block.isZero(0) || !W.block<3, 3>(3 * j, 3 * i).isZero(0))
        blocks->push_back({i, j, block});
    }
  }
}

void ReadSparse(Tokens* in, int contacts, std::vector<Entry3>* blocks) {
  const int count = in->Integer("number of blocks", 1, static_cast<int>(in->left() / 20));  // 10 numbers each
  in->Expect("block rows", contacts);
  in->Expect("block columns", contacts);
  for (const char* what : {"row end", "column end"}) {
    for (int i = 1; i <= contacts; ++i) in->Expect(what, 3 * i);
  }
  in->Expect("size of the row starts", contacts + 1);
  in->Expect("size of the block columns", count);
  std::vector<int> starts, columns;
  for (int i = 0; i <= contacts; ++i) starts.push_back(in->Integer("row start", 0, count));
  for (int k = 0; k < count; ++k) columns.push_back(in->Integer("block column", 0, contacts - 1));
  if (starts.front() != 0 || starts.back() != count || !std::is_sorted(starts.begin(), starts.end())) {
    in->Fail("row starts must rise from 0 to " + std::to_string(count));
  }
  for (int i = 0; i < contacts; ++i) {
    for (int k = starts[static_cast<std::size_t>(i)]; k < starts[static_cast<std::size_t>(i) + 1]; ++k) {
      in->Expect("block number", k);
      Entry3 entry{i, columns[static_cast<std::size_t>(k)], {}};
      for (int e = 0; e < 9; ++e)
        entry.value(e % 3, e / 3) = in->Number("entry of block " + std::to_string(k));
      blocks->push_back(entry);
    }
  }
}

struct Asymmetry {
  double relative = 0;  // to the largest entry
  int row = 0, column = 0;
  double upper = 0, lower = 0;  // entries (row, column) and (column, row), in the file's order
};

// Sums the blocks into G, in tread's order, and symmetrises it.
Asymmetry Assemble(const std::vector<Entry3>& blocks, int contacts, BlockMatrix* G) {
  const std::vector<int> sizes(static_cast<std::size_t>(contacts), 3);
  std::vector<std::pair<int, int>> pairs;
  for (const Entry3& b : blocks) pairs.emplace_back(b.i, b.j);
  G->SetPattern(sizes, pairs);
  G->SetZero();
  for (const Entry3& b : blocks) {
    auto block = G->Block(b.i, b.j);
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c < 3; ++c) block(Reorder(r), Reorder(c)) += b.value(r, c);
    }
  }
  Asymmetry worst;
  double largest = 0, difference = 0;
  for (int i = 0; i < contacts; ++i) {
    for (int j : G->neighbours(i)) {
      if (j < i) continue;
      const Eigen::Matrix3d a = G->Block(i, j), b = G->Block(j, i).transpose();
      largest = std::max({largest, a.cwiseAbs().maxCoeff(), b.cwiseAbs().maxCoeff()});
      int r = 0, c = 0;
      const double most = (a - b).cwiseAbs().maxCoeff(&r, &c);
      if (most > difference) {
        difference = most;
        worst = {0, 3 * i + (r + 1) % 3, 3 * j + (c + 1) % 3, a(r, c), b(r, c)};
      }
      G->Block(i, j) = 0.5 * (a + b);
      G->Block(j, i) = 0.5 * (a + b).transpose();
    }
  }
  worst.relative = largest > 0 ? difference / largest : 0;
  return worst;
}

void RefuseAsymmetry(const Tokens& in, const Asymmetry& a) {
  std::ostringstream text;
  text << "matrix entries (" << a.row << ", " << a.column << ") = " << a.upper << " and (" << a.column << ", "
       << a.row << ") = " << a.lower << ": asymmetric by " << a.relative
       << " of the largest entry; at most 0.01 is accepted";
  in.Fail(text.str());
}

}  // namespace

ProblemFile ReadSiconos(const std::string& path) {
  Tokens in(path);
  in.Expect("dimension", 3);
  const int contacts = in.Integer("number of contacts", 1, kMaxContacts);
  const int storage = in.Integer("storage (0 dense, 1 sparse block)", 0, 1);
  in.Expect("rows", 3 * contacts);
  in.Expect("columns", 3 * contacts);
  std::vector<Entry3> blocks;
  storage == 0 ? ReadDense(&in, contacts, &blocks) : ReadSparse(&in, contacts, &blocks);

  ProblemFile file;
  ContactProblem& p = file.problem;
  const Asymmetry asymmetry = Assemble(blocks, contacts, &p.G);
  file.asymmetry = asymmetry.relative;
  if (file.asymmetry > kLargestAsymmetry) RefuseAsymmetry(in, asymmetry);
  for (int i = 0; i < contacts; ++i) {
    if (!(p.G.Diagonal(i).diagonal().minCoeff() > 0)) {
      in.Fail("contact " + std::to_string(i) + ": the diagonal of the matrix must be positive");
    }
  }
  p.types.assign(static_cast<std::size_t>(contacts), BlockType::kCoulomb);
  p.g.setZero(3 * contacts);
  for (int r = 0; r < 3 * contacts; ++r) p.g[Reorder(r)] = in.Number("q[" + std::to_string(r) + "]");
  p.mu.setZero(contacts);
  for (int i = 0; i < contacts; ++i) {
    p.mu[i] = in.Number("mu[" + std::to_string(i) + "]");
    if (p.mu[i] < 0) in.Fail("mu[" + std::to_string(i) + "] = " + std::to_string(p.mu[i]) + ": must be >= 0");
  }
  file.dt = in.Rest();
  p.target.setZero(3 * contacts);
  p.R.setZero(3 * contacts);
  return file;
}

ContactProblem InForces(const ProblemFile& file) {
  ContactProblem problem = file.problem;
  if (file.dt > 0) {
    problem.g /= file.dt;
    problem.dt = file.dt;
  }
  return problem;
}

}  // namespace tread
