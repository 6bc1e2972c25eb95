// Height map: heights on a square grid, read from text. Beyond the border the outermost heights continue.
//
// Height and Normal are bilinear in each cell. Contact uses two triangles per cell, split along the diagonal from (i + 1, j) to (i, j + 1):
// the two surfaces agree on all grid lines and differ inside a cell by at most |z00 - z10 - z01 + z11| / 4.
#include <Eigen/Dense>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <limits>
#include <stdexcept>
#include <string_view>

#include "sim/terrain.h"

namespace tread {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

struct Grid {
  int nx = 0, ny = 0;
  double cell = 0, x0 = 0, y0 = 0;
  std::vector<double> heights;  // row by row, x fastest
};

struct Triangle {
  Vector3d a, b, c;  // counterclockwise from above
  Vector3d Normal() const { return (b - a).cross(c - a).normalized(); }
};

struct TrianglePoint {
  Vector3d point;
  bool inside;  // not on an edge or corner
};

// Closest point of a triangle by the Voronoi regions of its corners and edges (Ericson, Real-Time Collision Detection, 5.1.5).
TrianglePoint ClosestOnTriangle(const Triangle& t, const Vector3d& p) {
  const Vector3d ab = t.b - t.a, ac = t.c - t.a;
  const double d1 = ab.dot(p - t.a), d2 = ac.dot(p - t.a);
  if (d1 <= 0 && d2 <= 0) return {t.a, false};
  const double d3 = ab.dot(p - t.b), d4 = ac.dot(p - t.b);
  if (d3 >= 0 && d4 <= d3) return {t.b, false};
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return {t.a + d1 / (d1 - d3) * ab, false};
  const double d5 = ab.dot(p - t.c), d6 = ac.dot(p - t.c);
  if (d6 >= 0 && d5 <= d6) return {t.c, false};
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return {t.a + d2 / (d2 - d6) * ac, false};
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 >= d3 && d5 >= d6) {
    return {t.b + (d4 - d3) / ((d4 - d3) + (d5 - d6)) * (t.c - t.b), false};
  }
  const double scale = 1 / (va + vb + vc);
  return {t.a + vb * scale * ab + vc * scale * ac, true};
}

class HeightMapTerrain final : public Terrain {
 public:
  explicit HeightMapTerrain(Grid grid) : grid_(std::move(grid)) {
    const auto [low, high] = std::minmax_element(grid_.heights.begin(), grid_.heights.end());
    lowest_ = *low;
    highest_ = *high;
  }

  double Height(double x, double y) const override {
    const Patch p = PatchAt(x, y);
    return (1 - p.v) * ((1 - p.u) * p.z00 + p.u * p.z10) + p.v * ((1 - p.u) * p.z01 + p.u * p.z11);
  }
  Vector3d Normal(double x, double y) const override {
    const Patch p = PatchAt(x, y);
    const double hx = ((1 - p.v) * (p.z10 - p.z00) + p.v * (p.z11 - p.z01)) / grid_.cell;
    const double hy = ((1 - p.u) * (p.z01 - p.z00) + p.u * (p.z11 - p.z10)) / grid_.cell;
    return Vector3d(-hx, -hy, 1).normalized();
  }
  double max_height() const override { return highest_; }
  // infinite: the triangles of contact may stand above the bilinear Height, so that height and slope bound nothing
  double max_slope() const override { return std::numeric_limits<double>::infinity(); }

  // Exact on the triangles within 64 cells of c; farther ones are left out.
  SurfacePoint Closest(const Vector3d& c) const override { return Nearest(c).surface; }

  // One point per triangle where the distance to the whole surface has a local minimum. The feature is the triangle (the lowest
  // numbered one at a shared edge), so it changes as a contact rolls across a grid line. Centre below the surface: only the closest point.
  int Touches(const Vector3d& c, double radius, double margin, int capacity, SurfacePoint* points,
              std::uint32_t* features) const override {
    const double reach = radius + margin;
    if (capacity < 1 || !MayTouch(c, reach)) return 0;
    if (c.z() < FacetHeight(c.x(), c.y())) {
      const Found found = Nearest(c);
      points[0] = found.surface;
      features[0] = Feature(found.id);
      return 1;
    }
    int count = 0;
    ForNear(c, reach, [&](const Id& id, const Triangle& triangle) {
      const TrianglePoint p = ClosestOnTriangle(triangle, c);
      if (!((c - p.point).norm() < reach) || c.z() < p.point.z() || Hidden(id, p.point, c)) return;
      const SurfacePoint found = Describe(triangle, p, c, true);
      int place = count < capacity ? count++ : capacity;  // nearest first, the farthest drops out
      while (place > 0 && points[place - 1].distance > found.distance) {
        if (place < capacity) points[place] = points[place - 1], features[place] = features[place - 1];
        --place;
      }
      if (place < capacity) points[place] = found, features[place] = Feature(id);
    });
    return count;
  }

 private:
  static constexpr int kWindow = 64;
  struct Patch {
    double u, v, z00, z10, z01, z11;
  };
  struct Id {
    int i, j, half;
    bool Before(const Id& o) const { return j != o.j ? j < o.j : i != o.i ? i < o.i : half < o.half; }
  };
  struct Found {
    SurfacePoint surface;
    Id id;
  };

  int Index(double v, double origin) const {
    const double scaled = (v - origin) / grid_.cell;
    if (!(scaled > -1e9)) return -1000000000;
    return static_cast<int>(std::floor(std::min(scaled, 1e9)));
  }
  double Node(int i, int j) const {
    const auto column = static_cast<std::size_t>(std::clamp(i, 0, grid_.nx - 1));
    const auto row = static_cast<std::size_t>(std::clamp(j, 0, grid_.ny - 1));
    return grid_.heights[row * static_cast<std::size_t>(grid_.nx) + column];
  }
  Vector3d Corner(int i, int j) const {
    return {grid_.x0 + i * grid_.cell, grid_.y0 + j * grid_.cell, Node(i, j)};
  }
  Patch PatchAt(double x, double y) const {
    const int i = Index(x, grid_.x0), j = Index(y, grid_.y0);
    return {(x - grid_.x0) / grid_.cell - i,
            (y - grid_.y0) / grid_.cell - j,
            Node(i, j),
            Node(i + 1, j),
            Node(i, j + 1),
            Node(i + 1, j + 1)};
  }
  double FacetHeight(double x, double y) const {
    const Patch p = PatchAt(x, y);
    return p.u + p.v <= 1 ? p.z00 + p.u * (p.z10 - p.z00) + p.v * (p.z01 - p.z00)
                          : p.z11 + (1 - p.u) * (p.z01 - p.z11) + (1 - p.v) * (p.z10 - p.z11);
  }
  Triangle TriangleOf(const Id& id) const {
    const Vector3d b = Corner(id.i + 1, id.j), c = Corner(id.i, id.j + 1);
    if (id.half == 0) return {Corner(id.i, id.j), b, c};
    return {Corner(id.i + 1, id.j + 1), c, b};
  }
  std::uint32_t Feature(const Id& id) const {  // border cells repeat beyond 32767 cells
    return (static_cast<std::uint32_t>(id.i) & 0x7fffu) << 17 |
           (static_cast<std::uint32_t>(id.j) & 0xffffu) << 1 | static_cast<std::uint32_t>(id.half);
  }

  template <typename Visit>
  void ForNear(const Vector3d& c, double reach, const Visit& visit) const {
    const int i = Index(c.x(), grid_.x0), j = Index(c.y(), grid_.y0);
    const int i0 = std::max(Index(c.x() - reach, grid_.x0), i - kWindow);
    const int i1 = std::min(Index(c.x() + reach, grid_.x0), i + kWindow);
    const int j0 = std::max(Index(c.y() - reach, grid_.y0), j - kWindow);
    const int j1 = std::min(Index(c.y() + reach, grid_.y0), j + kWindow);
    for (int row = j0; row <= j1; ++row) {
      for (int column = i0; column <= i1; ++column) {
        for (int half = 0; half < 2; ++half) {
          const Id id{column, row, half};
          visit(id, TriangleOf(id));
        }
      }
    }
  }

  Found Nearest(const Vector3d& c) const {
    const double gap = c.z() - FacetHeight(c.x(), c.y());
    const bool above = gap >= 0;
    const double beyond = std::max(0.0, above ? c.z() - highest_ : lowest_ - c.z());
    const double reach = std::sqrt(std::max(0.0, gap * gap - beyond * beyond));
    Id best{Index(c.x(), grid_.x0), Index(c.y(), grid_.y0), 0};
    double best_square = std::numeric_limits<double>::infinity();
    ForNear(c, reach, [&](const Id& id, const Triangle& triangle) {
      const double square = (ClosestOnTriangle(triangle, c).point - c).squaredNorm();
      if (square < best_square) best_square = square, best = id;
    });
    const Triangle triangle = TriangleOf(best);
    return {Describe(triangle, ClosestOnTriangle(triangle, c), c, above), best};
  }

  static SurfacePoint Describe(const Triangle& triangle, const TrianglePoint& p, const Vector3d& c,
                               bool above) {
    const Vector3d away = above ? Vector3d(c - p.point) : Vector3d(p.point - c);
    const double length = away.norm();
    const Vector3d normal = p.inside || length < 1e-9 ? triangle.Normal() : Vector3d(away / length);
    return {p.point, normal, above ? length : -length};
  }

  // True where p is no local minimum or already counted: another triangle that contains p (to 1e-6 of a cell) is nearer, or has the same
  // nearest point (to 1e-8 m) and comes first.
  bool Hidden(const Id& id, const Vector3d& p, const Vector3d& c) const {
    constexpr double kSlack = 1e-6, kSame = 1e-8;
    const double square = (p - c).squaredNorm();
    for (int j = id.j - 1; j <= id.j + 1; ++j) {
      for (int i = id.i - 1; i <= id.i + 1; ++i) {
        const double u = (p.x() - grid_.x0) / grid_.cell - i, v = (p.y() - grid_.y0) / grid_.cell - j;
        if (u < -kSlack || v < -kSlack || u > 1 + kSlack || v > 1 + kSlack) continue;
        for (int half = 0; half < 2; ++half) {
          const Id other{i, j, half};
          if (i == id.i && j == id.j && half == id.half) continue;
          if (half == 0 ? u + v > 1 + kSlack : u + v < 1 - kSlack) continue;
          const Vector3d q = ClosestOnTriangle(TriangleOf(other), c).point;
          const bool same = (q - p).squaredNorm() <= kSame * kSame;
          if (same ? other.Before(id) : (q - c).squaredNorm() < square) return true;
        }
      }
    }
    return false;
  }

  Grid grid_;
  double lowest_ = 0, highest_ = 0;
};

[[noreturn]] void Refuse(const std::string& file, int line, const std::string& what) {
  throw std::invalid_argument("terrain.file = '" + file + "', line " + std::to_string(line) + ": " + what);
}

// Splits a line into finite numbers; refuses anything else.
std::vector<double> ParseNumbers(const std::string& text, const std::string& file, int line) {
  std::vector<double> numbers;
  const char *at = text.data(), *end = text.data() + text.size();
  while (true) {
    while (at != end && (*at == ' ' || *at == '\t' || *at == '\r')) ++at;
    if (at == end) return numbers;
    const char* stop = std::find_if(at, end, [](char ch) { return ch == ' ' || ch == '\t' || ch == '\r'; });
    double value = 0;
    const auto [parsed, error] = std::from_chars(at, stop, value);
    if (error != std::errc() || parsed != stop || !std::isfinite(value)) {
      Refuse(file, line, "'" + std::string(at, stop) + "' is not a finite number");
    }
    numbers.push_back(value);
    at = stop;
  }
}

}  // namespace

std::unique_ptr<Terrain> LoadHeightMap(const std::string& file) {
  std::ifstream stream(file);
  if (!stream) throw std::invalid_argument("terrain.file = '" + file + "': cannot be opened");
  std::string text;
  std::getline(stream, text);
  const std::vector<double> head = ParseNumbers(text, file, 1);
  const auto is_count = [](double v) { return v >= 2 && v <= 30000 && v == std::floor(v); };
  if (head.size() != 5 || !is_count(head[0]) || !is_count(head[1]) || !(head[2] > 0)) {
    Refuse(file, 1, "must be 'nx ny cell x0 y0' with whole nx, ny from 2 to 30000 and cell > 0 m");
  }
  Grid grid{static_cast<int>(head[0]), static_cast<int>(head[1]), head[2], head[3], head[4], {}};
  for (int row = 0; row < grid.ny; ++row) {
    const int line = row + 2;
    if (!std::getline(stream, text)) {
      Refuse(file, line,
             "the file ends after " + std::to_string(row) + " of " + std::to_string(grid.ny) + " rows");
    }
    const std::vector<double> heights = ParseNumbers(text, file, line);
    if (heights.size() != static_cast<std::size_t>(grid.nx)) {
      Refuse(file, line,
             std::to_string(heights.size()) + " heights where nx = " + std::to_string(grid.nx) + " are due");
    }
    grid.heights.insert(grid.heights.end(), heights.begin(), heights.end());
  }
  for (int line = grid.ny + 2; std::getline(stream, text); ++line) {
    if (!ParseNumbers(text, file, line).empty())
      Refuse(file, line, "more than ny = " + std::to_string(grid.ny) + " rows");
  }
  return std::make_unique<HeightMapTerrain>(std::move(grid));
}

}  // namespace tread
