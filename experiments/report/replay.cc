#include "experiments/report/replay.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/scene.h"

namespace tread {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;
using Json = nlohmann::ordered_json;

constexpr double kFrame = 0.02;            // [s]
constexpr std::size_t kMostFrames = 3000;  // a longer run has fewer frames per second
constexpr double kMargin = 0.7;            // [m] ground shown around what moves
constexpr double kFarthest = 30;           // [m] from where it began
constexpr double kMostHeights = 30000;

// The rows of ticks.csv that become frames.
std::vector<std::size_t> FrameRows(const std::vector<double>& t) {
  std::vector<std::size_t> rows;
  if (t.empty()) return rows;
  const double step = std::max(kFrame, (t.back() - t.front()) / static_cast<double>(kMostFrames));
  double next = t.front();
  for (std::size_t i = 0; i < t.size(); ++i) {
    if (t[i] < next - 1e-9) continue;
    rows.push_back(i);
    next += step;
  }
  if (rows.back() + 1 != t.size()) rows.push_back(t.size() - 1);
  return rows;
}

std::vector<const std::vector<double>*> Columns(const TicksTable& ticks, const std::string& prefix,
                                                std::initializer_list<const char*> names) {
  std::vector<const std::vector<double>*> out;
  for (const char* name : names) out.push_back(&ticks[prefix + name]);
  return out;
}

// What the log says of each number of the scene's q: a column, or null for one that keeps its first value.
std::vector<const std::vector<double>*> Configuration(const ExperimentConfig& config, const Scene& scene,
                                                      const TicksTable& ticks) {
  std::vector<const std::vector<double>*> q(static_cast<std::size_t>(scene.nq()), nullptr);
  for (std::size_t s = 0; s < scene.systems.size(); ++s) {
    const Robot& robot = *scene.systems[s];
    const auto begin = q.begin() + scene.q_offset[s];
    const bool controlled = s == 0 && config.robot != "none";
    if (robot.has_floating_base()) {
      const auto base = Columns(ticks, controlled ? "base." : "body." + robot.name() + ".",
                                {"px", "py", "pz", "qx", "qy", "qz", "qw"});
      std::copy(base.begin(), base.end(), begin);
    }
    if (!controlled) continue;
    for (int j = 0; j < robot.na(); ++j)
      begin[robot.nq() - robot.na() + j] =
          &ticks["joint." + robot.joint_names()[static_cast<std::size_t>(j)] + ".q"];
  }
  return q;
}

Json Numbers(const Vector3d& v) {
  return {v.x(), v.y(), v.z()};
}
Json Numbers(const Eigen::Matrix3d& R) {
  const Eigen::Quaterniond q(R);
  return {q.x(), q.y(), q.z(), q.w()};
}

const char* Name(ShapeType type) {
  constexpr const char* names[] = {"sphere", "box", "capsule"};
  return names[static_cast<int>(type)];
}

// Poses of all bodies over the frames, and the ground they cover.
struct Motion {
  std::vector<std::vector<double>> bodies;  // p (3), quaternion x y z w, per frame
  Vector2d low = Vector2d::Constant(INFINITY), high = Vector2d::Constant(-INFINITY);

  void Add(std::size_t body, const Pose& pose) {
    const Eigen::Quaterniond q(pose.R);
    for (const double x : {pose.p.x(), pose.p.y(), pose.p.z(), q.x(), q.y(), q.z(), q.w()})
      bodies[body].push_back(x);
    if (!pose.p.allFinite() || pose.p.cwiseAbs().maxCoeff() > kFarthest) return;
    low = low.cwiseMin(pose.p.head<2>());
    high = high.cwiseMax(pose.p.head<2>());
  }
};

Motion Move(const std::vector<const std::vector<double>*>& columns, const std::vector<std::size_t>& rows,
            Scene* scene) {
  Motion motion;
  for (const auto& system : scene->systems)
    motion.bodies.resize(motion.bodies.size() + system->bodies().size());
  State state = scene->initial;
  state.v.setZero();
  for (const std::size_t row : rows) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (columns[i] != nullptr) state.q[static_cast<Eigen::Index>(i)] = (*columns[i])[row];
    }
    scene->ComputeTerms(state);
    std::size_t body = 0;
    for (const auto& system : scene->systems) {
      for (const Pose& pose : system->poses()) motion.Add(body++, pose);
    }
  }
  return motion;
}

// Heights on a grid, by rows of equal y.
Json Ground(const ExperimentConfig& config, const Scene& scene, const Motion& motion, Page* page) {
  if (!(motion.low.x() <= motion.high.x())) return nullptr;
  const Vector2d low = motion.low.array() - kMargin,
                 size = motion.high - motion.low + Vector2d::Constant(2 * kMargin);
  const std::string& type = config.scene.terrain.type;
  const double spacing =
      type == "flat" || type == "slope" ? 0.1 : std::max(0.02, std::sqrt(size.prod() / kMostHeights));
  const auto nx = static_cast<int>(std::ceil(size.x() / spacing)) + 1,
             ny = static_cast<int>(std::ceil(size.y() / spacing)) + 1;
  std::vector<double> heights;
  for (int j = 0; j < ny; ++j) {
    for (int i = 0; i < nx; ++i)
      heights.push_back(scene.terrain->Height(low.x() + i * spacing, low.y() + j * spacing));
  }
  return {{"x", low.x()}, {"y", low.y()}, {"spacing", spacing},
          {"nx", nx},     {"ny", ny},     {"heights", page->Keep(heights)}};
}

Json Geometries(const Scene& scene) {
  Json out = Json::array();
  std::vector<int> first{0};
  for (const auto& system : scene.systems)
    first.push_back(first.back() + static_cast<int>(system->bodies().size()));
  for (const SceneGeometry& entry : scene.geometries) {
    const Geometry& g = entry.geometry;
    out.push_back({{"name", g.name},
                   {"system", entry.body.system},
                   {"body", first[static_cast<std::size_t>(entry.body.system)] + entry.body.body},
                   {"type", Name(g.shape.type)},
                   {"size", Numbers(g.shape.size)},
                   {"p", Numbers(g.placement.p)},
                   {"q", Numbers(g.placement.R)}});
  }
  return out;
}

Json Forces(const TicksTable& ticks, const std::vector<std::size_t>& rows, Page* page) {
  Json out = Json::array();
  for (const std::string& foot : ticks.Between("foot.", ".fz")) {
    std::vector<double> values;
    const auto columns = Columns(ticks, "foot." + foot + ".", {"px", "py", "pz", "fx", "fy", "fz"});
    for (const std::size_t row : rows) {
      for (const auto* column : columns) values.push_back((*column)[row]);
    }
    out.push_back({{"name", foot}, {"values", page->Keep(values)}});
  }
  return out;
}

}  // namespace

void AddReplay(const ExperimentConfig& config, const TicksTable& ticks, Page* page) {
  Scene scene(config.AllOfScene(), static_cast<std::uint64_t>(config.run.seed));
  const std::vector<double>& t = ticks["t"];
  const std::vector<std::size_t> rows = FrameRows(t);
  if (rows.empty()) return;
  const Motion motion = Move(Configuration(config, scene, ticks), rows, &scene);
  Json data{{"frames", rows.size()}};
  std::vector<double> times;
  for (const std::size_t row : rows) times.push_back(t[row]);
  data["times"] = page->Keep(times);
  data["bodies"] = Json::array();
  for (const auto& body : motion.bodies) data["bodies"].push_back(page->Keep(body));
  data["geometries"] = Geometries(scene);
  data["forces"] = Forces(ticks, rows, page);
  data["ground"] = Ground(config, scene, motion, page);
  data["robot"] = config.robot != "none";
  double mass = 0;
  for (const auto& system : scene.systems) mass += system->total_mass();
  data["weight"] = mass * scene.gravity.norm();
  page->AddCustom("replay", "Replay", data.dump());
}

}  // namespace tread
