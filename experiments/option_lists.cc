#include "experiments/option_lists.h"

#include <algorithm>
#include <charconv>
#include <stdexcept>

namespace tread {
namespace {

// At commas outside of brackets and quotes.
std::vector<std::string> Split(const std::string& text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  char quote = 0;
  for (const char c : text) {
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (c == '[' || c == '{') {
      ++depth;
    } else if (c == ']' || c == '}') {
      --depth;
    }
    if (c == ',' && depth == 0 && quote == 0) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

}  // namespace

std::vector<std::int64_t> SeedRange::seeds() const {
  std::vector<std::int64_t> all;
  for (std::int64_t seed = first; seed <= last; ++seed) all.push_back(seed);
  return all;
}

SeedRange ParseSeeds(const std::string& option, const std::string& text) {
  constexpr std::int64_t kMost = 10'000'000;
  const char* end = text.data() + text.size();
  SeedRange range;
  auto read = std::from_chars(text.data(), end, range.last);
  if (read.ec == std::errc() && read.ptr != end && *read.ptr == '-') {
    range.first = range.last;
    read = std::from_chars(read.ptr + 1, end, range.last);
  }
  if (read.ec != std::errc() || read.ptr != end || range.first < 0 || range.last < range.first ||
      range.last - range.first >= kMost)
    throw std::invalid_argument(option + " " + (text.empty() ? "''" : text) +
                                ": expected N for seeds 1 to N, or A-B with A not above B, such as 11-50");
  return range;
}

KeyValues ParseKeyValues(const std::string& option, const std::string& text) {
  const std::string at = option + " " + (text.empty() ? "''" : text) + ": ";
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw std::invalid_argument(at + "expected KEY=V1,V2,..., for instance sim.contact.eps_abs=1e-3,1e-6");
  KeyValues axis{text.substr(0, equals), Split(text.substr(equals + 1))};
  for (auto value = axis.values.begin(); value != axis.values.end(); ++value) {
    if (value->empty()) throw std::invalid_argument(at + "a value is empty; write V1,V2,...");
    if (std::find(axis.values.begin(), value, *value) != value)
      throw std::invalid_argument(at + "the value " + *value + " is there twice");
  }
  return axis;
}

}  // namespace tread
