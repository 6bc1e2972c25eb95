// Grounds of sim/terrain.h against closed forms, finite differences and brute force over grids.
#include "sim/terrain.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>
#include <random>
#include <stdexcept>

namespace tread {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

TerrainConfig Config(const std::string& type) {
  TerrainConfig config;
  config.type = type;
  return config;
}

std::string Refusal(const TerrainConfig& config) {
  try {
    MakeTerrain(config, 1);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

// A file in the temporary folder, removed at the end of the test.
class ScratchFile {
 public:
  explicit ScratchFile(const std::string& text)
      : path_(testing::TempDir() + "terrain_test_" + std::to_string(getpid()) + ".txt") {
    std::ofstream(path_) << text;
  }
  ~ScratchFile() { std::remove(path_.c_str()); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Smallest distance from c to the points (x, y, Height) of a grid around c.
double GridDistance(const Terrain& terrain, const Vector3d& c, double half_width, double spacing) {
  double best = std::numeric_limits<double>::infinity();
  for (double x = c.x() - half_width; x <= c.x() + half_width; x += spacing) {
    for (double y = c.y() - half_width; y <= c.y() + half_width; y += spacing) {
      best = std::min(best, (Vector3d(x, y, terrain.Height(x, y)) - c).norm());
    }
  }
  return best;
}

class Sampler {
 public:
  double operator()(double low, double high) {
    return low + (high - low) * std::uniform_real_distribution<double>()(generator_);
  }

 private:
  std::mt19937_64 generator_{7};
};

TEST(TerrainSeed, ReproducesTheGroundAndOtherSeedsDiffer) {
  for (const char* type : {"bumpy", "cells"}) {
    const auto a = MakeTerrain(Config(type), 3), b = MakeTerrain(Config(type), 3),
               c = MakeTerrain(Config(type), 4);
    TerrainConfig own = Config(type);
    own.seed = 3;
    const auto d = MakeTerrain(own, 99);
    double difference = 0;
    for (double x = -2; x < 2; x += 0.13) {
      EXPECT_EQ(a->Height(x, 1.3), b->Height(x, 1.3)) << type;
      EXPECT_EQ(a->Height(x, 1.3), d->Height(x, 1.3)) << type;
      difference = std::max(difference, std::abs(a->Height(x, 1.3) - c->Height(x, 1.3)));
    }
    EXPECT_GT(difference, 0.005) << type;
  }
}

TEST(BumpyTerrain, PeakToValleyEqualsAmplitude) {
  TerrainConfig config = Config("bumpy");
  config.amplitude = 0.07;
  config.flat_radius = 0;
  config.blend_radius = 1e-9;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const auto terrain = MakeTerrain(config, seed);
    double low = 1, high = -1;
    for (int i = -150; i <= 150; ++i) {
      for (int j = -150; j <= 150; ++j) {
        const double h = terrain->Height(0.02 * i, 0.02 * j);
        low = std::min(low, h);
        high = std::max(high, h);
      }
    }
    EXPECT_NEAR(high - low, 0.07, 1e-12);
    EXPECT_LE(high, terrain->max_height());
  }
}

TEST(SeededTerrain, IsFlatAroundTheStart) {
  for (const char* type : {"bumpy", "cells"}) {
    const auto terrain = MakeTerrain(Config(type), 5);
    for (double r = 0; r < 0.35; r += 0.01) {
      for (double a = 0; a < 6.3; a += 0.1) {
        EXPECT_EQ(terrain->Height(r * std::cos(a), r * std::sin(a)), 0) << type;
        EXPECT_EQ(terrain->Normal(r * std::cos(a), r * std::sin(a)), Vector3d(0, 0, 1)) << type;
      }
    }
  }
}

TEST(BumpyTerrain, HasTheExpectedSlopes) {
  TerrainConfig config = Config("bumpy");
  config.amplitude = 0.1;
  config.wavelength = 0.5;
  double p95 = 0, max = 0;
  const int seeds = 10;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const auto slopes = ComputeSlopes(*MakeTerrain(config, seed), {-3, -3}, {3, 3}, 0.04);
    p95 += slopes.p95 / seeds;
    max += slopes.max / seeds;
  }
  EXPECT_NEAR(p95, 0.31, 0.03);
  // A regression value, measured on this generator (single seeds: 0.39 to 0.62). The specification of this ground says 0.58;
  // why the mean of the largest slope is lower here is open, see docs/design.md.
  EXPECT_NEAR(max, 0.48, 0.04);
}

TEST(SmoothTerrain, NormalAgreesWithFiniteDifferencesOfHeight) {
  TerrainConfig slope = Config("slope");
  slope.slope = 0.3;
  slope.direction = 0.7;
  Sampler sample;
  for (const TerrainConfig& config : {Config("flat"), slope, Config("bumpy")}) {
    const auto terrain = MakeTerrain(config, 2);
    for (int n = 0; n < 500; ++n) {
      const double x = sample(-1.2, 1.2), y = sample(-1.2, 1.2), e = 1e-5;
      const double hx = (terrain->Height(x + e, y) - terrain->Height(x - e, y)) / (2 * e);
      const double hy = (terrain->Height(x, y + e) - terrain->Height(x, y - e)) / (2 * e);
      EXPECT_LT((terrain->Normal(x, y) - Vector3d(-hx, -hy, 1).normalized()).norm(), 1e-7) << config.type;
    }
  }
}

TEST(BumpyTerrain, ClosestIsStationaryAndNoGridPointIsCloser) {
  TerrainConfig config = Config("bumpy");
  config.amplitude = 0.1;
  Sampler sample;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const auto terrain = MakeTerrain(config, seed);
    for (int n = 0; n < 100; ++n) {
      const double x = sample(-2, 2), y = sample(-2, 2);
      const Vector3d c(x, y, terrain->Height(x, y) + sample(-0.03, 0.06));
      const SurfacePoint found = terrain->Closest(c);
      EXPECT_NEAR(found.point.z(), terrain->Height(found.point.x(), found.point.y()), 1e-12);
      EXPECT_LT((c - found.point).cross(found.normal).norm(), 1e-12);
      EXPECT_LT((found.point + found.distance * found.normal - c).norm(), 1e-12);
      EXPECT_LT((found.normal - terrain->Normal(found.point.x(), found.point.y())).norm(), 1e-11);
      EXPECT_LE(std::abs(found.distance), GridDistance(*terrain, c, 0.1, 0.005) + 1e-12);
    }
  }
}

TEST(PlaneTerrain, MatchesTheClosedForms) {
  TerrainConfig config = Config("slope");
  config.slope = 0.25;
  config.direction = 0.6;
  const auto terrain = MakeTerrain(config, 1);
  const Vector3d n(-std::sin(0.25) * std::cos(0.6), -std::sin(0.25) * std::sin(0.6), std::cos(0.25));
  EXPECT_NEAR(terrain->Height(2 * std::cos(0.6), 2 * std::sin(0.6)), 2 * std::tan(0.25), 1e-14);
  EXPECT_LT((terrain->Normal(1, 2) - n).norm(), 1e-15);
  const Vector3d c(0.3, -0.2, 0.5);
  const SurfacePoint found = terrain->Closest(c);
  EXPECT_NEAR(found.distance, n.dot(c), 1e-15);
  EXPECT_LT((found.point - (c - n.dot(c) * n)).norm(), 1e-15);
  EXPECT_NEAR(ComputeSlopes(*terrain, {0, 0}, {1, 1}).max, std::tan(0.25), 1e-12);
  EXPECT_EQ(MakeTerrain(Config("flat"), 1)->Closest(c).distance, 0.5);
}

TEST(PlaneTerrain, TouchesOnceWithinTheMargin) {
  const auto terrain = MakeTerrain(Config("flat"), 1);
  SurfacePoint points[2];
  std::uint32_t features[2];
  EXPECT_EQ(terrain->Touches({0, 0, 0.024}, 0.02, 0.005, 2, points, features), 1);
  EXPECT_EQ(features[0], 0u);
  EXPECT_EQ(terrain->Touches({0, 0, 0.026}, 0.02, 0.005, 2, points, features), 0);
  EXPECT_EQ(terrain->Touches({0, 0, 0.024}, 0.02, 0.005, 0, points, features), 0);
}

TEST(StepTerrain, ClosestIsTheEdgeTheRiserOrTheTread) {
  TerrainConfig config = Config("steps");
  config.direction = 0.4;
  const auto terrain = MakeTerrain(config, 1);
  const auto at = [](double s, double t, double z) {
    return Vector3d(std::cos(0.4) * s - std::sin(0.4) * t, std::sin(0.4) * s + std::cos(0.4) * t, z);
  };
  const SurfacePoint edge = terrain->Closest(at(0.49, 0.2, 0.06));
  EXPECT_LT((edge.point - at(0.5, 0.2, 0.05)).norm(), 1e-12);
  EXPECT_LT((edge.normal - at(-1, 0, 1).normalized()).norm(), 1e-12);
  EXPECT_NEAR(edge.distance, 0.01 * std::sqrt(2.0), 1e-12);
  const SurfacePoint riser = terrain->Closest(at(0.49, 0.2, 0.03));
  EXPECT_LT((riser.point - at(0.5, 0.2, 0.03)).norm(), 1e-12);
  EXPECT_LT((riser.normal - at(-1, 0, 0)).norm(), 1e-12);
  const SurfacePoint tread = terrain->Closest(at(0.6, -1, 0.07));
  EXPECT_LT((tread.point - at(0.6, -1, 0.05)).norm(), 1e-12);
  const SurfacePoint inside = terrain->Closest(at(0.502, 0.2, 0.03));  // 2 mm behind the riser
  EXPECT_NEAR(inside.distance, -0.002, 1e-12);
  EXPECT_LT((inside.normal - at(-1, 0, 0)).norm(), 1e-12);
  EXPECT_NEAR(terrain->Height(at(9, 0, 0).x(), at(9, 0, 0).y()), 0.25, 1e-15);
  EXPECT_EQ(terrain->max_height(), 0.25);
}

TEST(StepTerrain, InnerCornerTouchesTreadAndRiserWithLastingFeatures) {
  const auto terrain = MakeTerrain(Config("steps"), 1);
  SurfacePoint points[4];
  std::uint32_t features[4], later[4];
  ASSERT_EQ(terrain->Touches({0.485, 0, 0.019}, 0.02, 0.002, 4, points, features), 2);
  EXPECT_LT((points[0].normal - Vector3d(-1, 0, 0)).norm(), 1e-12);
  EXPECT_LT((points[1].normal - Vector3d(0, 0, 1)).norm(), 1e-12);
  EXPECT_NE(features[0], features[1]);
  ASSERT_EQ(terrain->Touches({0.487, 0.3, 0.018}, 0.02, 0.002, 4, points, later), 2);
  EXPECT_EQ(features[0], later[0]);
  EXPECT_EQ(features[1], later[1]);
  ASSERT_EQ(terrain->Touches({0.485, 0, 0.019}, 0.02, 0.002, 1, points, later), 1);  // the nearest stays
  EXPECT_EQ(features[0], later[0]);
}

TEST(CellTerrain, HeightsFillTheRange) {
  const auto terrain = MakeTerrain(Config("cells"), 1);
  double low = 1, high = -1, sum = 0;
  for (int i = 0; i < 1000; ++i) {
    const double h = terrain->Height(2.05 + 0.1 * i, -1.55);
    low = std::min(low, h), high = std::max(high, h), sum += h;
  }
  EXPECT_GE(low, 0);
  EXPECT_LE(high, 0.05);
  EXPECT_LT(low, 0.001);
  EXPECT_GT(high, 0.049);
  EXPECT_NEAR(sum / 1000, 0.025, 0.002);
  EXPECT_EQ(terrain->Height(1.51, 1.51), terrain->Height(1.59, 1.59));
}

TEST(CellTerrain, ClosestAgreesWithBruteForce) {
  const auto terrain = MakeTerrain(Config("cells"), 1);
  Sampler sample;
  for (int n = 0; n < 100; ++n) {
    const double x = sample(-2, 2), y = sample(-2, 2), floor = terrain->Height(x, y);
    const Vector3d c(x, y, floor + sample(0.0, 0.08));
    const SurfacePoint found = terrain->Closest(c);
    // Vertical faces: a point is on the ground where its height does not exceed that of the cell.
    double best = std::numeric_limits<double>::infinity();
    for (double px = x - 0.1; px < x + 0.1; px += 0.002) {
      for (double py = y - 0.1; py < y + 0.1; py += 0.002) {
        best = std::min(best, (Vector3d(px, py, std::min(c.z(), terrain->Height(px, py))) - c).norm());
      }
    }
    EXPECT_LE(found.distance, best + 1e-12);
    EXPECT_NEAR(found.distance, best, 0.003);
    EXPECT_LT((found.point + found.distance * found.normal - c).norm(), 1e-12);
  }
}

TEST(CellTerrain, SeamsOfTheFlatDiscGiveOneContactWithOneFeature) {
  const auto terrain = MakeTerrain(Config("cells"), 1);
  SurfacePoint points[8];
  std::uint32_t features[8];
  for (double x = -0.2; x < 0.2; x += 0.0125) {
    ASSERT_EQ(terrain->Touches({x, 0.1, 0.02}, 0.03, 0.02, 8, points, features), 1);
    EXPECT_EQ(features[0], 0u);
    EXPECT_EQ(points[0].normal, Vector3d(0, 0, 1));
  }
}

TEST(BoxTerrain, FarAndBrokenQueriesReturn) {
  for (const char* type : {"cells", "steps", "bumpy"}) {
    const auto terrain = MakeTerrain(Config(type), 1);
    EXPECT_NEAR(terrain->Closest({1, 1, 1e6}).distance, 1e6, 1) << type;
    terrain->Closest({1e12, -1e12, -1e12});
    const double nan = std::numeric_limits<double>::quiet_NaN();
    SurfacePoint points[4];
    std::uint32_t features[4];
    terrain->Closest({nan, nan, nan});
    EXPECT_LE(terrain->Touches({nan, nan, nan}, 0.02, 0.01, 4, points, features), 4) << type;
  }
}

TEST(HeightMap, RoundTripIsBilinear) {
  const ScratchFile file("3 2 0.5 -1 2\n0 0.1 0.2\n0.3 0.5 0.1\n\n");
  TerrainConfig config = Config("heightmap");
  config.file = file.path();
  const auto terrain = MakeTerrain(config, 1);
  EXPECT_NEAR(terrain->Height(-1, 2), 0, 1e-15);
  EXPECT_NEAR(terrain->Height(-0.5, 2.5), 0.5, 1e-15);
  EXPECT_NEAR(terrain->Height(0, 2.5), 0.1, 1e-15);
  EXPECT_NEAR(terrain->Height(-0.75, 2.25), 0.225, 1e-15);
  EXPECT_NEAR(terrain->Height(-50, 1), 0, 1e-15);  // the border continues
  EXPECT_NEAR(terrain->Height(50, 50), 0.1, 1e-15);
  EXPECT_EQ(terrain->max_height(), 0.5);
  const double e = 1e-6, hx = (terrain->Height(-0.8 + e, 2.1) - terrain->Height(-0.8 - e, 2.1)) / (2 * e);
  const double hy = (terrain->Height(-0.8, 2.1 + e) - terrain->Height(-0.8, 2.1 - e)) / (2 * e);
  EXPECT_LT((terrain->Normal(-0.8, 2.1) - Vector3d(-hx, -hy, 1).normalized()).norm(), 1e-8);
}

TEST(HeightMap, PlanarMapMatchesThePlane) {
  std::string text = "11 11 0.1 -0.5 -0.5\n";
  for (int j = 0; j < 11; ++j) {
    for (int i = 0; i < 11; ++i) text += std::to_string(0.02 * i - 0.01 * j) + " ";
    text += "\n";
  }
  const ScratchFile file(text);
  const auto terrain = LoadHeightMap(file.path());
  const Vector3d n = Vector3d(-0.2, 0.1, 1).normalized();
  Sampler sample;
  SurfacePoint points[8];
  std::uint32_t features[8];
  for (int n_sample = 0; n_sample < 200; ++n_sample) {
    const double x = sample(-0.3, 0.3), y = sample(-0.3, 0.3);
    const Vector3d on(x, y, terrain->Height(x, y));
    const double d = sample(-0.05, 0.05);
    const SurfacePoint found = terrain->Closest(on + d * n);
    EXPECT_NEAR(found.distance, d, 1e-9);
    EXPECT_LT((found.point - on).norm(), 1e-9);
    EXPECT_LT((found.normal - n).norm(), 1e-6);
    EXPECT_EQ(terrain->Touches(on + d * n, 0.06, 0, 8, points, features), 1);
  }
  for (int i = -3; i <= 3; ++i) {  // exactly above nodes
    const Vector3d on(0.1 * i, 0, terrain->Height(0.1 * i, 0));
    for (double off : {0.0, 1e-14, 1e-11, 1e-9, 3e-8, 1e-7, 1e-5}) {
      const Vector3d c = on + 0.05 * n + Vector3d(off, off / 2, 0);
      EXPECT_EQ(terrain->Touches(c, 0.06, 0, 8, points, features), 1) << i << " " << off;
    }
  }
}

TEST(HeightMap, ValleyTouchesBothWallsAndRidgeTouchesOnce) {
  const ScratchFile file("5 3 0.1 -0.2 -0.1\n0 0.1 0 0.1 0\n0 0.1 0 0.1 0\n0 0.1 0 0.1 0\n");
  const auto terrain = LoadHeightMap(file.path());
  SurfacePoint points[8];
  std::uint32_t features[8];
  ASSERT_EQ(terrain->Touches({0, 0.03, 0.05}, 0.05, 0, 8, points, features), 2);  // 45 degree walls
  EXPECT_NEAR(points[0].distance, 0.05 / std::sqrt(2.0), 1e-12);
  EXPECT_NEAR(points[0].normal.dot(points[1].normal), 0, 1e-12);
  EXPECT_NE(features[0], features[1]);
  ASSERT_EQ(terrain->Touches({0.1, 0.03, 0.12}, 0.03, 0, 8, points, features), 1);
  EXPECT_LT((points[0].point - Vector3d(0.1, 0.03, 0.1)).norm(), 1e-12);
}

TEST(HeightMap, ClosestIsNearerThanAnyTrianglePoint) {
  Sampler sample;
  const int size = 12;
  std::string text = "12 12 0.05 0 0\n";
  for (int j = 0; j < size; ++j) {
    for (int i = 0; i < size; ++i) text += std::to_string(sample(0, 0.05)) + " ";
    text += "\n";
  }
  const ScratchFile file(text);
  const auto terrain = LoadHeightMap(file.path());
  for (int n = 0; n < 100; ++n) {
    const Vector3d c(sample(0.1, 0.45), sample(0.1, 0.45), sample(0.05, 0.12));
    const SurfacePoint found = terrain->Closest(c);
    double best = std::numeric_limits<double>::infinity();
    for (int i = 0; i < size; ++i) {  // along grid lines triangles and bilinear heights agree
      for (int k = 0; k <= 110; ++k) {
        const double a = 0.05 * i, b = 0.005 * k;
        best = std::min(best, (Vector3d(a, b, terrain->Height(a, b)) - c).norm());
        best = std::min(best, (Vector3d(b, a, terrain->Height(b, a)) - c).norm());
      }
    }
    EXPECT_GT(found.distance, 0);
    EXPECT_LE(found.distance, best + 1e-12);
    EXPECT_LT((found.point + found.distance * found.normal - c).norm(), 1e-9);
    SurfacePoint points[64];
    std::uint32_t features[64];
    ASSERT_GE(terrain->Touches(c, found.distance, 0.01, 64, points, features), 1);
    EXPECT_NEAR(points[0].distance, found.distance, 1e-12);
  }
}

TEST(HeightMap, BrokenFilesAreRefusedWithFileAndLine) {
  TerrainConfig config = Config("heightmap");
  EXPECT_NE(Refusal(config).find("terrain.file"), std::string::npos);
  config.file = "/nonexistent/map.txt";
  EXPECT_NE(Refusal(config).find("/nonexistent/map.txt"), std::string::npos);
  const std::pair<const char*, const char*> cases[] = {
      {"2 3 0.1 0 0\n0 0\n0 0\n", "line 4"},
      {"2 2 0.1 0 0\n0 0\n0\n", "line 3"},
      {"2 2 0.1 0 0\n0 x1\n0 0\n", "'x1'"},
      {"2 2 0.1 0 0\n0 nan\n0 0\n", "line 2"},
      {"2 2 0.1 0 0\n0 0\n0 0\n1 1", "line 4"},
      {"2 2 -1 0 0\n0 0\n0 0\n", "line 1"},
      {"", "line 1"},
  };
  for (const auto& [text, expected] : cases) {
    const ScratchFile file(text);
    config.file = file.path();
    EXPECT_NE(Refusal(config).find(expected), std::string::npos) << text << Refusal(config);
    EXPECT_NE(Refusal(config).find(file.path()), std::string::npos) << text;
  }
}

TEST(MakeTerrain, UnknownTypeIsRefusedWithASuggestion) {
  EXPECT_EQ(Refusal(Config("bmpy")),
            "terrain.type = 'bmpy': unknown; one of flat, slope, bumpy, cells, steps, heightmap (did you "
            "mean 'bumpy'?)");
  EXPECT_EQ(Refusal(Config("swimming pool")).find("did you mean"), std::string::npos);
}

TEST(MakeTerrain, BadValuesAreRefusedByKey) {
  TerrainConfig config = Config("bumpy");
  config.wavelength = 0;
  EXPECT_NE(Refusal(config).find("terrain.wavelength = 0"), std::string::npos);
  config = Config("bumpy");
  config.blend_radius = 0.1;
  EXPECT_NE(Refusal(config).find("terrain.blend_radius = 0.1"), std::string::npos);
  config = Config("cells");
  config.amplitude = -1;
  EXPECT_NE(Refusal(config).find("terrain.amplitude = -1"), std::string::npos);
  config = Config("steps");
  config.step_count = 0;
  EXPECT_NE(Refusal(config).find("terrain.step_count = 0"), std::string::npos);
  config = Config("slope");
  config.slope = 2;
  EXPECT_NE(Refusal(config).find("terrain.slope = 2"), std::string::npos);
  config = Config("flat");
  config.seed = -2;
  EXPECT_NE(Refusal(config).find("terrain.seed = -2"), std::string::npos);
}

TEST(TerrainTable, EveryTypeCanBeMade) {
  for (const TerrainEntry& entry : TerrainTable()) {
    if (std::string(entry.name) == "heightmap") continue;  // needs a file
    EXPECT_NE(MakeTerrain(Config(entry.name), 1), nullptr) << entry.name;
  }
}

}  // namespace
}  // namespace tread
