// The rows of a sweep: results.csv, and results.sqlite (tables runs, columns, axes), one row per run in the order of the plan.
//
//   run, one column per axis, seed, status (done | died), outcome, then the numbers and texts of summary.json with dots between the
//   levels: tracking.vx.gait_rms_error [m/s], solver.solve_us.mean [us], ...
//
// Numbers are written so that reading them gives the same number; what a summary has no number for is empty. A summary's entry that has the
// name of an axis is not repeated. Wall-clock times (IsTimingColumn) differ from run to run, all else is the same for the same plan.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "experiments/sweep/sweep_journal.h"
#include "experiments/sweep/sweep_plan.h"

namespace tread {

using SweepCell =
    std::variant<std::monostate, std::int64_t, double, std::string>;  // true and false are 1 and 0

struct SweepTable {
  std::vector<std::string> columns;
  std::vector<std::vector<SweepCell>> rows;  // of the runs there are records of

  std::optional<std::size_t> Find(const std::string& column) const;
  // nan where the cell has no number, or the table no such column.
  double Number(std::size_t row, const std::string& column) const;
  std::string Text(std::size_t row, const std::string& column) const;
};

// real_time_factor, and columns one level of which ends in _us.
bool IsTimingColumn(const std::string& column);

std::string FormatSweepCell(const SweepCell& cell);

SweepTable MakeSweepTable(const SweepPlan& plan, const SweepRecords& records);

std::string SweepCsv(const SweepTable& table);

// Whole or not at all. Throw std::runtime_error.
void WriteSweepCsv(const SweepTable& table, const std::string& path);
void WriteSweepSqlite(const SweepTable& table, const SweepPlan& plan, const std::string& path);

}  // namespace tread
