#include "sim/terrain.h"

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <sstream>
#include <stdexcept>

namespace tread {
namespace {

using Eigen::Matrix2d;
using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Uniform in [0, 1): the upper 53 bits, the same on every machine (std::uniform_real_distribution is not).
double ToUnit(std::uint64_t bits) {
  return static_cast<double>(bits >> 11) * 0x1.0p-53;
}

// SplitMix64 finaliser: a well mixed number for each (seed, i, j), so an endless ground needs no table.
std::uint64_t Mix(std::uint64_t v) {
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

// Plane through the origin: n . p = 0. Flat ground is the plane with slope 0.
class PlaneTerrain final : public Terrain {
 public:
  PlaneTerrain(double slope, double direction)
      : gradient_(std::tan(slope) * Vector2d(std::cos(direction), std::sin(direction))),
        normal_(Vector3d(-gradient_.x(), -gradient_.y(), 1).normalized()) {}
  double Height(double x, double y) const override { return gradient_.x() * x + gradient_.y() * y; }
  Vector3d Normal(double, double) const override { return normal_; }
  double max_height() const override { return gradient_.isZero(0) ? 0 : kInfinity; }
  SurfacePoint Closest(const Vector3d& c) const override {
    const double distance = normal_.dot(c);
    return {c - distance * normal_, normal_, distance};
  }

 private:
  Vector2d gradient_;
  Vector3d normal_;
};

// Sum of eight plane waves times the window, see the header.
class BumpyTerrain final : public Terrain {
 public:
  BumpyTerrain(const TerrainConfig& config, std::uint64_t seed)
      : window_{config.flat_radius, config.blend_radius} {
    std::mt19937_64 generator(seed);
    for (Wave& wave : waves_) {
      const double lambda = config.wavelength * (0.67 + (1.5 - 0.67) * ToUnit(generator()));
      const double heading = 2 * std::numbers::pi * ToUnit(generator());
      wave.k = 2 * std::numbers::pi / lambda * Vector2d(std::cos(heading), std::sin(heading));
      wave.phase = 2 * std::numbers::pi * ToUnit(generator());
    }
    // Peak to valley of the bare sum on a fixed 0.02 m grid over [-3, 3]^2; waves shorter than 0.1 m are coarsely sampled.
    double low = kInfinity, high = -kInfinity;
    for (int i = -150; i <= 150; ++i) {
      for (int j = -150; j <= 150; ++j) {
        double sum = 0;
        for (const Wave& wave : waves_)
          sum += std::cos(wave.k.dot(Vector2d(0.02 * i, 0.02 * j)) + wave.phase);
        low = std::min(low, sum);
        high = std::max(high, sum);
      }
    }
    scale_ = config.amplitude / (high - low);
  }

  double Height(double x, double y) const override {
    const double w = window_.At(std::hypot(x, y)).w;
    if (w == 0) return 0;
    double sum = 0;
    for (const Wave& wave : waves_) sum += std::cos(wave.k.x() * x + wave.k.y() * y + wave.phase);
    return w * scale_ * sum;
  }
  Vector3d Normal(double x, double y) const override { return NormalOf(Evaluate({x, y}).gradient); }
  double max_height() const override { return scale_ * static_cast<double>(waves_.size()); }

  // Minimises |(q, h(q)) - c|^2 / 2 over q. The Gauss-Newton matrix I + g g^T is completed by (h - c_z) h'' wherever the
  // result stays positive definite (quadratic convergence); steps are halved until the distance falls. The point found is
  // the closest one as long as c is nearer to the ground than its smallest radius of curvature.
  SurfacePoint Closest(const Vector3d& c) const override {
    const Vector2d below = c.head<2>();
    Vector2d q = below;
    Jet jet = Evaluate(q);
    for (int iteration = 0; iteration < 50; ++iteration) {
      const double rise = jet.height - c.z();
      const Vector2d residual = q - below + rise * jet.gradient;
      const Matrix2d gauss = Matrix2d::Identity() + jet.gradient * jet.gradient.transpose();
      Matrix2d matrix = gauss + rise * jet.hessian;
      if (!(matrix.determinant() > 0.05 && matrix.trace() > 0)) matrix = gauss;
      Vector2d step = -(matrix.inverse() * residual);
      const double before = (q - below).squaredNorm() + rise * rise;
      Jet next = Evaluate(q + step);
      for (int halving = 0; halving < 30 && step.squaredNorm() > 1e-16; ++halving) {
        const double next_rise = next.height - c.z();
        if ((q + step - below).squaredNorm() + next_rise * next_rise <= before) break;
        step *= 0.5;
        next = Evaluate(q + step);
      }
      q += step;
      jet = next;
      if (!(step.squaredNorm() > 1e-24)) break;  // 1e-12 m; also ends on NaN
    }
    const Vector3d point(q.x(), q.y(), jet.height), normal = NormalOf(jet.gradient);
    return {point, normal, normal.dot(c - point)};
  }

 private:
  struct Wave {
    Vector2d k;
    double phase;
  };
  struct Jet {
    double height = 0;
    Vector2d gradient = Vector2d::Zero();
    Matrix2d hessian = Matrix2d::Zero();
  };

  static Vector3d NormalOf(const Vector2d& gradient) {
    return Vector3d(-gradient.x(), -gradient.y(), 1).normalized();
  }

  Jet Evaluate(const Vector2d& q) const {
    Jet bare;
    const double r = q.norm();
    const Window::Value w = window_.At(r);
    if (w.w == 0 && w.d1 == 0) return bare;
    for (const Wave& wave : waves_) {
      const double angle = wave.k.dot(q) + wave.phase, cosine = scale_ * std::cos(angle);
      bare.height += cosine;
      bare.gradient -= scale_ * std::sin(angle) * wave.k;
      bare.hessian -= cosine * (wave.k * wave.k.transpose());
    }
    if (w.d1 == 0 && w.d2 == 0) return bare;  // w = 1
    const Vector2d radial = q / r;            // r > flat radius >= 0 here
    const Matrix2d outer = radial * radial.transpose();
    const Vector2d dw = w.d1 * radial;
    const Matrix2d ddw = w.d2 * outer + w.d1 / r * (Matrix2d::Identity() - outer);
    Jet jet;
    jet.height = w.w * bare.height;
    jet.gradient = w.w * bare.gradient + bare.height * dw;
    jet.hessian = w.w * bare.hessian + dw * bare.gradient.transpose() + bare.gradient * dw.transpose() +
                  bare.height * ddw;
    return jet;
  }

  Window window_;
  std::array<Wave, 8> waves_;
  double scale_ = 0;
};

// Ground made of upright boxes without bottom, one per cell (i, j) of a rectangular grid turned by `heading` about z. The closest
// point of the union of convex boxes is the closest of their closest points; seen from inside, the free space is such a union too.
class BoxTerrain : public Terrain {
 public:
  double Height(double x, double y) const override {
    const Vector2d q = ToGrid({x, y});
    return Top({Index(0, q.x()), Index(1, q.y())});
  }
  Vector3d Normal(double, double) const override { return Vector3d::UnitZ(); }
  double max_height() const override { return highest_; }

  // Exact while the boxes that can be nearest lie within 64 cells of c; farther ones are left out.
  SurfacePoint Closest(const Vector3d& c) const override {
    const Vector3d g = ToGrid3(c);
    const Cell own{Index(0, g.x()), Index(1, g.y())};
    const double gap = g.z() - Top(own);
    const bool outside = !(gap < 0);
    const double beyond = std::max(0.0, outside ? g.z() - highest_ : lowest_ - g.z());
    const double reach = std::sqrt(std::max(0.0, gap * gap - beyond * beyond));
    Cell best = own;
    double best_square = gap * gap;
    ForNear(g, own, reach, [&](const Cell& cell) {
      const double square = (Nearest(cell, g, outside) - g).squaredNorm();
      if (square < best_square) best_square = square, best = cell;
    });
    return Describe(best, own, g, outside);
  }

  // One point per box the sphere is near, where the distance to the whole ground has a local minimum: seams between boxes of equal height
  // give none. The feature is the box: it stays when the contact slides from a face over an edge. Centre inside: only the closest point.
  int Touches(const Vector3d& c, double radius, double margin, int capacity, SurfacePoint* points,
              std::uint32_t* features) const override {
    const Vector3d g = ToGrid3(c);
    const Cell own{Index(0, g.x()), Index(1, g.y())};
    const double reach = radius + margin;
    if (capacity < 1 || g.z() - highest_ >= reach) return 0;
    if (g.z() < Top(own)) {
      points[0] = Closest(c);
      features[0] = Feature(own);
      return 1;
    }
    int count = 0;
    ForNear(g, own, reach, [&](const Cell& cell) {
      const Vector3d p = Nearest(cell, g, true);
      if (!((p - g).squaredNorm() < reach * reach) || Hidden(cell, p, g)) return;
      const SurfacePoint found = Describe(cell, own, g, true);
      int place = count < capacity ? count++ : capacity;  // nearest first, the farthest drops out
      while (place > 0 && points[place - 1].distance > found.distance) {
        if (place < capacity) points[place] = points[place - 1], features[place] = features[place - 1];
        --place;
      }
      if (place < capacity) points[place] = found, features[place] = Feature(cell);
    });
    return count;
  }

 protected:
  struct Cell {
    int i, j;
  };
  BoxTerrain(double heading, double lowest, double highest)
      : cosine_(std::cos(heading)), sine_(std::sin(heading)), lowest_(lowest), highest_(highest) {}
  virtual int Index(int axis, double v) const = 0;     // cell with Edge(index) <= v < Edge(index + 1)
  virtual double Edge(int axis, int index) const = 0;  // lower edge of a cell [m], may be infinite
  virtual double Top(const Cell& cell) const = 0;
  virtual std::uint32_t Feature(const Cell& cell) const = 0;

 private:
  static constexpr int kWindow = 64;

  Vector2d ToGrid(const Vector2d& v) const {
    return {cosine_ * v.x() + sine_ * v.y(), cosine_ * v.y() - sine_ * v.x()};
  }
  Vector3d ToGrid3(const Vector3d& v) const {
    const Vector2d q = ToGrid(v.head<2>());
    return {q.x(), q.y(), v.z()};
  }
  Vector3d FromGrid(const Vector3d& v) const {
    return {cosine_ * v.x() - sine_ * v.y(), sine_ * v.x() + cosine_ * v.y(), v.z()};
  }

  template <typename Visit>
  void ForNear(const Vector3d& g, const Cell& own, double reach, const Visit& visit) const {
    const int i0 = std::max(Index(0, g.x() - reach), own.i - kWindow);
    const int i1 = std::min(Index(0, g.x() + reach), own.i + kWindow);
    const int j0 = std::max(Index(1, g.y() - reach), own.j - kWindow);
    const int j1 = std::min(Index(1, g.y() + reach), own.j + kWindow);
    for (int i = i0; i <= i1; ++i) {
      for (int j = j0; j <= j1; ++j) visit(Cell{i, j});
    }
  }

  // Closest point of a box (outside) or of the free space above it (inside).
  Vector3d Nearest(const Cell& cell, const Vector3d& g, bool outside) const {
    const double top = Top(cell);
    return {std::clamp(g.x(), Edge(0, cell.i), Edge(0, cell.i + 1)),
            std::clamp(g.y(), Edge(1, cell.j), Edge(1, cell.j + 1)),
            outside ? std::min(g.z(), top) : std::max(g.z(), top)};
  }

  // True where p is no local minimum or already counted. Another box that contains p hides it if its own nearest point is a different one
  // (it is convex, so that one is nearer), or the same and the box comes first. All values are clamped, so the comparisons are exact.
  bool Hidden(const Cell& cell, const Vector3d& p, const Vector3d& g) const {
    const int i0 = p.x() == Edge(0, cell.i) ? -1 : 0, i1 = p.x() == Edge(0, cell.i + 1) ? 1 : 0;
    const int j0 = p.y() == Edge(1, cell.j) ? -1 : 0, j1 = p.y() == Edge(1, cell.j + 1) ? 1 : 0;
    for (int i = i0; i <= i1; ++i) {
      for (int j = j0; j <= j1; ++j) {
        const Cell other{cell.i + i, cell.j + j};
        if ((i == 0 && j == 0) || p.z() > Top(other)) continue;
        if (Nearest(other, g, true) != p || i < 0 || (i == 0 && j < 0)) return true;
      }
    }
    return false;
  }

  SurfacePoint Describe(const Cell& cell, const Cell& own, const Vector3d& g, bool outside) const {
    const Vector3d p = Nearest(cell, g, outside);
    const Vector3d away = outside ? g - p : p - g;
    const double length = away.norm();
    Vector3d normal = Vector3d::UnitZ();
    if (length > 1e-12) {
      normal = away / length;
    } else if (cell.i != own.i || cell.j != own.j) {  // on a side face: from the taller box to the lower one
      const Vector3d side(own.i - cell.i, own.j - cell.j, 0);
      normal = side.normalized() * (outside ? 1 : -1);
    }
    return {FromGrid(p), FromGrid(normal), outside ? length : -length};
  }

  double cosine_, sine_, lowest_, highest_;
};

// Square cells, heights w(r) * uniform [0, amplitude] with r at the point of the cell nearest to the origin.
class CellTerrain final : public BoxTerrain {
 public:
  CellTerrain(const TerrainConfig& config, std::uint64_t seed)
      : BoxTerrain(0, 0, config.amplitude),
        window_{config.flat_radius, config.blend_radius},
        amplitude_(config.amplitude),
        cell_(config.cell),
        seed_(Mix(seed)) {}

 private:
  int Index(int, double v) const override {
    const double scaled = v / cell_;
    if (!(scaled > -1e9)) return -1000000000;
    if (scaled > 1e9) return 1000000000;
    int index = static_cast<int>(std::floor(scaled));
    if (index * cell_ > v) --index;  // the quotient rounds, the edges decide
    if ((index + 1) * cell_ <= v) ++index;
    return index;
  }
  double Edge(int, int index) const override { return index * cell_; }
  double Top(const Cell& cell) const override {
    const double x = std::max({cell.i * cell_, -(cell.i + 1) * cell_, 0.0});
    const double y = std::max({cell.j * cell_, -(cell.j + 1) * cell_, 0.0});
    const double w = window_.At(std::hypot(x, y)).w;
    if (w == 0) return 0;
    const auto i = static_cast<std::uint32_t>(cell.i), j = static_cast<std::uint32_t>(cell.j);
    return w * amplitude_ * ToUnit(Mix(seed_ ^ (static_cast<std::uint64_t>(i) << 32 | j)));
  }
  // Boxes of height 0 (the flat disc) share feature 0; the others repeat after 65536 cells.
  std::uint32_t Feature(const Cell& cell) const override {
    if (Top(cell) == 0) return 0;
    return (static_cast<std::uint32_t>(cell.i) & 0xffffu) << 16 |
           (static_cast<std::uint32_t>(cell.j) & 0xffffu);
  }

  Window window_;
  double amplitude_, cell_;
  std::uint64_t seed_;
};

// Stairs along `direction`: tread k = 0 .. count at height k * step_height, from step_start + (k - 1) * step_depth on; endless sideways.
class StepTerrain final : public BoxTerrain {
 public:
  explicit StepTerrain(const TerrainConfig& config)
      : BoxTerrain(config.direction, std::min(0.0, config.step_count * config.step_height),
                   std::max(0.0, config.step_count * config.step_height)),
        height_(config.step_height),
        depth_(config.step_depth),
        start_(config.step_start),
        count_(config.step_count) {}

 private:
  int Index(int axis, double v) const override {
    if (axis == 1) return 0;
    const double tread = std::floor((v - start_) / depth_) + 1;
    int index = tread >= 0 ? static_cast<int>(std::min(tread, static_cast<double>(count_))) : 0;
    if (Edge(0, index) > v) --index;
    if (Edge(0, index + 1) <= v) ++index;
    return index;
  }
  double Edge(int axis, int index) const override {
    if (index <= 0) return -kInfinity;
    return axis == 1 || index > count_ ? kInfinity : start_ + (index - 1) * depth_;
  }
  double Top(const Cell& cell) const override { return cell.i * height_; }
  std::uint32_t Feature(const Cell& cell) const override { return static_cast<std::uint32_t>(cell.i); }

  double height_, depth_, start_;
  int count_;
};

std::size_t EditDistance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, change});
    }
  }
  return row.back();
}

[[noreturn]] void RefuseType(const std::string& type) {
  std::string names, nearest;
  std::size_t nearest_distance = 3;
  for (const TerrainEntry& entry : TerrainTable()) {
    names += (names.empty() ? "" : ", ") + std::string(entry.name);
    const std::size_t distance = EditDistance(type, entry.name);
    if (distance < nearest_distance) nearest_distance = distance, nearest = entry.name;
  }
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

int Terrain::Touches(const Vector3d& c, double radius, double margin, int capacity, SurfacePoint* points,
                     std::uint32_t* features) const {
  if (capacity < 1 || c.z() - max_height() >= radius + margin) return 0;
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
    return std::make_unique<BumpyTerrain>(config, seed);
  }
  if (config.type == "cells") {
    RequireWindow(config);
    Require(config.cell >= 0.001, "cell", config.cell, "a length >= 0.001 m");
    return std::make_unique<CellTerrain>(config, seed);
  }
  if (config.type == "steps") {
    Require(true, "step_height", config.step_height, "a finite height [m], negative for stairs going down");
    Require(config.step_depth > 0, "step_depth", config.step_depth, "a length > 0 m");
    Require(config.step_count >= 1 && config.step_count <= 1000000, "step_count", config.step_count,
            "a number from 1 to 1000000");
    Require(true, "step_start", config.step_start, "a finite distance [m]");
    Require(true, "direction", config.direction, "a finite angle [rad]");
    return std::make_unique<StepTerrain>(config);
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
