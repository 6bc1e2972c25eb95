// compare.json: what a comparison comes down to. Everything the tables, the CSV file and the page show is read from it.
//
// Statistics are over distinct units (compare_measures.h) in which neither the run nor the reference's has died. Tracking, slip, work and cost of transport
// are those of the runs that completed. Times to divergence count pairs that never got there as infinite: a median of null
// means that more than half did not. Keys that end in _us are wall-clock times: the only ones that differ between equal calls.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "experiments/compare/compare_measures.h"

namespace tread {

nlohmann::ordered_json CompareJson(const ComparePlan& plan, const CompareResult& result);

// runs.csv: one row per unit and column, in the order of the plan.
std::string RunsCsv(const ComparePlan& plan, const CompareResult& result);
// compare.csv: one row per column.
std::string CompareCsv(const nlohmann::ordered_json& compare);

}  // namespace tread
