// Ground: height, normal and friction at a point, and the closest point to a sphere.
//
// z = h(x, y) with h at least continuous; normal n = (-h_x, -h_y, 1) / |.|. `type: bumpy` is
//   h = w(r) * s * sum_{i=1..8} cos(k_i . (x, y) + phase_i),  |k_i| = 2 pi / lambda_i,  lambda_i uniform in wavelength * [0.67, 1.5],
// directions and phases uniform, s so that peak to valley over [-3, 3]^2 m is `amplitude`; w = 0 within 0.35 m of the start, 1 beyond
// 0.8 m, smooth (C2) in between. Random numbers come from a fixed generator (std::mt19937_64; `cells`: SplitMix64 of seed and cell index)
// with an own uniform mapping, so a seed means the same ground on every machine.
//
// `cells`, `steps` and `heightmap` have edges: Height is one-sided at a riser, Closest and Touches include vertical faces and edges.
// None of Height, Normal, Closest, Touches and TouchesCapsule allocates.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tread {

struct TerrainConfig {
  std::string type = "flat";  // flat | slope | bumpy | cells | steps | heightmap
  double amplitude = 0.05;    // bumpy, cells: peak to valley [m]
  double wavelength = 0.5;    // bumpy [m]
  double cell = 0.1;          // cells: edge of a box cell [m]
  std::int64_t seed = -1;     // -1: run.seed
  double slope = 0.0;         // slope: angle [rad], rising along x
  double direction = 0.0;     // slope, steps: heading of the rise about z [rad]
  double step_height = 0.05;  // steps [m]
  double step_depth = 0.3;    // steps [m]
  int step_count = 5;
  double step_start = 0.5;    // steps: distance of the first riser from the origin [m]
  std::string file;           // heightmap: text file, see docs
  double flat_radius = 0.35;  // bumpy, cells: flat around the origin [m]
  double blend_radius = 0.8;  // bumpy, cells: full height from here [m]
  std::string material = "ground";
};

struct SurfacePoint {
  Eigen::Vector3d point;   // closest point on the surface [m]
  Eigen::Vector3d normal;  // outward unit normal there
  double distance;         // signed distance of the query point along the normal [m]
};

class Terrain {
 public:
  virtual ~Terrain() = default;
  virtual double Height(double x, double y) const = 0;           // [m]
  virtual Eigen::Vector3d Normal(double x, double y) const = 0;  // unit
  virtual double max_height() const = 0;  // no point is above this [m]; infinite for a slope
  virtual double max_slope() const;       // bound on |grad h|; infinite where there are risers, or by default
  // False only if no point of the ground is nearer to c than reach = radius + margin: by max_height, and by height and max_slope where
  // that is finite. Cheaper than Closest.
  bool MayTouch(const Eigen::Vector3d& c, double reach) const;
  // Closest surface point to c. Smooth grounds: Newton from the point below, stops at 1e-12 m, right while c is
  // nearer than the smallest radius of curvature; exact for planes, boxes and triangles.
  virtual SurfacePoint Closest(const Eigen::Vector3d& c) const = 0;
  // Grounds made of boxes or grids touch a sphere in several points: appends up to `capacity` points closer than `radius + margin`,
  // each with a feature number that persists while the contact lasts. Returns their number. Default: the one of Closest, feature 0.
  virtual int Touches(const Eigen::Vector3d& c, double radius, double margin, int capacity,
                      SurfacePoint* points, std::uint32_t* features) const;
  // Where the capsule of axis a - b is closer than radius + margin, distances being those of its axis: at its ends (features 0 and 1, one
  // point each), and between them at the lowest place that is farther from the ground on both sides (feature 2): none on a plane, the middle
  // where the axis runs parallel to a face that ends before both ends. Returns the number of points, at most 3, in the order of the features.
  // The axis is sampled at 9 places: of several inner minima the lowest counts, and one narrower than a quarter of the axis may be missed.
  int TouchesCapsule(const Eigen::Vector3d& a, const Eigen::Vector3d& b, double radius, double margin,
                     int capacity, SurfacePoint* points, std::uint32_t* features) const;
};

// Throws std::invalid_argument naming the key, its value and what would be right.
std::unique_ptr<Terrain> MakeTerrain(const TerrainConfig& config, std::uint64_t run_seed);

// Height map from a text file: first line `nx ny cell x0 y0`, then ny rows (y upwards) of nx heights [m]. Throws std::invalid_argument
// naming file and line.
std::unique_ptr<Terrain> LoadHeightMap(const std::string& file);

// |slope| = tan of the angle to the horizontal, over a square grid of the walked area: 95th percentile and largest.
// Taken from Normal, so risers do not count.
struct SlopeStatistics {
  double p95 = 0, max = 0;
};
SlopeStatistics ComputeSlopes(const Terrain& terrain, const Eigen::Vector2d& min, const Eigen::Vector2d& max,
                              double spacing = 0.02);

struct TerrainEntry {
  const char* name;
  const char* summary;
};
const std::vector<TerrainEntry>& TerrainTable();

}  // namespace tread
