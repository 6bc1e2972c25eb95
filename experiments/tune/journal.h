// evaluations.csv: one line per evaluation, in the order of their numbers, on the disk before the next is begun to be written.
//
// Columns: index, generation, the keys, objective, falls, means of the entries of the objective. Numbers read back to the same double. A last line without
// its end (a process that was killed) is dropped when the file is opened again.
#pragma once

#include <string>
#include <vector>

namespace tread {

struct Evaluation {
  long index = 0;       // 0: the config's own values
  long generation = 0;  // 0 for them; of nlopt_ methods, every evaluation is one
  std::vector<double> values;
  double objective = 0;       // inf: not a number, or refused by the config
  long falls = 0;             // runs that did not complete
  std::vector<double> means;  // nan: no run had it
};

class Journal {
 public:
  // Opens or makes the file, drops a torn last line. Throws std::invalid_argument where it holds another header, lines that cannot be read, or is
  // being written by another process.
  Journal(const std::string& path, const std::vector<std::string>& keys,
          const std::vector<std::string>& entries);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  const std::vector<Evaluation>& found() const { return found_; }  // what was there when it was opened
  void Append(const Evaluation& evaluation);  // throws std::runtime_error when the disk is full

 private:
  void Read(const std::string& header, std::size_t keys, std::size_t entries);
  void Put(const std::string& text);

  std::string path_;
  int file_ = -1;
  std::vector<Evaluation> found_;
};

}  // namespace tread
