#include "experiments/cli/allocations.h"

#include "experiments/allocation_counter.h"

long tread::CountAllocations() {
  return kCountsAllocations ? Allocations() : -1;
}
