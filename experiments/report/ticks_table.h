// ticks.csv read back: columns by name (tick_columns.h). A last line that was not finished, of a run that was killed, is left out.
#pragma once

#include <string>
#include <vector>

namespace tread {

class TicksTable {
 public:
  // Throws std::invalid_argument "FILE:LINE: ..." for a file that is no table of numbers.
  static TicksTable Read(const std::string& path);

  std::size_t rows() const { return columns_.empty() ? 0 : columns_[0].size(); }
  const std::vector<std::string>& names() const { return names_; }
  // Null when there is no such column.
  const std::vector<double>* Find(const std::string& name) const;
  bool Has(const std::string& name) const { return Find(name) != nullptr; }
  // Throws std::invalid_argument naming the column.
  const std::vector<double>& operator[](const std::string& name) const;

  // The names between `prefix` and `suffix`, in order: Between("foot.", ".fz") gives FL, FR, ...
  std::vector<std::string> Between(const std::string& prefix, const std::string& suffix) const;

 private:
  std::string path_;
  std::vector<std::string> names_;
  std::vector<std::vector<double>> columns_;
};

}  // namespace tread
