#include "sim/terrain.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>

#include "robots/nearest.h"
#include "sim/terrain_parts.h"

namespace tread {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

// Plane through the origin: n . p = 0. Flat ground is the plane with slope 0.
class PlaneTerrain final : public Terrain {
 public:
  PlaneTerrain(double slope, double direction)
      : gradient_(std::tan(slope) * Vector2d(std::cos(direction), std::sin(direction))),
        normal_(Vector3d(-gradient_.x(), -gradient_.y(), 1).normalized()) {}
  double Height(double x, double y) const override { return gradient_.x() * x + gradient_.y() * y; }
  Vector3d Normal(double, double) const override { return normal_; }
  double max_height() const override { return gradient_.isZero(0) ? 0 : kInfinity; }
  double max_slope() const override { return gradient_.norm(); }
  SurfacePoint Closest(const Vector3d& c) const override {
    const double distance = normal_.dot(c);
    return {c - distance * normal_, normal_, distance};
  }
  int Touches(const Vector3d& c, double radius, double margin, int capacity, SurfacePoint* points,
              std::uint32_t* features) const override {
    const double distance = normal_.dot(c);
    if (capacity < 1 || !(distance < radius + margin)) return 0;
    points[0] = {c - distance * normal_, normal_, distance};
    features[0] = 0;
    return 1;
  }

 private:
  Vector2d gradient_;
  Vector3d normal_;
};

[[noreturn]] void RefuseType(const std::string& type) {
  std::vector<std::string> candidates;
  std::string names;
  for (const TerrainEntry& entry : TerrainTable()) {
    names += (names.empty() ? "" : ", ") + std::string(entry.name);
    candidates.push_back(entry.name);
  }
  const std::string nearest = Nearest(type, candidates);
  throw std::invalid_argument("terrain.type = '" + type + "': unknown; one of " + names +
                              (nearest.empty() ? "" : " (did you mean '" + nearest + "'?)"));
}

void Require(bool sound, const char* key, double value, const char* right) {
  if (sound && std::isfinite(value)) return;
  std::ostringstream text;
  text << "terrain." << key << " = " << value << ": must be " << right;
  throw std::invalid_argument(text.str());
}

void RequireWindow(const TerrainConfig& config) {
  Require(config.amplitude >= 0, "amplitude", config.amplitude, "a height >= 0 m");
  Require(config.flat_radius >= 0, "flat_radius", config.flat_radius, "a radius >= 0 m");
  Require(config.blend_radius > config.flat_radius, "blend_radius", config.blend_radius,
          "a radius larger than terrain.flat_radius [m]");
}

}  // namespace

double Terrain::max_slope() const {
  return kInfinity;
}

bool Terrain::MayTouch(const Vector3d& c, double reach) const {
  if (c.z() - max_height() >= reach) return false;
  // under a point h above a ground of slope <= s nothing is nearer than h / sqrt(1 + s^2)
  const double slope = max_slope();
  return !(slope < kInfinity) || c.z() - Height(c.x(), c.y()) < reach * std::sqrt(1 + slope * slope);
}

int Terrain::Touches(const Vector3d& c, double radius, double margin, int capacity, SurfacePoint* points,
                     std::uint32_t* features) const {
  if (capacity < 1 || !MayTouch(c, radius + margin)) return 0;
  const SurfacePoint closest = Closest(c);
  if (!(closest.distance < radius + margin)) return 0;
  points[0] = closest;
  features[0] = 0;
  return 1;
}

std::unique_ptr<Terrain> MakeTerrain(const TerrainConfig& config, std::uint64_t run_seed) {
  if (config.seed < -1) {
    throw std::invalid_argument("terrain.seed = " + std::to_string(config.seed) +
                                ": must be >= 0, or -1 for run.seed");
  }
  const std::uint64_t seed = config.seed == -1 ? run_seed : static_cast<std::uint64_t>(config.seed);
  if (config.type == "flat") return std::make_unique<PlaneTerrain>(0.0, 0.0);
  if (config.type == "slope") {
    Require(std::abs(config.slope) <= 1.5, "slope", config.slope, "an angle within [-1.5, 1.5] rad");
    Require(true, "direction", config.direction, "a finite angle [rad]");
    return std::make_unique<PlaneTerrain>(config.slope, config.direction);
  }
  if (config.type == "bumpy") {
    RequireWindow(config);
    Require(config.wavelength > 0, "wavelength", config.wavelength, "a length > 0 m");
    return MakeBumpy(config, seed);
  }
  if (config.type == "cells") {
    RequireWindow(config);
    Require(config.cell >= 0.001, "cell", config.cell, "a length >= 0.001 m");
    return MakeCells(config, seed);
  }
  if (config.type == "steps") {
    Require(true, "step_height", config.step_height, "a finite height [m], negative for stairs going down");
    Require(config.step_depth > 0, "step_depth", config.step_depth, "a length > 0 m");
    Require(config.step_count >= 1 && config.step_count <= 1000000, "step_count", config.step_count,
            "a number from 1 to 1000000");
    Require(true, "step_start", config.step_start, "a finite distance [m]");
    Require(true, "direction", config.direction, "a finite angle [rad]");
    return MakeSteps(config);
  }
  if (config.type == "heightmap") {
    if (config.file.empty()) {
      throw std::invalid_argument("terrain.file = '': type heightmap needs the path of a height map file");
    }
    return LoadHeightMap(config.file);
  }
  RefuseType(config.type);
}

SlopeStatistics ComputeSlopes(const Terrain& terrain, const Vector2d& min, const Vector2d& max,
                              double spacing) {
  if (!(spacing > 0) || !(min.array() <= max.array()).all()) {
    throw std::invalid_argument("ComputeSlopes: needs min <= max and spacing > 0");
  }
  const auto nx = static_cast<std::size_t>((max.x() - min.x()) / spacing + 1e-9) + 1;
  const auto ny = static_cast<std::size_t>((max.y() - min.y()) / spacing + 1e-9) + 1;
  std::vector<double> slopes;
  slopes.reserve(nx * ny);
  for (std::size_t i = 0; i < nx; ++i) {
    for (std::size_t j = 0; j < ny; ++j) {
      const Vector3d n = terrain.Normal(min.x() + static_cast<double>(i) * spacing,
                                        min.y() + static_cast<double>(j) * spacing);
      slopes.push_back(std::hypot(n.x(), n.y()) / n.z());
    }
  }
  std::sort(slopes.begin(), slopes.end());
  return {slopes[static_cast<std::size_t>(0.95 * static_cast<double>(slopes.size() - 1))], slopes.back()};
}

const std::vector<TerrainEntry>& TerrainTable() {
  static const std::vector<TerrainEntry> table = {
      {"flat", "level plane z = 0"},
      {"slope", "plane through the origin at angle slope, rising along direction"},
      {"bumpy", "smooth seeded hills: eight plane waves, amplitude peak to valley, flat at the start"},
      {"cells", "seeded square boxes of random height up to amplitude, flat at the start"},
      {"steps", "stairs of step_count steps along direction"},
      {"heightmap", "grid of heights read from file"},
  };
  return table;
}

}  // namespace tread
