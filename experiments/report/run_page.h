// The page of one run, made from the files it left: config.yaml, ticks.csv, summary.json.
//
// What is missing is left out, with a sentence that says why: no ticks.csv (log.ticks: none) means no plots and no replay, no summary.json
// (a run that was interrupted) no tables.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "experiments/report/page.h"
#include "experiments/report/ticks_table.h"

namespace tread {

// Throws std::invalid_argument for files that are not those of a run.
Page MakeRunPage(const std::string& folder);

// Its parts.
void AddRunTables(const nlohmann::ordered_json& summary, Page* page);
void AddRunPlots(const TicksTable& ticks, const std::string& law, Page* page);

}  // namespace tread
