#include "experiments/sweep/sweep_statistics.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "experiments/compare/statistics.h"

namespace tread {
namespace {

SweepSpread Quartiles(std::vector<double> values) {
  std::erase_if(values, [](double x) { return !std::isfinite(x); });
  return {Median(values), Quantile(values, 0.25), Quantile(values, 0.75)};
}

SweepSpread Share(int count, int all) {
  if (all == 0) return {Median({}), Median({}), Median({})};  // nan
  const Interval interval = WilsonInterval(count, all);
  return {static_cast<double>(count) / all, interval.low, interval.high};
}

std::string Text(double x) {
  if (std::isnan(x)) return "-";
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.4g", x);
  return buffer;
}

void PrintRow(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths) {
  for (std::size_t i = 0; i < cells.size(); ++i)
    std::printf("%*s%s", static_cast<int>(widths[i]), cells[i].c_str(), i + 1 < cells.size() ? "  " : "\n");
}

}  // namespace

std::vector<SweepPoint> SummarisePoints(const SweepPlan& plan, const SweepTable& table) {
  std::vector<SweepPoint> points(plan.points());
  std::vector<std::vector<double>> errors(points.size()), iterations(points.size()), times(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i].values = plan.ValuesAt(i);
    for (std::size_t a = 0; a < plan.axes.size(); ++a)
      points[i].name += (a > 0 ? ", " : "") + plan.axes[a].key + "=" + points[i].values[a];
  }
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    if (table.Text(row, "status") != "done") continue;
    const std::size_t i = plan.PointOf(static_cast<std::size_t>(table.Number(row, "run")));
    const bool completed = table.Text(row, "outcome") == "completed";
    ++points[i].runs;
    points[i].completed += completed ? 1 : 0;
    if (completed) errors[i].push_back(table.Number(row, "tracking.vx.gait_rms_error"));
    iterations[i].push_back(table.Number(row, "solver.iterations.mean"));
    times[i].push_back(table.Number(row, "solver.solve_us.mean"));
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i].error = Quartiles(errors[i]);
    points[i].lost = Share(points[i].runs - points[i].completed, points[i].runs);
    points[i].iterations = Quartiles(iterations[i]);
    points[i].solve_us = Quartiles(times[i]);
  }
  return points;
}

void PrintSweepTable(const SweepPlan& plan, const SweepTable& table) {
  std::vector<std::vector<std::string>> rows(1);
  for (const SweepAxis& axis : plan.axes) rows[0].push_back(axis.key);
  for (const char* name : {"completed", "vx rms of those [m/s]", "iterations", "solve [us]"})
    rows[0].push_back(name);
  for (const SweepPoint& point : SummarisePoints(plan, table)) {
    auto& row = rows.emplace_back(point.values);
    row.push_back(std::to_string(point.completed) + " of " + std::to_string(point.runs));
    for (const SweepSpread& spread : {point.error, point.iterations, point.solve_us})
      row.push_back(Text(spread.median));
  }
  std::vector<std::size_t> widths(rows[0].size());
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  for (const auto& row : rows) PrintRow(row, widths);
}

}  // namespace tread
