// One row of numbers per control tick, as a CSV file that plotting tools open.
//
// Columns are fixed when the log is made; a row is filled by index. Numbers have the shortest form that reads back to the same
// double, so equal runs give equal bytes. Columns whose name ends in _us are wall-clock times: the only ones that differ between
// equal runs. Rows gather in a buffer that is written out between ticks when it is nearly full; nothing is allocated per row.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

namespace tread {

class TickLog {
 public:
  TickLog() = default;
  ~TickLog();
  TickLog(const TickLog&) = delete;
  TickLog& operator=(const TickLog&) = delete;

  int AddColumn(const std::string& name);  // before Open; returns its index
  void Open(const std::string& path);      // writes the header; throws std::runtime_error
  void Commit();                           // the row as it stands; a no-op when not open
  void Flush();                            // throws std::runtime_error when the disk is full

  double& operator[](int column) { return row_[static_cast<std::size_t>(column)]; }
  const std::vector<std::string>& columns() const { return columns_; }
  const std::vector<double>& row() const { return row_; }

 private:
  std::vector<std::string> columns_;
  std::vector<double> row_;
  std::vector<char> buffer_;
  std::size_t used_ = 0;
  std::string path_;
  std::FILE* file_ = nullptr;
};

}  // namespace tread
