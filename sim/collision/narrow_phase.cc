#include "sim/collision/narrow_phase.h"

#include <coal/collision.h>
#include <coal/contact_patch.h>
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

class Patcher final : public coal::ComputeContactPatch {
 public:
  using ComputeContactPatch::ComputeContactPatch;
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

// The axis of the box nearest to n where the two are parallel to 1e-4 rad, else n.
Vector3d SnapToFace(const Pose& box, const Vector3d& n) {
  const Vector3d local = box.R.transpose() * n;
  Eigen::Index axis;
  const double cosine = local.cwiseAbs().maxCoeff(&axis);
  if (1 - cosine > 0.5e-8) return n;
  return box.R.col(axis) * (local[axis] > 0 ? 1 : -1);
}

// Parameter t at which the line x + t n leaves the box (enter: enters it).
double Cross(const Pose& box, const Vector3d& half, const Vector3d& x, const Vector3d& n, bool enter) {
  const Vector3d o = box.R.transpose() * (x - box.p), d = box.R.transpose() * n;
  double t = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 3; ++i) {
    if (std::abs(d[i]) < 1e-6) continue;
    const double face = (d[i] > 0) != enter ? half[i] : -half[i];
    const double here = (face - o[i]) / d[i];
    t = std::min(t, enter ? -here : here);
  }
  return enter ? -t : t;
}

}  // namespace

struct NarrowPhase::Library {
  struct Item {
    Shape shape;
    std::unique_ptr<coal::ShapeBase> coal, end;  // end: the sphere at the ends of a capsule
  };
  std::vector<Item> items;
  std::vector<Collider> colliders;  // by shape types, 3 x 3
  std::vector<Patcher> patchers;    // box with box only
  coal::CollisionRequest request{coal::CONTACT, 1};
  coal::CollisionResult result;
  coal::ContactPatchRequest patch_request{1, 12, 1e-3};
  coal::ContactPatchResult patch_result{patch_request};

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

  int Boxes(const Item& a, const Pose& X1, const Item& b, const Pose& X2, double margin, Points* points);
  int Capsules(const Item& a, const Pose& X1, const Item& b, const Pose& X2, double margin, Points* points);
};

NarrowPhase::NarrowPhase(std::span<const Shape> shapes) : library_(std::make_unique<Library>()) {
  Library& lib = *library_;
  for (const Shape& shape : shapes) {
    lib.items.push_back({shape, MakeCoal(shape), nullptr});
    if (shape.type == ShapeType::kCapsule)
      lib.items.back().end = std::make_unique<coal::Sphere>(shape.size[0]);
  }
  lib.request.gjk_tolerance = 1e-8;
  lib.request.epa_tolerance = 1e-8;
  // placeholders: Set gives the shapes before every use
  const std::array<std::unique_ptr<coal::ShapeBase>, 3> kinds{
      MakeCoal(Shape::Sphere(1)), MakeCoal(Shape::Box(Vector3d::Ones())), MakeCoal(Shape::Capsule(1, 1))};
  lib.colliders.reserve(9);
  for (const auto& first : kinds) {
    for (const auto& second : kinds) lib.colliders.emplace_back(first.get(), second.get());
  }
  lib.patchers.emplace_back(kinds[1].get(), kinds[1].get());
}

NarrowPhase::~NarrowPhase() = default;

int NarrowPhase::Library::Boxes(const Item& a, const Pose& X1, const Item& b, const Pose& X2, double margin,
                                Points* points) {
  ShapeContact closest;
  if (!Query(a, false, X1, b, false, X2, margin, &closest)) return 0;
  Vector3d n = SnapToFace(X1, closest.normal);
  if (n == closest.normal) n = SnapToFace(X2, closest.normal);
  patch_result.clear();
  patchers[0].Set(a.coal.get(), b.coal.get());
  patchers[0](ToCoal(X1), ToCoal(X2), result, patch_request, patch_result);
  int count = 0;
  if (patch_result.numContactPatches() > 0) {
    const coal::ContactPatch& patch = patch_result.getContactPatch(0);
    for (std::size_t i = 0; i < patch.size() && count < static_cast<int>(kMaxPoints); ++i) {
      const Vector3d x = patch.getPoint(i);
      const double leave = Cross(X1, a.shape.size, x, n, false), enter = Cross(X2, b.shape.size, x, n, true);
      if (!(enter - leave < margin)) continue;
      (*points)[static_cast<std::size_t>(count++)] = {x + 0.5 * (leave + enter) * n, n, enter - leave, -1};
    }
  }
  if (count > 0) return count;
  (*points)[0] = {closest.point, n, closest.gap, -1};
  return 1;
}

int NarrowPhase::Library::Capsules(const Item& a, const Pose& X1, const Item& b, const Pose& X2,
                                   double margin, Points* points) {
  ShapeContact closest;
  if (!Query(a, false, X1, b, false, X2, margin, &closest)) return 0;
  int count = 0;
  double deepest = std::numeric_limits<double>::infinity();
  const auto ends = [&](const Item& item, const Pose& X, bool first) {
    if (item.shape.type != ShapeType::kCapsule) return;
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
                         Points* points) {
  Library& lib = *library_;
  const Library::Item& a = lib.items[static_cast<std::size_t>(shape1)];
  const Library::Item& b = lib.items[static_cast<std::size_t>(shape2)];
  if (a.shape.type == ShapeType::kSphere || b.shape.type == ShapeType::kSphere) {
    if (!lib.Query(a, false, pose1, b, false, pose2, margin, points->data())) return 0;
    (*points)[0].feature = 0;
    return 1;
  }
  if (a.shape.type == ShapeType::kBox && b.shape.type == ShapeType::kBox)
    return lib.Boxes(a, pose1, b, pose2, margin, points);
  return lib.Capsules(a, pose1, b, pose2, margin, points);
}

}  // namespace tread
