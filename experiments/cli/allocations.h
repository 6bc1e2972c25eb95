// How many heap allocations this program has made: the binary counts its calls of malloc.
#pragma once

namespace tread {

long CountAllocations();  // -1 where they cannot be counted (sanitizers, C libraries other than glibc)

}  // namespace tread
