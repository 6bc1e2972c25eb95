// tread list: what there is, from the tables themselves.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "control/controller.h"
#include "experiments/cli/commands.h"
#include "robots/nearest.h"
#include "robots/robot_table.h"
#include "sim/backends.h"
#include "sim/terrain.h"

namespace tread {
namespace {

using Json = nlohmann::ordered_json;

Json Row(const std::string& kind, const std::string& name, const std::string& summary,
         const std::string& family = "", const std::string& law = "", bool available = true,
         const std::string& reason = "") {
  return {{"kind", kind}, {"name", name},           {"summary", summary}, {"family", family},
          {"law", law},   {"available", available}, {"reason", reason}};
}

// Config files in ./configs; the summary is the first comment line.
void ListConfigs(Json* rows) {
  std::error_code error;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator("configs", error)) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const auto& path : files) {
    std::ifstream in(path);
    std::string line;
    std::getline(in, line);
    rows->push_back(Row("config", path.string(), line.rfind("# ", 0) == 0 ? line.substr(2) : ""));
  }
}

Json Rows(const std::string& kind) {
  Json rows = Json::array();
  const auto wanted = [&](const char* name) { return kind.empty() || kind == name; };
  if (wanted("backends")) {
    for (const BackendEntry& e : BackendTable())
      rows.push_back(Row("backend", e.name, e.summary, e.family, Name(e.law), e.available, e.reason));
  }
  if (wanted("robots")) {
    for (const RobotEntry& e : RobotTable()) rows.push_back(Row("robot", e.name, e.summary, e.kind));
  }
  if (wanted("terrains")) {
    for (const TerrainEntry& e : TerrainTable()) rows.push_back(Row("terrain", e.name, e.summary));
  }
  if (wanted("controllers")) {
    for (const ControllerEntry& e : ControllerTable()) rows.push_back(Row("controller", e.name, e.summary));
  }
  if (wanted("configs")) ListConfigs(&rows);
  return rows;
}

void RunList(const std::string& kind, bool json, bool markdown) {
  const std::vector<std::string> kinds{"backends", "robots", "terrains", "controllers", "studies", "configs"};
  if (!kind.empty() && std::find(kinds.begin(), kinds.end(), kind) == kinds.end())
    throw std::invalid_argument("list " + kind + ": no such kind" + DidYouMean(kind, kinds));
  const Json rows = Rows(kind);
  if (json) {
    std::printf("%s\n", rows.dump(1).c_str());
    return;
  }
  if (markdown) std::printf("| kind | name | law | what it is |\n|---|---|---|---|\n");
  std::size_t width = 0;
  for (const Json& r : rows) width = std::max(width, r["name"].get<std::string>().size());
  for (const Json& r : rows) {
    const std::string name = r["name"], law = r["law"], reason = r["reason"];
    std::string summary = r["summary"];
    if (!r["available"].get<bool>()) summary += " (not available: " + reason + ")";
    if (markdown) {
      std::printf("| %s | `%s` | %s | %s |\n", r["kind"].get<std::string>().c_str(), name.c_str(),
                  law.c_str(), summary.c_str());
    } else {
      std::printf("%-11s %-*s  %-7s %s\n", r["kind"].get<std::string>().c_str(), static_cast<int>(width),
                  name.c_str(), law.c_str(), summary.c_str());
    }
  }
}

}  // namespace

void AddListCommand(CLI::App* app) {
  auto kind = std::make_shared<std::string>();
  auto json = std::make_shared<bool>(false), markdown = std::make_shared<bool>(false);
  CLI::App* list = app->add_subcommand("list", "What there is");
  list->add_option("kind", *kind,
                   "backends, robots, terrains, controllers, studies or configs; all by default");
  list->add_flag("--json", *json, "As a JSON array");
  list->add_flag("--markdown", *markdown, "As a table for a README");
  list->callback([kind, json, markdown] { RunList(*kind, *json, *markdown); });
}

}  // namespace tread
