// The candidate that a misspelled word most likely meant.
#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

namespace tread {

// Insertions, deletions, substitutions and swaps of neighbours that turn a into b, letter case ignored.
inline std::size_t EditDistance(const std::string& a, const std::string& b) {
  const auto same = [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
  };
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      d[i][j] = std::min(
          {d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (same(a[i - 1], b[j - 1]) ? 0u : 1u)});
      if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1])) {
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
      }
    }
  }
  return d[a.size()][b.size()];
}

// The closest candidate (the first of equals), or "" when none is within a third of the word's length (at least 1).
inline std::string Nearest(const std::string& word, const std::vector<std::string>& candidates) {
  if (word.size() > 200) return "";
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(1, (word.size() + 1) / 3) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = EditDistance(word, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

// For an error message: "; did you mean 'x'?", or all candidates when none is close.
inline std::string DidYouMean(const std::string& word, const std::vector<std::string>& candidates) {
  const std::string nearest = Nearest(word, candidates);
  if (!nearest.empty()) return "; did you mean '" + nearest + "'?";
  std::string all;
  for (const std::string& candidate : candidates) all += (all.empty() ? "; there are " : ", ") + candidate;
  return all;
}

}  // namespace tread
