// Grounds made of boxes: seeded cells and stairs.
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "sim/terrain_parts.h"

namespace tread {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

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
  double max_slope() const override { return kInfinity; }

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
    const double reach = radius + margin;
    if (capacity < 1 || !MayTouch(c, reach)) return 0;
    const Vector3d g = ToGrid3(c);
    const Cell own{Index(0, g.x()), Index(1, g.y())};
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

}  // namespace

std::unique_ptr<Terrain> MakeCells(const TerrainConfig& config, std::uint64_t seed) {
  return std::make_unique<CellTerrain>(config, seed);
}

std::unique_ptr<Terrain> MakeSteps(const TerrainConfig& config) {
  return std::make_unique<StepTerrain>(config);
}

}  // namespace tread
