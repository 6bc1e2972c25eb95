// What the grounds of sim/terrain.h share; not for other includes.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>

#include "sim/terrain.h"

namespace tread {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Uniform in [0, 1): the upper 53 bits, the same on every machine (std::uniform_real_distribution is not).
inline double ToUnit(std::uint64_t bits) {
  return static_cast<double>(bits >> 11) * 0x1.0p-53;
}

// SplitMix64 finaliser: a well mixed number for each (seed, i, j), so an endless ground needs no table.
inline std::uint64_t Mix(std::uint64_t v) {
  v += 0x9e3779b97f4a7c15ull;
  v = (v ^ (v >> 30)) * 0xbf58476d1ce4e5b9ull;
  v = (v ^ (v >> 27)) * 0x94d049bb133111ebull;
  return v ^ (v >> 31);
}

// Window w(r) = t^3 (10 - 15 t + 6 t^2), t = (r - flat) / (blend - flat) clamped to [0, 1]; C2.
struct Window {
  double flat, blend;
  struct Value {
    double w, d1, d2;  // value, dw/dr, d2w/dr2
  };
  Value At(double r) const {
    if (r <= flat) return {0, 0, 0};
    if (r >= blend) return {1, 0, 0};
    const double width = blend - flat, t = (r - flat) / width;
    return {t * t * t * (10 + t * (-15 + 6 * t)), 30 * t * t * (1 - t) * (1 - t) / width,
            60 * t * (1 - t) * (1 - 2 * t) / (width * width)};
  }
};

// One maker per source file; the configuration has been checked, seed is the one to use.
std::unique_ptr<Terrain> MakeBumpy(const TerrainConfig& config, std::uint64_t seed);
std::unique_ptr<Terrain> MakeCells(const TerrainConfig& config, std::uint64_t seed);
std::unique_ptr<Terrain> MakeSteps(const TerrainConfig& config);

}  // namespace tread
