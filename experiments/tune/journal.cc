#include "experiments/tune/journal.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

#include "experiments/tune/plan.h"

namespace tread {
namespace {

template <typename Number>
bool Parse(const std::string& text, Number* x) {
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, *x);
  return error == std::errc() && at == end;
}

bool ParseLine(const std::string& line, std::size_t keys, std::size_t entries, Evaluation* e) {
  std::vector<std::string> cells;
  std::istringstream stream(line);
  for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
  if (cells.size() != 4 + keys + entries) return false;
  e->values.resize(keys);
  e->means.resize(entries);
  auto cell = cells.begin();
  bool read = Parse(*cell++, &e->index);
  read = Parse(*cell++, &e->generation) && read;
  for (double& x : e->values) read = Parse(*cell++, &x) && read;
  read = Parse(*cell++, &e->objective) && read;
  read = Parse(*cell++, &e->falls) && read;
  for (double& x : e->means) read = Parse(*cell++, &x) && read;
  return read;
}

}  // namespace

Journal::Journal(const std::string& path, const std::vector<std::string>& keys,
                 const std::vector<std::string>& entries)
    : path_(path), file_(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
  if (file_ < 0) throw std::invalid_argument(path + ": cannot be opened: " + std::strerror(errno));
  try {
    struct flock lock = {};  // of this process alone: the processes it forks do not hold it
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    if (fcntl(file_, F_SETLK, &lock) != 0 && (errno == EACCES || errno == EAGAIN))
      throw std::invalid_argument(
          path + ": another 'tread tune' is writing it; wait for its end, or choose another --out");
    std::string header = "index,generation";
    for (const std::string& key : keys) header += "," + key;
    header += ",objective,falls";
    for (const std::string& entry : entries) header += "," + entry;
    Read(header, keys.size(), entries.size());
  } catch (...) {
    close(file_);
    throw;
  }
}

Journal::~Journal() {
  close(file_);
}

void Journal::Read(const std::string& header, std::size_t keys, std::size_t entries) {
  std::string text;
  char block[65536];
  for (ssize_t n = 0; (n = read(file_, block, sizeof(block))) > 0;)
    text.append(block, static_cast<std::size_t>(n));
  const std::size_t whole = text.rfind('\n') + 1;  // npos + 1: 0
  std::istringstream lines(text.substr(0, whole));
  std::string line;
  if (std::getline(lines, line) && line != header)
    throw std::invalid_argument(path_ + ":1: other columns than this search has; choose another --out");
  for (long index = 0; std::getline(lines, line); ++index) {
    Evaluation evaluation;
    if (!ParseLine(line, keys, entries, &evaluation) || evaluation.index != index)
      throw std::invalid_argument(path_ + ":" + std::to_string(index + 2) + ": not a line of evaluation " +
                                  std::to_string(index) +
                                  "; remove it and all below, or choose another --out");
    found_.push_back(std::move(evaluation));
  }
  if (ftruncate(file_, static_cast<off_t>(whole)) != 0 || lseek(file_, 0, SEEK_END) < 0)
    throw std::invalid_argument(path_ + ": cannot be written: " + std::strerror(errno));
  if (whole == 0) Put(header + "\n");
}

void Journal::Append(const Evaluation& e) {
  std::string line = std::to_string(e.index) + "," + std::to_string(e.generation);
  for (const double x : e.values) line += "," + NumberText(x);
  line += "," + NumberText(e.objective) + "," + std::to_string(e.falls);
  for (const double x : e.means) line += "," + NumberText(x);
  Put(line + "\n");
}

void Journal::Put(const std::string& text) {
  if (write(file_, text.data(), text.size()) != static_cast<ssize_t>(text.size()) || fsync(file_) != 0)
    throw std::runtime_error(path_ + ": cannot be written; is the disk full?");
}

}  // namespace tread
