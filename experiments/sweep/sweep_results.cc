#include "experiments/sweep/sweep_results.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <unordered_map>

#include "experiments/sweep/whole_file.h"

namespace tread {
namespace {

using Json = nlohmann::ordered_json;
using Entries = std::vector<std::pair<std::string, SweepCell>>;

SweepCell CellOf(const Json& value) {
  if (value.is_boolean()) return static_cast<std::int64_t>(value.get<bool>());
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (value.is_number()) return value.get<double>();
  if (value.is_string()) return value.get<std::string>();
  return {};
}

// A number where all of the text is one.
SweepCell CellOfText(const std::string& text) {
  const char *begin = text.data(), *end = begin + text.size();
  std::int64_t integer = 0;
  const auto as_integer = std::from_chars(begin, end, integer);
  if (as_integer.ec == std::errc() && as_integer.ptr == end) return integer;
  double real = 0;
  const auto as_real = std::from_chars(begin, end, real);
  if (as_real.ec == std::errc() && as_real.ptr == end && std::isfinite(real)) return real;
  return text;
}

// Lists have no place in a row.
void Flatten(const Json& node, const std::string& name, Entries* entries) {
  if (!node.is_structured()) entries->emplace_back(name, CellOf(node));
  if (!node.is_object()) return;
  for (const auto& [key, child] : node.items())
    Flatten(child, name.empty() ? key : name + "." + key, entries);
}

std::string CsvField(const SweepCell& cell) {
  std::string text = FormatSweepCell(cell);
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

std::optional<std::size_t> SweepTable::Find(const std::string& column) const {
  const auto found = std::find(columns.begin(), columns.end(), column);
  if (found == columns.end()) return {};
  return static_cast<std::size_t>(found - columns.begin());
}

double SweepTable::Number(std::size_t row, const std::string& column) const {
  const auto i = Find(column);
  if (!i) return std::numeric_limits<double>::quiet_NaN();
  const SweepCell& cell = rows[row][*i];
  if (const auto* integer = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*integer);
  const auto* real = std::get_if<double>(&cell);
  return real != nullptr ? *real : std::numeric_limits<double>::quiet_NaN();
}

std::string SweepTable::Text(std::size_t row, const std::string& column) const {
  const auto i = Find(column);
  return i ? FormatSweepCell(rows[row][*i]) : "";
}

bool IsTimingColumn(const std::string& column) {
  return column == "real_time_factor" || (column + ".").find("_us.") != std::string::npos;
}

std::string FormatSweepCell(const SweepCell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  if (const auto* integer = std::get_if<std::int64_t>(&cell)) return std::to_string(*integer);
  const auto* real = std::get_if<double>(&cell);
  if (real == nullptr) return "";
  char buffer[32];
  return std::string(buffer, std::to_chars(buffer, buffer + sizeof buffer, *real).ptr);  // shortest exact
}

SweepTable MakeSweepTable(const SweepPlan& plan, const SweepRecords& records) {
  SweepTable table;
  std::unordered_map<std::string, std::size_t> places;
  const auto place = [&](const std::string& name) {
    const auto [found, is_new] = places.emplace(name, table.columns.size());
    if (is_new) table.columns.push_back(name);
    return found->second;
  };
  place("run");
  for (const SweepAxis& axis : plan.axes) place(axis.key);
  for (const char* name : {"seed", "status", "outcome"}) place(name);
  const std::size_t own = plan.axes.size() + 3;  // the rest comes from summaries: run, axes, seed, status

  for (const auto& [run, record] : records) {
    std::vector<SweepCell>& row = table.rows.emplace_back();
    row.push_back(static_cast<std::int64_t>(run));
    for (const std::string& value : plan.ValuesAt(plan.PointOf(run))) row.push_back(CellOfText(value));
    row.push_back(plan.SeedOf(run));
    row.push_back(std::string(record.done ? "done" : "died"));
    if (!record.done) continue;
    Entries entries;
    const Json summary = Json::parse(record.text);
    if (summary.value("seed", plan.SeedOf(run)) != plan.SeedOf(run))
      throw std::invalid_argument("run " + std::to_string(run) + " has seed " +
                                  std::to_string(summary.value("seed", plan.SeedOf(run))) +
                                  " in a journal and " + std::to_string(plan.SeedOf(run)) +
                                  " in plan.json; a journal of another sweep is in the folder, take it out");
    Flatten(summary, "", &entries);
    for (const auto& [name, cell] : entries) {
      const std::size_t i = place(name);
      if (i < own) continue;
      if (row.size() <= i) row.resize(i + 1);
      row[i] = cell;
    }
  }
  for (auto& row : table.rows) row.resize(table.columns.size());
  return table;
}

std::string SweepCsv(const SweepTable& table) {
  std::string text;
  for (const std::string& column : table.columns) text += (text.empty() ? "" : ",") + CsvField(column);
  text += "\n";
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) text += (i > 0 ? "," : "") + CsvField(row[i]);
    text += "\n";
  }
  return text;
}

void WriteSweepCsv(const SweepTable& table, const std::string& path) {
  WriteWholeFile(path, SweepCsv(table));
}

}  // namespace tread
