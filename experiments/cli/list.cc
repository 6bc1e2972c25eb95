// tread list: what there is, from the tables themselves.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "experiments/cli/commands.h"
#include "sim/contact/solver_table.h"
#include "sim/terrain.h"

namespace tread {
namespace {

nlohmann::ordered_json Row(const char* kind, const char* name, const char* summary, const char* family,
                           const char* law) {
  return {{"kind", kind}, {"name", name},      {"summary", summary}, {"family", family},
          {"law", law},   {"available", true}, {"reason", ""}};
}

void RunList(const std::string& kind, bool json) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  if (kind.empty() || kind == "solvers") {
    for (const SolverEntry& e : SolverTable())
      rows.push_back(Row("solver", e.name, e.summary, "contact", Name(e.law)));
  }
  if (kind.empty() || kind == "terrains") {
    for (const TerrainEntry& e : TerrainTable()) rows.push_back(Row("terrain", e.name, e.summary, "", ""));
  }
  if (json) {
    std::printf("%s\n", rows.dump(1).c_str());
    return;
  }
  for (const auto& r : rows) {
    std::printf("%-10s %-14s %-8s %s\n", r["kind"].get<std::string>().c_str(),
                r["name"].get<std::string>().c_str(), r["law"].get<std::string>().c_str(),
                r["summary"].get<std::string>().c_str());
  }
}

}  // namespace

void AddListCommand(CLI::App* app) {
  auto kind = std::make_shared<std::string>();
  auto json = std::make_shared<bool>(false);
  CLI::App* list = app->add_subcommand("list", "What there is: contact solvers, terrains");
  list->add_option("kind", *kind, "solvers or terrains; everything by default")
      ->check(CLI::IsMember({"solvers", "terrains"}));
  list->add_flag("--json", *json, "As a JSON array");
  list->callback([kind, json] { RunList(*kind, *json); });
}

}  // namespace tread
