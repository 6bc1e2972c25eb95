#include "experiments/report/run_page.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "experiments/experiment_config.h"
#include "experiments/report/replay.h"

namespace tread {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::string Contents(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

Json ReadSummary(const fs::path& path) {
  if (!fs::exists(path)) return nullptr;
  try {
    Json summary = Json::parse(Contents(path));
    if (summary.is_object() && summary.contains("outcome")) return summary;
  } catch (const Json::parse_error&) {
  }
  throw std::invalid_argument(path.string() + ": is no summary of a run; run it again");
}

// Four digits, or as it is.
std::string Cell(const Json& value) {
  if (value.is_null()) return "none";
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_number_float()) return value.dump();
  char text[32];
  std::snprintf(text, sizeof(text), "%.4g", value.get<double>());
  return text;
}

// The value at "a/b/c"; null when there is none.
Json At(const Json& summary, const std::string& path) {
  const Json::json_pointer pointer("/" + path);
  return summary.contains(pointer) ? summary.at(pointer) : Json(nullptr);
}

Table Spreads(const Json& summary, const std::string& title, const std::string& note,
              const std::vector<std::string>& columns,
              const std::vector<std::pair<std::string, std::string>>& rows) {
  Table table{title, note, {""}, {}};
  for (const std::string& column : columns) table.columns.push_back(column);
  for (const auto& [name, path] : rows) {
    const Json values = At(summary, path);
    if (!values.is_object() || values.empty()) continue;
    table.rows.push_back({name});
    for (const std::string& column : columns)
      table.rows.back().push_back(values.contains(column) ? Cell(values[column]) : "");
  }
  return table;
}

void AddReplayOrReason(const fs::path& folder, const TicksTable& ticks, Page* page) {
  const std::string config = folder / "config.yaml";
  try {
    AddReplay(LoadExperiment(config, {}), ticks, page);
  } catch (const std::invalid_argument& error) {
    page->Text("No replay: the scene cannot be made from this run's files. " + std::string(error.what()));
  }
}

}  // namespace

void AddRunTables(const Json& summary, Page* page) {
  Table run{"", "", {"", "value"}, {}};
  for (const auto& [name, path] : std::vector<std::pair<std::string, std::string>>{
           {"outcome", "outcome"},
           {"reason", "outcome_reason"},
           {"simulated time [s]", "outcome_time"},
           {"duration asked for [s]", "duration"},
           {"robot", "robot"},
           {"controller", "controller"},
           {"backend", "backend"},
           {"contact law", "law"},
           {"seed", "seed"},
           {"ground", "terrain/type"},
           {"slope of the ground walked on, 95th percentile", "terrain/slope_p95"},
           {"drift from where it should be [m]", "drift_xy"},
           {"slip of the feet [m]", "slip/distance"},
           {"cost of transport", "cost_of_transport"},
           {"share of torques clamped", "saturation_share"},
           {"normal force with the ground, mean [N]", "normal_force/mean"},
           {"weight [N]", "normal_force/weight"},
           {"deepest penetration [m]", "penetration_max"},
           {"share of solves not converged", "solver/unconverged_share"},
           {"times real time", "real_time_factor"},
           {"config hash", "config_hash"},
           {"version", "version"}}) {
    const Json value = At(summary, path);
    const bool of_a_robot = path == "drift_xy" || path == "slip/distance" || path == "saturation_share";
    if (of_a_robot && At(summary, "robot") == "none") continue;
    if (!value.is_null() && value != "") run.rows.push_back({name, Cell(value)});
  }
  page->Add(run);
  page->Add(
      Spreads(summary, "Contact law",
              "The judge's verdict over the run: eps_p [N], eps_d [m/s^2], eps_c [N m/s^2]; the largest over "
              "contacts and steps of each tick.",
              {"mean", "p95", "max"},
              {{"exact law, eps_p", "criteria/ncp/eps_p"},
               {"exact law, eps_d", "criteria/ncp/eps_d"},
               {"exact law, eps_c", "criteria/ncp/eps_c"},
               {"the backend's own law, eps_p", "criteria/own/eps_p"},
               {"the backend's own law, eps_d", "criteria/own/eps_d"},
               {"the backend's own law, eps_c", "criteria/own/eps_c"}}));
  const Table tracking =
      Spreads(summary, "Tracking",
              "Measured minus commanded, from " + Cell(At(summary, "tracking/steady_from")) + " s on.",
              {"gait_mean_error", "gait_rms_error", "rms_error"},
              {{"vx [m/s]", "tracking/vx"}, {"vy [m/s]", "tracking/vy"}, {"wz [rad/s]", "tracking/wz"}});
  if (!tracking.rows.empty()) page->Add(tracking);
  page->Add(Spreads(summary, "Cost", "Wall-clock times [us]; iterations as numbers.",
                    {"mean", "p50", "p95", "p99", "max"},
                    {{"contact solver", "solver/solve_us"},
                     {"contact solver, iterations", "solver/iterations"},
                     {"simulation step", "step_us"},
                     {"controller", "control_us"},
                     {"MPC", "mpc_us"},
                     {"whole-body control", "wbc_us"},
                     {"whole tick", "tick_us"}}));
}

Page MakeRunPage(const std::string& dir) {
  const fs::path folder(dir), ticks_file = folder / "ticks.csv";
  const Json summary = ReadSummary(folder / "summary.json");
  const std::string name = fs::weakly_canonical(folder).filename().string();
  const auto text = [&](const char* key) {
    return summary.is_object() && summary.contains(key) ? Cell(summary[key]) : std::string();
  };
  Page page(name, summary.is_null()
                      ? "A run that was interrupted: there is no summary."
                      : (text("robot") == "none" ? "Free bodies" : text("robot")) + " under " +
                            text("backend") + " (law " + text("law") + "), seed " + text("seed") + ": " +
                            text("outcome") + " after " + text("outcome_time") + " s");
  std::string missing;
  TicksTable ticks;
  if (!fs::exists(ticks_file))
    missing =
        "No plots and no replay: this run kept no ticks.csv (log.ticks: none, or the file was removed).";
  else
    ticks = TicksTable::Read(ticks_file.string());
  if (missing.empty() && ticks.rows() == 0) missing = "No plots and no replay: ticks.csv holds no tick.";
  if (missing.empty()) {
    page.Heading("Motion");
    AddReplayOrReason(folder, ticks, &page);
  }
  page.Heading("Summary");
  if (!missing.empty()) page.Text(missing);
  if (!summary.is_null()) AddRunTables(summary, &page);
  if (missing.empty()) AddRunPlots(ticks, text("law"), &page);
  page.Heading("Files");
  if (missing.empty())
    page.Text(
        "Every tick and every column is in ticks.csv beside this page; plots of long runs show groups of "
        "ticks.");
  page.Download("config.yaml", Contents(folder / "config.yaml"));
  if (!summary.is_null()) page.Download("summary.json", Contents(folder / "summary.json"));
  return page;
}

}  // namespace tread
