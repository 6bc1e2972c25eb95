// Lists as options of several commands take them: seeds, and the values of a key.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tread {

// First and last, as "8" (1 to 8) or "3-10".
struct SeedRange {
  std::int64_t first = 1, last = 1;
  std::size_t size() const { return static_cast<std::size_t>(last - first + 1); }
  std::string text() const { return std::to_string(first) + "-" + std::to_string(last); }
  std::vector<std::int64_t> seeds() const;
};

// option: for messages, "--seeds". Throws std::invalid_argument "--seeds TEXT: ...".
SeedRange ParseSeeds(const std::string& option, const std::string& text);

struct KeyValues {
  std::string key;
  std::vector<std::string> values;  // as --set takes them
};

// "KEY=V1,V2,..."; a comma within brackets or quotes belongs to a value. Throws std::invalid_argument "--axis TEXT: ...".
KeyValues ParseKeyValues(const std::string& option, const std::string& text);

}  // namespace tread
