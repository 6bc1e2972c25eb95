// The page of a search: what it found, the objective over its evaluations, every key against the objective, the best ten.
#pragma once

#include "experiments/report/page.h"
#include "experiments/tune/tune.h"

namespace tread {

Page MakeTunePage(const TunePlan& plan, const TuneResult& result);

}  // namespace tread
