// The tables of a comparison, for the terminal and for the page alike.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "experiments/report/page.h"

namespace tread {

// What was run: config, seeds, ground, notes; a line each.
std::vector<std::string> CompareHeader(const nlohmann::ordered_json& compare);
// Outcome and tracking; distance to the reference; contact law and cost; with --vary the transfer.
std::vector<Table> CompareTables(const nlohmann::ordered_json& compare);

// Aligned columns, the first to the left, the others to the right; title and note around it.
std::string PlainText(const Table& table);

}  // namespace tread
