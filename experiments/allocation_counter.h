// Counts the heap allocations of the calling thread, for tests that a function makes none.
//
// Replaces malloc and its relatives in the whole program, shared libraries included, so include it in exactly ONE .cc of a
// program. operator new and Eigen's aligned vectors end in these calls, too. Freeing is not counted.
//
//   if (!kCountsAllocations) GTEST_SKIP() << kCountsNoAllocations;
//   const long before = Allocations();
//   Step();
//   EXPECT_EQ(Allocations(), before);
//
// Limit: needs glibc, and no sanitizer, which brings a malloc of its own; elsewhere the count stays zero and
// kCountsAllocations says so.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdlib>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TREAD_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define TREAD_SANITIZED
#endif
#endif

namespace tread {

inline constexpr const char* kCountsNoAllocations = "allocations are not counted: sanitizer, or not glibc";
inline thread_local constinit long allocation_count = 0;
inline long Allocations() {
  return allocation_count;
}

}  // namespace tread

#if defined(__GLIBC__) && !defined(TREAD_SANITIZED)
namespace tread {
inline constexpr bool kCountsAllocations = true;
}

extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* old, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) noexcept {
  ++tread::allocation_count;
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) noexcept {
  ++tread::allocation_count;
  return __libc_calloc(count, size);
}
void* realloc(void* old, std::size_t size) noexcept {
  ++tread::allocation_count;
  return __libc_realloc(old, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  ++tread::allocation_count;
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** out, std::size_t alignment, std::size_t size) noexcept {
  ++tread::allocation_count;
  *out = __libc_memalign(alignment, size);
  return *out != nullptr ? 0 : ENOMEM;
}
}
#else
namespace tread {
inline constexpr bool kCountsAllocations = false;
}
#endif
