// The report page of a comparison, from its compare.json alone (experiments/compare/compare_json.h).
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "experiments/report/page.h"

namespace tread {

// Tables, gap and replay curves, outcomes, criteria, cost against distance, and with --vary the agreement between backends.
Page ComparePage(const nlohmann::ordered_json& compare);

}  // namespace tread
