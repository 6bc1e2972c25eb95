// What a reader of a comparison must know beside its numbers.
#pragma once

#include <string>
#include <vector>

#include "experiments/compare/compare_measures.h"

namespace tread {

// The plan's notes; equal seeds; a reference that does not repeat itself; solves of reference or control that failed; what died.
std::vector<std::string> CompareNotes(const ComparePlan& plan, const CompareResult& result,
                                      const CompareMeasures& measures);

}  // namespace tread
