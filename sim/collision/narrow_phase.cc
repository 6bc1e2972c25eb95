#include "sim/collision/narrow_phase.h"

#include <coal/collision.h>
#include <coal/shape/geometric_shapes.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace tread {
namespace {

using Eigen::Vector3d;

// Coal's per-pair functors keep their solver's memory; one per pair of shape types serves all shapes of these types.
class Collider final : public coal::ComputeCollision {
 public:
  using ComputeCollision::ComputeCollision;
  void Set(const coal::CollisionGeometry* a, const coal::CollisionGeometry* b) const { o1 = a, o2 = b; }
};

std::unique_ptr<coal::ShapeBase> MakeCoal(const Shape& shape) {
  const Vector3d& s = shape.size;
  switch (shape.type) {
    case ShapeType::kSphere:
      return std::make_unique<coal::Sphere>(s[0]);
    case ShapeType::kCapsule:
      return std::make_unique<coal::Capsule>(s[0], 2 * s[1]);
    case ShapeType::kBox:
      break;
  }
  return std::make_unique<coal::Box>(2 * s[0], 2 * s[1], 2 * s[2]);
}

coal::Transform3s ToCoal(const Pose& pose) {
  return {pose.R, pose.p};
}

// Signed distance of a point to a box, in the box's frame.
double PointBox(const Vector3d& x, const Vector3d& half) {
  const Vector3d d = x.cwiseAbs() - half;
  return d.cwiseMax(0).norm() + std::min(d.maxCoeff(), 0.0);
}

// Where on the segment from x to y the distance to the box is least (0 to 1): it is convex, so golden sections find it.
double NearestOnSegment(const Vector3d& x, const Vector3d& y, const Vector3d& half) {
  constexpr double kGolden = 0.6180339887498949;
  double low = 0, high = 1;
  const auto at = [&](double s) { return PointBox(x + s * (y - x), half); };
  double s1 = high - kGolden, s2 = low + kGolden, f1 = at(s1), f2 = at(s2);
  for (int i = 0; i < 40; ++i) {
    if (f1 < f2) {
      high = s2, s2 = s1, f2 = f1, s1 = high - kGolden * (high - low), f1 = at(s1);
    } else {
      low = s1, s1 = s2, f1 = f2, s2 = low + kGolden * (high - low), f2 = at(s2);
    }
  }
  return 0.5 * (low + high);
}

}  // namespace

struct NarrowPhase::Library {
  struct Item {
    Shape shape;
    std::unique_ptr<coal::ShapeBase> coal, end;  // end: the sphere at the ends of a capsule
  };
  std::vector<Item> items;
  std::vector<Collider> colliders;  // by shape types, 3 x 3
  coal::CollisionRequest request{coal::CONTACT, 1};
  coal::CollisionResult result;

  bool Query(const Item& a, bool end_a, const Pose& X1, const Item& b, bool end_b, const Pose& X2,
             double margin, ShapeContact* out) {
    const auto type = [](const Item& item, bool end) {
      return static_cast<std::size_t>(end ? ShapeType::kSphere : item.shape.type);
    };
    const Collider& collider = colliders[type(a, end_a) * 3 + type(b, end_b)];
    collider.Set(end_a ? a.end.get() : a.coal.get(), end_b ? b.end.get() : b.coal.get());
    result.clear();
    request.security_margin = margin;
    if (collider(ToCoal(X1), ToCoal(X2), request, result) == 0) return false;
    const coal::Contact& contact = result.getContact(0);
    *out = {contact.pos, contact.normal, contact.penetration_depth, -1};
    return out->gap < margin;
  }

  int CapsuleBox(const Item& item, const Pose& capsule, const Item& box, const Pose& X, double sign,
                 double margin, ShapeContacts* points);
  int Capsules(const Item& a, const Pose& X1, const Item& b, const Pose& X2, double margin,
               ShapeContacts* points);
};

NarrowPhase::NarrowPhase(std::span<const Shape> shapes) : library_(std::make_unique<Library>()) {
  Library& lib = *library_;
  for (const Shape& shape : shapes) {
    lib.items.push_back({shape, MakeCoal(shape), nullptr});
    if (shape.type == ShapeType::kCapsule)
      lib.items.back().end = std::make_unique<coal::Sphere>(shape.size[0]);
  }
  // placeholders: Set gives the shapes before every use
  const std::array<std::unique_ptr<coal::ShapeBase>, 3> kinds{
      MakeCoal(Shape::Sphere(1)), MakeCoal(Shape::Box(Vector3d::Ones())), MakeCoal(Shape::Capsule(1, 1))};
  lib.colliders.reserve(9);
  for (const auto& first : kinds) {
    for (const auto& second : kinds) lib.colliders.emplace_back(first.get(), second.get());
  }
}

NarrowPhase::~NarrowPhase() = default;

// A capsule on a box. Over a face: both ends of the part of its axis that lies over that face. Else, over an edge or a corner: the closest point.
int NarrowPhase::Library::CapsuleBox(const Item& item, const Pose& capsule, const Item& box, const Pose& X,
                                     double sign, double margin, ShapeContacts* points) {
  const Vector3d half = box.shape.size, axis = capsule.R.col(2) * item.shape.size[1];
  const Vector3d from = X.R.transpose() * (capsule.p + axis - X.p), along = -2 * (X.R.transpose() * axis);
  const double nearest = NearestOnSegment(from, from + along, half), radius = item.shape.size[0];
  const Vector3d x = from + nearest * along;
  Eigen::Index face;
  (x.cwiseAbs() - half).maxCoeff(&face);
  double low = 0, high = 1;  // of the axis, over the face
  bool over = true;
  for (Eigen::Index i = 0; i < 3; ++i) {
    if (i == face) continue;
    over = over && std::abs(x[i]) <= half[i] + 1e-9;
    if (std::abs(along[i]) < 1e-12) continue;
    const double s1 = (-half[i] - from[i]) / along[i], s2 = (half[i] - from[i]) / along[i];
    low = std::max(low, std::min(s1, s2));
    high = std::min(high, std::max(s1, s2));
  }
  int count = 0;
  const auto add = [&](const Vector3d& surface, const Vector3d& normal, double gap,
                       int feature) {  // out of the box, its frame
    if (!(gap < margin)) return;
    (*points)[static_cast<std::size_t>(count++)] = {X * (surface + 0.5 * gap * normal), sign * (X.R * normal),
                                                    gap, feature};
  };
  if (over && low <= high) {
    const Vector3d normal = Vector3d::Unit(face) * (x[face] > 0 ? 1 : -1);
    for (int end = 0; end < (high - low > 1e-9 ? 2 : 1); ++end) {
      const Vector3d p = from + (end == 0 ? low : high) * along;
      const double height = std::abs(p[face]) * (p[face] * x[face] >= 0 ? 1 : -1) - half[face];
      add(p - height * normal, normal, height - radius, end);
    }
    return count;
  }
  const Vector3d surface = x.cwiseMax(-half).cwiseMin(half);
  const double distance = (x - surface).norm();
  if (distance > 1e-12) add(surface, (x - surface) / distance, distance - radius, 2);
  return count;
}

// Two capsules: the closest points, and the end spheres against the other one.
int NarrowPhase::Library::Capsules(const Item& a, const Pose& X1, const Item& b, const Pose& X2,
                                   double margin, ShapeContacts* points) {
  ShapeContact closest;
  if (!Query(a, false, X1, b, false, X2, margin, &closest)) return 0;
  int count = 0;
  double deepest = std::numeric_limits<double>::infinity();
  const auto ends = [&](const Item& item, const Pose& X, bool first) {
    for (int end = 0; end < 2; ++end) {
      const Pose at{X.R, X * Vector3d(0, 0, end == 0 ? item.shape.size[1] : -item.shape.size[1])};
      ShapeContact* next = &(*points)[static_cast<std::size_t>(count)];
      if (!(first ? Query(a, true, at, b, false, X2, margin, next)
                  : Query(a, false, X1, b, true, at, margin, next)))
        continue;
      next->feature = end + (first ? 0 : 2);
      deepest = std::min(deepest, next->gap);
      ++count;
    }
  };
  ends(a, X1, true);
  ends(b, X2, false);
  if (closest.gap < deepest - 1e-5) {
    (*points)[static_cast<std::size_t>(count)] = closest;
    (*points)[static_cast<std::size_t>(count++)].feature = 4;
  }
  return count;
}

int NarrowPhase::Collide(int shape1, const Pose& pose1, int shape2, const Pose& pose2, double margin,
                         ShapeContacts* points) {
  Library& lib = *library_;
  const Library::Item& a = lib.items[static_cast<std::size_t>(shape1)];
  const Library::Item& b = lib.items[static_cast<std::size_t>(shape2)];
  if (a.shape.type == ShapeType::kSphere || b.shape.type == ShapeType::kSphere) {
    if (!lib.Query(a, false, pose1, b, false, pose2, margin, points->data())) return 0;
    (*points)[0].feature = 0;
    return 1;
  }
  if (a.shape.type == ShapeType::kBox && b.shape.type == ShapeType::kBox)
    return CollideBoxes(pose1, a.shape.size, pose2, b.shape.size, margin, points);
  // the box's normal points out of it: into the capsule if that is shape 2
  if (a.shape.type == ShapeType::kBox) return lib.CapsuleBox(b, pose2, a, pose1, 1, margin, points);
  if (b.shape.type == ShapeType::kBox) return lib.CapsuleBox(a, pose1, b, pose2, -1, margin, points);
  return lib.Capsules(a, pose1, b, pose2, margin, points);
}

}  // namespace tread
