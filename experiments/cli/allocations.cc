#include "experiments/cli/allocations.h"

#include <atomic>
#include <cstddef>
#include <cstdlib>

// Eigen calls malloc, operator new calls malloc: both are seen. posix_memalign and calloc are not.
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
namespace {
std::atomic<long> allocations{0};
}
extern "C" {
void* __libc_malloc(std::size_t size);
void* malloc(std::size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_malloc(size);
}
}
long tread::CountAllocations() {
  return allocations.load(std::memory_order_relaxed);
}
#else
long tread::CountAllocations() {
  return -1;
}
#endif
