#include "experiments/report/ticks_table.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <stdexcept>
#include <string_view>

namespace tread {
namespace {

std::string Contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary | std::ios::ate);
  if (!in) throw std::invalid_argument(path + ": cannot be read");
  std::string text(static_cast<std::size_t>(in.tellg()), '\0');
  in.seekg(0);
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!in) throw std::invalid_argument(path + ": cannot be read");
  return text;
}

}  // namespace

TicksTable TicksTable::Read(const std::string& path) {
  const std::string text = Contents(path);
  const char *at = text.data(), *const end = at + text.rfind('\n') + 1;  // npos + 1 = 0: no line at all
  TicksTable table;
  table.path_ = path;
  const char* line_end = std::find(at, end, '\n');
  for (const char* name = at; name < line_end;) {
    const char* stop = std::find(name, line_end, ',');
    table.names_.emplace_back(name, stop);
    name = stop + 1;
  }
  if (table.names_.empty()) throw std::invalid_argument(path + ":1: no names of columns");
  const std::size_t width = table.names_.size();
  const auto lines = static_cast<std::size_t>(std::count(line_end, end, '\n'));
  table.columns_.assign(width, {});
  for (auto& column : table.columns_) column.reserve(lines);
  at = line_end + 1;
  for (std::size_t line = 2; at < end; ++line) {
    for (std::size_t j = 0; j < width; ++j) {
      double value = 0;
      const auto [stop, error] = std::from_chars(at, end, value);
      if (error != std::errc() || *stop != (j + 1 < width ? ',' : '\n'))
        throw std::invalid_argument(path + ":" + std::to_string(line) + ": column " + table.names_[j] +
                                    " holds no number, or the line ends there");
      table.columns_[j].push_back(value);
      at = stop + 1;
    }
  }
  return table;
}

const std::vector<double>* TicksTable::Find(const std::string& name) const {
  const auto at = std::find(names_.begin(), names_.end(), name);
  return at == names_.end() ? nullptr : &columns_[static_cast<std::size_t>(at - names_.begin())];
}

const std::vector<double>& TicksTable::operator[](const std::string& name) const {
  const std::vector<double>* column = Find(name);
  if (column == nullptr) throw std::invalid_argument(path_ + ": has no column " + name);
  return *column;
}

std::vector<std::string> TicksTable::Between(const std::string& prefix, const std::string& suffix) const {
  std::vector<std::string> out;
  for (const std::string& name : names_) {
    if (name.size() > prefix.size() + suffix.size() && name.starts_with(prefix) && name.ends_with(suffix))
      out.push_back(name.substr(prefix.size(), name.size() - prefix.size() - suffix.size()));
  }
  return out;
}

}  // namespace tread
