#include "sim/collision/detector.h"

#include <algorithm>

namespace tread {
namespace {

using Eigen::Vector3d;

std::vector<Shape> ShapesOf(const Scene& scene) {
  std::vector<Shape> shapes;
  for (const SceneGeometry& g : scene.geometries) shapes.push_back(g.geometry.shape);
  return shapes;
}

std::uint64_t PairKey(int geometry1, int geometry2) {
  return static_cast<std::uint64_t>(geometry1 + 1) << 16 | static_cast<std::uint64_t>(geometry2 + 1);
}

// Half lengths of the axis-aligned box around a shape, without its rounding.
Vector3d HalfExtent(const Shape& shape, const Pose& pose) {
  if (shape.type == ShapeType::kSphere) return Vector3d::Constant(shape.size[0]);
  if (shape.type == ShapeType::kCapsule)
    return (pose.R.col(2) * shape.size[1]).cwiseAbs() + Vector3d::Constant(shape.size[0]);
  return pose.R.cwiseAbs() * shape.size;
}

}  // namespace

Detector::Detector(const Scene& scene) : scene_(scene), narrow_(ShapesOf(scene)) {
  const std::size_t n = scene.geometries.size();
  poses_.resize(n);
  margins_.resize(n);
  boxes_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    order_.push_back(static_cast<int>(i));
    const BodyRef& ref = scene.geometries[i].body;
    const Robot& robot = *scene.systems[static_cast<std::size_t>(ref.system)];
    fixed_.push_back(robot.bodies()[static_cast<std::size_t>(ref.body)].chain.empty());
  }
  memory_.reserve(16 * n);
  next_memory_.reserve(16 * n);
  PairOwnShapes();
  pairs_.reserve(own_pairs_.size() + 16 * n);
}

// The systems are put into their home poses for a moment: called once, by the constructor.
void Detector::PairOwnShapes() {
  for (std::size_t s = 0; s < scene_.systems.size(); ++s) {
    Robot& robot = *scene_.systems[s];
    if (robot.bodies().size() < 2) continue;
    robot.ComputeTerms(robot.q_home(), Eigen::VectorXd::Zero(robot.nv()));
    const auto pose = [&](const SceneGeometry& g) {
      return robot.poses()[static_cast<std::size_t>(g.body.body)] * g.geometry.placement;
    };
    for (int i = 0; i < static_cast<int>(scene_.geometries.size()); ++i) {
      const SceneGeometry& a = scene_.geometries[static_cast<std::size_t>(i)];
      if (a.body.system != static_cast<int>(s)) continue;
      for (int j = i + 1; j < static_cast<int>(scene_.geometries.size()); ++j) {
        const SceneGeometry& b = scene_.geometries[static_cast<std::size_t>(j)];
        if (b.body.system != static_cast<int>(s) || a.body == b.body) continue;
        const auto parent = [&](int body) { return robot.bodies()[static_cast<std::size_t>(body)].parent; };
        if (parent(a.body.body) == b.body.body || parent(b.body.body) == a.body.body) continue;
        if (narrow_.Collide(i, pose(a), j, pose(b), 0.002, &points_) > 0) continue;
        own_pairs_.emplace_back(i, j);
      }
    }
    const auto q = scene_.initial.q.segment(scene_.q_offset[s], robot.nq());
    robot.ComputeTerms(q, scene_.initial.v.segment(scene_.v_offset[s], robot.nv()));
  }
}

void Detector::UpdateBoxes(double margin, double dt) {
  for (std::size_t i = 0; i < boxes_.size(); ++i) {
    const SceneGeometry& g = scene_.geometries[i];
    const Robot& robot = *scene_.systems[static_cast<std::size_t>(g.body.system)];
    const Pose& body = robot.poses()[static_cast<std::size_t>(g.body.body)];
    const BodyVelocity& v = robot.velocities()[static_cast<std::size_t>(g.body.body)];
    poses_[i].p = body * g.geometry.placement.p;
    if (g.geometry.shape.type != ShapeType::kSphere) poses_[i].R.noalias() = body.R * g.geometry.placement.R;
    const double reach = g.geometry.placement.p.norm() + g.geometry.shape.bounding_radius();
    margins_[i] = margin + dt * (v.linear.norm() + reach * v.angular.norm());
    const Vector3d half = HalfExtent(g.geometry.shape, poses_[i]) + Vector3d::Constant(margins_[i]);
    boxes_[i] = {poses_[i].p - half, poses_[i].p + half};
  }
}

void Detector::FindPairs() {
  const auto overlap = [&](int i, int j) {
    const Box &a = boxes_[static_cast<std::size_t>(i)], &b = boxes_[static_cast<std::size_t>(j)];
    return (a.low.array() <= b.high.array()).all() && (b.low.array() <= a.high.array()).all();
  };
  pairs_.clear();
  for (const Pair& pair : own_pairs_) {
    if (overlap(pair.first, pair.second)) pairs_.push_back(pair);
  }
  if (scene_.systems.size() < 2) return;
  // Insertion sort: nearly in order from the step before, and the outcome depends on the state only.
  const auto before = [&](int i, int j) {
    const double a = boxes_[static_cast<std::size_t>(i)].low.x(),
                 b = boxes_[static_cast<std::size_t>(j)].low.x();
    return a < b || (a == b && i < j);
  };
  for (std::size_t k = 1; k < order_.size(); ++k) {
    for (std::size_t m = k; m > 0 && before(order_[m], order_[m - 1]); --m)
      std::swap(order_[m], order_[m - 1]);
  }
  for (std::size_t k = 0; k < order_.size(); ++k) {
    const int i = order_[k];
    for (std::size_t m = k + 1; m < order_.size(); ++m) {
      const int j = order_[m];
      if (boxes_[static_cast<std::size_t>(j)].low.x() > boxes_[static_cast<std::size_t>(i)].high.x()) break;
      const bool same = scene_.geometries[static_cast<std::size_t>(i)].body.system ==
                        scene_.geometries[static_cast<std::size_t>(j)].body.system;
      const bool both_fixed = fixed_[static_cast<std::size_t>(i)] && fixed_[static_cast<std::size_t>(j)];
      if (!same && !both_fixed && overlap(i, j)) pairs_.emplace_back(std::min(i, j), std::max(i, j));
    }
  }
  std::sort(pairs_.begin(), pairs_.end());
}

void Detector::Add(int geometry1, int geometry2, std::uint32_t feature, const Vector3d& point,
                   const Vector3d& normal, double gap, std::vector<Contact>* contacts) {
  Contact& c = contacts->emplace_back();
  const SceneGeometry& b = scene_.geometries[static_cast<std::size_t>(geometry2)];
  c.id = PairKey(geometry1, geometry2) << 32 | feature;
  c.geometry1 = geometry1;
  c.geometry2 = geometry2;
  c.body2 = b.body;
  c.material2 = b.material;
  c.material1 = scene_.ground_material;
  if (geometry1 >= 0) {
    c.body1 = scene_.geometries[static_cast<std::size_t>(geometry1)].body;
    c.material1 = scene_.geometries[static_cast<std::size_t>(geometry1)].material;
  }
  c.point = point;
  c.frame = ContactFrame(normal);
  c.gap = gap;
  c.mu = scene_.surfaces(c.material1, c.material2).mu;
}

void Detector::TouchGround(int geometry, std::vector<Contact>* contacts) {
  const auto i = static_cast<std::size_t>(geometry);
  const Terrain& ground = *scene_.terrain;
  const double margin = margins_[i];
  if (fixed_[i] || boxes_[i].low.z() > ground.max_height()) return;
  const Shape& shape = scene_.geometries[i].geometry.shape;
  constexpr int kMost = 8;
  SurfacePoint points[kMost];
  std::uint32_t features[kMost];
  const auto add = [&](const SurfacePoint& p, double radius, std::uint32_t feature) {
    const double gap = p.distance - radius;
    // midway between the ground and the shape
    Add(-1, geometry, feature, p.point + 0.5 * gap * p.normal, p.normal, gap, contacts);
  };
  if (shape.type == ShapeType::kBox) {
    for (std::uint32_t corner = 0; corner < 8; ++corner) {
      const Vector3d sign(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1);
      const Vector3d x = poses_[i] * sign.cwiseProduct(shape.size);
      const int count = ground.Touches(x, 0, margin, kMost, points, features);
      for (int k = 0; k < count; ++k) add(points[k], 0, corner | features[k] << 3);
    }
    return;
  }
  int count = 0;
  const double radius = shape.size[0];
  if (shape.type == ShapeType::kSphere) {
    count = ground.Touches(poses_[i].p, radius, margin, kMost, points, features);
  } else {
    const Vector3d axis = poses_[i].R.col(2) * shape.size[1];
    count = ground.TouchesCapsule(poses_[i].p + axis, poses_[i].p - axis, radius, margin, kMost, points,
                                  features);
  }
  for (int k = 0; k < count; ++k) add(points[k], radius, features[k]);
}

// The feature of the nearest point that the pair had before, if it is within reach and not taken; else the first free number.
std::uint32_t Detector::MatchPatchPoint(std::uint64_t pair, double reach, const Vector3d& place) {
  const auto taken = [&](std::uint32_t feature) {
    return std::any_of(next_memory_.rbegin(), next_memory_.rend(),
                       [&](const PatchPoint& p) { return p.pair == pair && p.feature == feature; });
  };
  const PatchPoint* best = nullptr;
  double best_square = reach * reach;
  std::uint32_t free = 0;
  const auto begin = std::lower_bound(memory_.begin(), memory_.end(), pair,
                                      [](const PatchPoint& p, std::uint64_t key) { return p.pair < key; });
  for (auto p = begin; p != memory_.end() && p->pair == pair; ++p) {
    free = std::max(free, p->feature + 1);
    const double square = (p->place - place).squaredNorm();
    if (square < best_square && !taken(p->feature)) best_square = square, best = &*p;
  }
  if (best != nullptr) return best->feature;
  free %= 64;  // numbers of points that are gone may be used again
  while (taken(free)) free = (free + 1) % 64;
  return free;
}

void Detector::TouchPair(const Pair& pair, std::vector<Contact>* contacts) {
  const auto i = static_cast<std::size_t>(pair.first), j = static_cast<std::size_t>(pair.second);
  const double margin = margins_[i] + margins_[j];
  const int count = narrow_.Collide(pair.first, poses_[i], pair.second, poses_[j], margin, &points_);
  const std::uint64_t key = PairKey(pair.first, pair.second);
  for (int k = 0; k < count; ++k) {
    const ShapeContact& p = points_[static_cast<std::size_t>(k)];
    std::uint32_t feature = static_cast<std::uint32_t>(p.feature);
    if (p.feature < 0) {
      const double reach = 0.2 * std::min(scene_.geometries[i].geometry.shape.size.minCoeff(),
                                          scene_.geometries[j].geometry.shape.size.minCoeff());
      const Vector3d place = poses_[i].R.transpose() * (p.point - poses_[i].p);
      feature = MatchPatchPoint(key, reach, place);
      next_memory_.push_back({key, feature, place});
    }
    Add(pair.first, pair.second, feature, p.point, p.normal, p.gap, contacts);
  }
}

void Detector::Detect(double margin, double dt, std::vector<Contact>* contacts) {
  contacts->clear();
  next_memory_.clear();
  UpdateBoxes(margin, dt);
  for (int i = 0; i < static_cast<int>(boxes_.size()); ++i) TouchGround(i, contacts);
  FindPairs();
  for (const Pair& pair : pairs_) TouchPair(pair, contacts);
  std::swap(memory_, next_memory_);
}

}  // namespace tread
