#include "experiments/report/compare_page.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "experiments/compare/compare_tables.h"

namespace tread {
namespace {

using Json = nlohmann::ordered_json;

double Number(const Json& x) {
  return x.is_number() ? x.get<double>() : std::numeric_limits<double>::quiet_NaN();
}

std::vector<double> Numbers(const Json& list) {
  std::vector<double> numbers;
  for (const Json& x : list) numbers.push_back(Number(x));
  return numbers;
}

std::vector<std::string> Names(const Json& compare) {
  std::vector<std::string> names;
  for (const Json& column : compare["columns"]) names.push_back(column["name"]);
  return names;
}

std::string Label(const Json& column) {
  const std::string name = column["name"];
  return column["role"] == "control" ? name + " (control)" : name;
}

// Median with the band between the quartiles, per column; the reference is zero all along and is left out.
Plot Curves(const Json& compare, const std::string& title, const std::string& note, const char* pointer) {
  Plot plot{
      .title = title,
      .note = note,
      .x = {.label = "time", .unit = "s"},
      .y = {.label = "distance to " + compare["reference"].get<std::string>(), .unit = "m", .log = true},
      .lines = {}};
  for (const Json& column : compare["columns"]) {
    if (column["role"] == "reference") continue;
    const Json& curve = column[Json::json_pointer(pointer)];
    plot.lines.push_back({.name = Label(column),
                          .x = Numbers(curve["t"]),
                          .y = Numbers(curve["median"]),
                          .low = Numbers(curve["q1"]),
                          .high = Numbers(curve["q3"])});
  }
  return plot;
}

// One line of markers over the columns by number.
Line Markers(const Json& compare, const std::string& name, const char* pointer) {
  Line line{.name = name, .x = {}, .y = {}, .low = {}, .high = {}, .style = Line::Style::kMarkers};
  for (std::size_t i = 0; i < compare["columns"].size(); ++i) {
    line.x.push_back(static_cast<double>(i));
    line.y.push_back(Number(compare["columns"][i][Json::json_pointer(pointer)]));
  }
  return line;
}

Plot Survival(const Json& compare) {
  Line line = Markers(compare, "share that completed, 95 % interval", "/survival/share");
  line.low = Markers(compare, "", "/survival/low").y;
  line.high = Markers(compare, "", "/survival/high").y;
  return {.title = "Survival",
          .note =
              "Share of the runs that completed, with Wilson's 95 % interval. Overlapping intervals say "
              "nothing about "
              "pairs: see p in the table.",
          .x = {.label = "backend", .unit = "", .names = Names(compare)},
          .y = {.label = "share", .unit = ""},
          .lines = {line}};
}

Plot Criteria(const Json& compare) {
  return {.title = "Violation of the exact law",
          .note =
              "By the judge, for every backend whatever law it solves. Median over runs of the mean over "
              "ticks, and the "
              "largest value of any tick.",
          .x = {.label = "backend", .unit = "", .names = Names(compare)},
          .y = {.label = "eps_d [m/s^2], eps_c [N m/s^2]", .unit = "", .log = true},
          .lines = {Markers(compare, "eps_d, mean", "/criteria/eps_d/median_of_mean"),
                    Markers(compare, "eps_d, max", "/criteria/eps_d/max"),
                    Markers(compare, "eps_c, mean", "/criteria/eps_c/median_of_mean"),
                    Markers(compare, "eps_c, max", "/criteria/eps_c/max")}};
}

Plot CostAgainstDistance(const Json& compare) {
  Plot plot{
      .title = "Cost against distance",
      .note =
          "Median solve time per tick and median velocity difference to the reference, a point per backend.",
      .x = {.label = "solve per tick, p50", .unit = "us", .log = true},
      .y = {.label = "dv", .unit = "m/s", .log = true},
      .lines = {}};
  for (const Json& column : compare["columns"]) {
    if (column["role"] == "reference") continue;
    plot.lines.push_back({.name = Label(column),
                          .x = {Number(column["solve_p50_us"])},
                          .y = {Number(column["dv"]["median"])},
                          .low = {},
                          .high = {},
                          .style = Line::Style::kMarkers});
  }
  return plot;
}

HeatMap Matrix(const Json& compare, const char* key, const std::string& title, const std::string& note,
               const char* columns, const char* rows) {
  HeatMap map{.title = title,
              .note = note,
              .unit = "",
              .x = {.label = columns, .unit = ""},
              .y = {.label = rows, .unit = ""},
              .columns = Names(compare),
              .rows = Names(compare),
              .values = {}};
  for (const Json& row : compare["transfer"][key]) map.values.push_back(Numbers(row));
  return map;
}

}  // namespace

Page ComparePage(const Json& compare) {
  const std::vector<std::string> header = CompareHeader(compare);
  Page page("Comparison of backends", header[0]);
  for (std::size_t i = 1; i < header.size(); ++i) page.Text(header[i]);
  for (const Table& table : CompareTables(compare)) page.Add(table);
  page.Heading("Gap");
  page.Add(Curves(compare, "Distance between the bases, closed loop",
                  "Median over pairs with the same seed, band between the quartiles. What the control does "
                  "is no difference "
                  "of contact models. A pair that has ended keeps its last distance.",
                  "/gap_curve"));
  if (compare["columns"][0].contains("replay"))
    page.Add(Curves(compare, "Distance between the bases, open loop",
                    "The torques applied under the reference, replayed without feedback. A robot on legs is "
                    "unstable then: every "
                    "difference grows, the control's too.",
                    "/replay/curve"));
  page.Add(Survival(compare));
  page.Add(Criteria(compare));
  page.Add(CostAgainstDistance(compare));
  if (compare.contains("transfer")) {
    page.Heading("Agreement and transfer");
    page.Add(Matrix(compare, "kendall", "Rank agreement",
                    "Kendall's tau-b of the candidates' order: 1 the same, -1 reversed.", "backend",
                    "backend"));
    page.Add(Matrix(compare, "transfer", "Transfer",
                    "Objective of the candidate chosen under the row's backend, over the best there is under "
                    "the column's. 1: nothing lost.",
                    "evaluated under", "chosen under"));
  }
  page.Download("compare.json", compare.dump(1) + "\n");
  return page;
}

}  // namespace tread
