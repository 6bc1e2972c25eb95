// Culling and capsules of sim/terrain.h.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "sim/terrain.h"

namespace tread {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

std::unique_ptr<Terrain> Make(const std::string& type, std::uint64_t seed = 1) {
  TerrainConfig config;
  config.type = type;
  config.amplitude = 0.1;
  config.slope = 0.3;
  return MakeTerrain(config, seed);
}

struct Touched {
  int count;
  SurfacePoint points[3];
  std::uint32_t features[3];
};

Touched Capsule(const Terrain& terrain, const Vector3d& a, const Vector3d& b, double radius,
                double margin = 0) {
  Touched t;
  t.count = terrain.TouchesCapsule(a, b, radius, margin, 3, t.points, t.features);
  return t;
}

TEST(MaxSlope, BoundsTheSlopesOfSmoothGroundsAndIsInfiniteAtRisers) {
  EXPECT_EQ(Make("flat")->max_slope(), 0);
  EXPECT_NEAR(Make("slope")->max_slope(), std::tan(0.3), 1e-15);
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const auto bumpy = Make("bumpy", seed);
    EXPECT_LT(ComputeSlopes(*bumpy, {-3, -3}, {3, 3}, 0.05).max, bumpy->max_slope());
    EXPECT_LT(bumpy->max_slope(), 2);
  }
  EXPECT_EQ(Make("steps")->max_slope(), std::numeric_limits<double>::infinity());
  EXPECT_EQ(Make("cells")->max_slope(), std::numeric_limits<double>::infinity());
}

TEST(MayTouch, NeverRulesOutAContactAndSeesThatHighSpheresAreFar) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> place(-2, 2), up(-0.02, 0.2);
  for (const char* type : {"flat", "slope", "bumpy", "cells", "steps"}) {
    const auto terrain = Make(type);
    for (int k = 0; k < 2000; ++k) {
      Vector3d c(place(random), place(random), 0);
      c.z() = terrain->Height(c.x(), c.y()) + up(random);
      EXPECT_TRUE(terrain->MayTouch(c, 0.03) || terrain->Closest(c).distance >= 0.03) << type;
    }
    if (std::string(type) != "slope") {
      EXPECT_FALSE(terrain->MayTouch({1, 1, terrain->max_height() + 0.04}, 0.03)) << type;
    }
  }
  const auto bumpy = Make("bumpy");
  EXPECT_FALSE(bumpy->MayTouch({1, 1, bumpy->Height(1, 1) + 0.06}, 0.03));
}

TEST(Capsule, OnAPlaneTouchesAtItsEndsOnly) {
  for (const char* type : {"flat", "slope"}) {
    const auto terrain = Make(type);
    const Vector3d n = terrain->Normal(0, 0), t = Vector3d(0.3, 1, 0).cross(n).normalized();
    const Vector3d middle = 0.019 * n + Vector3d(0.37, -0.21, terrain->Height(0.37, -0.21));
    const Touched both = Capsule(*terrain, middle - 0.1 * t, middle + 0.1 * t, 0.02);
    ASSERT_EQ(both.count, 2) << type;
    EXPECT_EQ(both.features[0], 0u);
    EXPECT_EQ(both.features[1], 1u);
    EXPECT_NEAR(both.points[1].distance, 0.019, 1e-15);
    const Touched one = Capsule(*terrain, middle - 0.1 * t + 0.01 * n, middle + 0.1 * t, 0.02);
    ASSERT_EQ(one.count, 1) << type;
    EXPECT_EQ(one.features[0], 1u);
    EXPECT_EQ(Capsule(*terrain, middle - 0.1 * t + 0.01 * n, middle + 0.1 * t + 0.01 * n, 0.02).count, 0);
  }
}

TEST(Capsule, OverABumpTouchesInTheMiddle) {
  const auto terrain = Make("bumpy", 2);
  // the highest place of the walked area, to a centimetre
  Vector3d top(0, 0, 0);
  for (double x = -2; x < 2; x += 0.01) {
    for (double y = -2; y < 2; y += 0.01) {
      if (terrain->Height(x, y) > top.z()) top = {x, y, terrain->Height(x, y)};
    }
  }
  for (double heading : {0.0, 0.7, 2.1}) {
    const Vector3d t(std::cos(heading), std::sin(heading), 0.02), c = top + Vector3d(0, 0, 0.019);
    const Vector3d a = c - 0.11 * t, b = c + 0.15 * t;
    const Touched found = Capsule(*terrain, a, b, 0.02, 0.005);
    ASSERT_EQ(found.count, 1);
    EXPECT_EQ(found.features[0], 2u);
    // lowest along the axis, by brute force
    double lowest = 1;
    for (int k = 0; k <= 5000; ++k)
      lowest = std::min(lowest, terrain->Closest(a + k / 5000.0 * (b - a)).distance);
    EXPECT_NEAR(found.points[0].distance, lowest, 1e-8);
    EXPECT_LE(found.points[0].distance, lowest + 1e-12);
    EXPECT_LT(std::abs(found.points[0].normal.dot(t)), 1e-7);  // perpendicular to the axis
  }
}

TEST(Capsule, AcrossAStepTouchesTheEdgeInTheMiddle) {
  const auto terrain = Make("steps");  // first riser at x = 0.5, 0.05 m high
  const Vector3d edge(0.5, 0.3, 0.05), t = Vector3d(0.8, 0.1, 0.5).normalized();
  const Vector3d away = Vector3d(-0.5, 0, 0.8).normalized(),
                 c = edge + 0.019 * (away - away.dot(t) * t).normalized();
  const Touched found = Capsule(*terrain, c - 0.05 * t, c + 0.07 * t, 0.02);
  ASSERT_EQ(found.count, 1);
  EXPECT_EQ(found.features[0], 2u);
  EXPECT_NEAR(found.points[0].point.x(), 0.5, 1e-9);
  EXPECT_NEAR(found.points[0].point.z(), 0.05, 1e-9);
  EXPECT_LT(found.points[0].distance, 0.019 + 1e-12);
  EXPECT_LT(std::abs(found.points[0].normal.dot(t)), 1e-6);
}

TEST(Capsule, LyingAcrossANarrowBoxTouchesInItsMiddle) {
  const auto terrain = Make("cells");
  int found = 0;
  for (int i = 10; i < 60; ++i) {  // cells of 0.1 m that stand out along x
    const double x = 0.1 * i + 0.05, y = 1.55, top = terrain->Height(x, y);
    const double neighbour = std::max({terrain->Height(x - 0.1, y), terrain->Height(x + 0.1, y),
                                       terrain->Height(x - 0.2, y), terrain->Height(x + 0.2, y)});
    if (top < neighbour + 0.01) continue;
    const Touched t = Capsule(*terrain, {x - 0.14, y, top + 0.019}, {x + 0.14, y, top + 0.019}, 0.02);
    ASSERT_EQ(t.count, 1);
    EXPECT_EQ(t.features[0], 2u);
    EXPECT_NEAR(t.points[0].distance, 0.019, 1e-12);
    EXPECT_NEAR(t.points[0].point.x(), x, 0.05);
    ++found;
  }
  EXPECT_GT(found, 3);
}

TEST(Capsule, OverhangingAnEdgeTouchesThereAsSoonAsItTilts) {
  TerrainConfig config;
  config.type = "steps";
  config.step_height = -0.05;  // the start is the top, one step down at x = 0.5
  const auto terrain = MakeTerrain(config, 1);
  const Touched over = Capsule(*terrain, {0.4, 0, 0.019}, {0.6, 0, 0.019}, 0.02);
  ASSERT_EQ(over.count, 1);
  EXPECT_EQ(over.features[0], 0u);
  // tilted by a hair towards the drop, the edge takes over
  const Touched tilted = Capsule(*terrain, {0.4, 0, 0.0191}, {0.6, 0, 0.0189}, 0.02);
  ASSERT_EQ(tilted.count, 2);
  EXPECT_EQ(tilted.features[1], 2u);
  EXPECT_NEAR(tilted.points[1].point.x(), 0.5, 1e-4);
}

TEST(Capsule, PointsFitTheCapacityAndBrokenInputReturns) {
  const auto terrain = Make("flat");
  SurfacePoint points[1];
  std::uint32_t features[1];
  EXPECT_EQ(terrain->TouchesCapsule({0, 0, 0}, {1, 0, 0}, 0.1, 0, 1, points, features), 1);
  EXPECT_EQ(terrain->TouchesCapsule({0, 0, 0}, {1, 0, 0}, 0.1, 0, 0, points, features), 0);
  const double nan = std::nan("");
  for (const char* type : {"flat", "bumpy", "cells", "steps"}) {
    EXPECT_LE(Capsule(*Make(type), {nan, 0, 0}, {0, nan, 0}, 0.1).count, 3) << type;
    EXPECT_LE(Capsule(*Make(type), {1, 1, 0}, {1, 1, 0}, 0.1).count, 2) << type;  // no length: a sphere twice
  }
}

}  // namespace
}  // namespace tread
