// The report page of a sweep: tracking, falls and solver cost against every axis that has several values, one line per combination of the
// other axes; accuracy against cost with its Pareto front; all points as a table.
#pragma once

#include "experiments/report/page.h"
#include "experiments/sweep/sweep_results.h"

namespace tread {

Page MakeSweepPage(const SweepPlan& plan, const SweepTable& table);

}  // namespace tread
