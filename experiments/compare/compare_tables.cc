#include "experiments/compare/compare_tables.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace tread {
namespace {

using Json = nlohmann::ordered_json;

std::string Format(const char* format, const Json& number) {
  if (!number.is_number()) return "-";
  char text[64];
  std::snprintf(text, sizeof(text), format, number.get<double>());
  return text;
}

std::string Short(const Json& number) {
  return Format("%.2g", number);
}

std::string Percent(const Json& share) {
  return share.is_number() ? Format("%.3g %%", 100 * share.get<double>()) : "-";
}

std::string Count(const Json& number) {
  return std::to_string(number.get<long>());
}

std::string Quartiles(const Json& spread, const char* format) {
  if (!spread["median"].is_number()) return "-";
  return "[" + Format(format, spread["q1"]) + ", " + Format(format, spread["q3"]) + "]";
}

// The control farthest from the reference, by the median; null when there is none.
const Json* FarthestControl(const Json& compare) {
  const Json* farthest = nullptr;
  for (const Json& column : compare["columns"]) {
    if (column["role"] != "control" || !column["dv"]["median"].is_number()) continue;
    if (farthest == nullptr || column["dv"]["median"] > (*farthest)["dv"]["median"]) farthest = &column;
  }
  return farthest;
}

std::string Heading(const Json& column) {
  const std::string name = column["name"], role = column["role"];
  return role == "model" ? name : name + " (" + role + ")";
}

Table OutcomeTable(const Json& compare) {
  Table table{
      .title = "Outcome and tracking",
      .note =
          "survival: share of runs that completed, Wilson 95 %; p: exact McNemar against the reference, "
          "in brackets the pairs that only the reference, only this one survived; "
          "vx error: rms of the gait-averaged velocity, runs that completed",
      .columns = {"backend", "law", "fell", "failed", "died", "survival", "95 %", "p",
                  "vx error median [m/s]", "quartiles", "mean"},
      .rows = {}};
  for (const Json& c : compare["columns"]) {
    const Json &outcomes = c["outcomes"], &survival = c["survival"], &vx = c["tracking"]["vx_gait_rms_error"];
    const long failed = outcomes["diverged"].get<long>() + outcomes["solver_failed"].get<long>();
    table.rows.push_back(
        {Heading(c), c["law"].get<std::string>(), Count(outcomes["fell"]), std::to_string(failed),
         Count(outcomes["died"]), Count(survival["completed"]) + "/" + Count(survival["n"]),
         Format("%.2f", survival["low"]) + " to " + Format("%.2f", survival["high"]),
         c["role"] == "reference" ? "-"
                                  : Short(survival["mcnemar_p"]) + " (" + Count(survival["only_reference"]) +
                                        ", " + Count(survival["only_this"]) + ")",
         Format("%.4f", vx["median"]), Quartiles(vx, "%.4f"), Format("%.4f", vx["mean"])});
  }
  return table;
}

std::string Rate(const Json& rate) {
  return Short(rate["median"]) + " (" + Count(rate["n"]) + "/" + Count(rate["of"]) + ")";
}

Table GapTable(const Json& compare) {
  const Json* control = FarthestControl(compare);
  Table table{
      .title = "Distance to " + compare["reference"].get<std::string>(),
      .note =
          "dv: rms difference of the gait-averaged planar velocity, pair by pair; above control: pairs in "
          "which "
          "it is larger than the control's, sign test; 1 cm: first time the bases are that far apart; "
          "none: share of pairs that came to no such time while both ran; rate: slope of log distance "
          "between 1e-9 and 0.01 m, "
          "median of the pairs that have one (how many); replay: the reference's torques, open loop",
      .columns = {"backend", "dv median [m/s]", "quartiles", "mean", "/ control", "above control", "p",
                  "1 cm median [s]", "none", "rate [1/s]", "replay 1 cm [s]", "replay rate [1/s]"},
      .rows = {}};
  for (const Json& c : compare["columns"]) {
    const bool reference = c["role"] == "reference";
    const double floor = control != nullptr ? (*control)["dv"]["median"].get<double>() : 0;
    const Json& dv = c["dv"];
    const bool model = c["role"] == "model", judged = model && control != nullptr;
    const Json replay = c.value("replay", Json::object());
    const auto of_replay = [&](const char* key) {
      return replay.is_object() && replay.contains(key) ? Short(replay[key]["median"]) : std::string("-");
    };
    table.rows.push_back(
        {Heading(c), reference ? "-" : Short(dv["median"]), reference ? "-" : Quartiles(dv, "%.2g"),
         reference ? "-" : Short(dv["mean"]),
         judged && dv["median"].is_number() && floor > 0 ? Short(dv["median"].get<double>() / floor) : "-",
         judged ? Count(c["against_control"]["above"]) + "/" + Count(c["against_control"]["n"]) : "-",
         judged ? Short(c["against_control"]["p"]) : "-",
         reference ? "-" : Format("%.2f", c["to_near"]["median"]),
         reference ? "-" : Percent(c["to_near"]["never_share"]), Rate(c["rate"]), of_replay("to_near"),
         of_replay("rate")});
  }
  return table;
}

Table LawTable(const Json& compare) {
  Table table{
      .title = "Contact law and cost",
      .note =
          "eps: violation of the exact law, median over runs of the mean over ticks, and the largest of all; "
          "iterations per tick; solve: p50 per tick, median over runs; slip, cost of transport, work: "
          "medians of the runs that completed",
      .columns = {"backend", "eps_d [m/s^2]", "max", "eps_c [N m/s^2]", "max", "unconverged", "iterations",
                  "solve [us]", "tick [us]", "slip [m]", "transport", "work [J]"},
      .rows = {}};
  for (const Json& c : compare["columns"]) {
    const Json &d = c["criteria"]["eps_d"], &power = c["criteria"]["eps_c"];
    table.rows.push_back(
        {Heading(c), Short(d["median_of_mean"]), Short(d["max"]), Short(power["median_of_mean"]),
         Short(power["max"]), Percent(c["unconverged_share"]), Format("%.1f", c["iterations"]),
         Format("%.2f", c["solve_p50_us"]), Format("%.0f", c["tick_us"]), Format("%.3f", c["slip"]["median"]),
         Format("%.3f", c["cost_of_transport"]["median"]), Format("%.1f", c["work"]["median"])});
  }
  return table;
}

Table MatrixTable(const Json& compare, const char* key, const std::string& title, const std::string& note,
                  const char* format) {
  Table table{.title = title, .note = note, .columns = {""}, .rows = {}};
  for (const Json& c : compare["columns"]) table.columns.push_back(c["name"]);
  const Json& matrix = compare["transfer"][key];
  for (std::size_t a = 0; a < matrix.size(); ++a) {
    table.rows.push_back({compare["columns"][a]["name"].get<std::string>()});
    for (const Json& x : matrix[a]) table.rows.back().push_back(Format(format, x));
  }
  return table;
}

Table CandidateTable(const Json& compare) {
  const Json& transfer = compare["transfer"];
  Table table{.title = "Objective of every candidate [m/s]",
              .note =
                  "mean over seeds of the rms error of the gait-averaged planar velocity; a run that does "
                  "not complete "
                  "counts as " +
                  Short(transfer["fall_penalty"]) + " m/s; *: best under that backend",
              .columns = {"candidate"},
              .rows = {}};
  for (const Json& c : compare["columns"]) table.columns.push_back(c["name"]);
  for (std::size_t k = 0; k < transfer["candidates"].size(); ++k) {
    const std::string name = transfer["candidates"][k];
    table.rows.push_back({name});
    for (std::size_t c = 0; c < compare["columns"].size(); ++c) {
      const std::string column = compare["columns"][c]["name"];
      table.rows.back().push_back(Format("%.4f", transfer["objective"][c][k]) +
                                  (transfer["best"][column] == name ? "*" : ""));
    }
  }
  return table;
}

}  // namespace

std::vector<std::string> CompareHeader(const Json& compare) {
  const Json &seeds = compare["seeds"], &ground = compare["terrain"];
  std::vector<std::string> lines;
  lines.push_back(
      compare["config"].get<std::string>() + ", " + Short(compare["duration"]) + " s, " +
      (seeds.size() == 1 ? "seed " + Count(seeds[0])
                         : "seeds " + Count(seeds.front()) + " to " + Count(seeds.back())) +
      (compare["candidates"] > 1 ? ", " + Count(compare["candidates"]) + " candidates" : std::string()) +
      "; reference " + compare["reference"].get<std::string>());
  lines.push_back("ground: " + ground["type"].get<std::string>() + ", slope p95 " +
                  Short(ground["slope_p95"]) + ", largest " + Short(ground["slope_max"]) + ", friction " +
                  Short(ground["friction"]) + "; slope p95 / friction " +
                  Short(ground["slope_p95_over_friction"]));
  for (const Json& note : compare["notes"]) lines.push_back("note: " + note.get<std::string>());
  return lines;
}

std::vector<Table> CompareTables(const Json& compare) {
  std::vector<Table> tables{OutcomeTable(compare), GapTable(compare), LawTable(compare)};
  if (!compare.contains("transfer")) return tables;
  tables.push_back(CandidateTable(compare));
  tables.push_back(MatrixTable(compare, "kendall", "Rank agreement",
                               "Kendall's tau-b of the candidates' order under two backends", "%+.2f"));
  tables.push_back(MatrixTable(
      compare, "transfer", "Transfer",
      "row: chosen as best under this backend; column: its objective under that one, over the best there",
      "%.3f"));
  return tables;
}

std::string PlainText(const Table& table) {
  std::vector<std::size_t> widths;
  const auto measure = [&](const std::vector<std::string>& row) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  };
  const auto line = [&](const std::vector<std::string>& row) {
    std::string text = "  ";
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string pad(widths[i] - row[i].size(), ' ');
      text += i == 0 ? row[i] + pad : "  " + pad + row[i];
    }
    return text + "\n";
  };
  measure(table.columns);
  for (const auto& row : table.rows) measure(row);
  std::string text = table.title + "\n" + line(table.columns);
  for (const auto& row : table.rows) text += line(row);
  return text + "  (" + table.note + ")\n";
}

}  // namespace tread
