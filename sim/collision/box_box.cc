#include "sim/collision/box_box.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace tread {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double kEdgeBonus = 1e-3;  // [m]
constexpr double kFlush = 1e-9;      // [m] nearer than this to a side counts as inside it

// The direction in which the boxes are farthest apart (or overlap least).
struct Axis {
  Vector3d normal;  // from box 1 into box 2, world
  double gap = -std::numeric_limits<double>::infinity();
  int face1 = -1;  // axis of box 1, or of the edge of box 1
  int face2 = -1;  // the same of box 2; both set: edge against edge
};

struct Boxes {
  const Pose &A, &B;
  const Vector3d &a, &b;  // half lengths
  Vector3d t;             // from centre to centre

  double Reach(const Pose& X, const Vector3d& half, const Vector3d& n) const {
    return (X.R.transpose() * n).cwiseAbs().dot(half);
  }
  void Try(const Vector3d& direction, int face1, int face2, double bonus, Axis* best) const {
    const double along = t.dot(direction);
    const double gap = std::abs(along) - Reach(A, a, direction) - Reach(B, b, direction);
    if (gap <= best->gap + bonus) return;
    *best = {along < 0 ? Vector3d(-direction) : direction, gap, face1, face2};
  }
  Axis BestFace() const {
    Axis best;
    for (int i = 0; i < 3; ++i) Try(A.R.col(i), i, -1, 0, &best);
    // the second box's faces must win clearly, so that equal boxes keep their reference face
    for (int i = 0; i < 3; ++i) Try(B.R.col(i), -1, i, 1e-9, &best);
    return best;
  }
  Axis BestEdges() const {
    Axis best;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        const Vector3d cross = A.R.col(i).cross(B.R.col(j));
        const double length = cross.norm();
        if (length > 1e-4) Try(cross / length, i, j, 0, &best);
      }
    }
    return best;
  }
};

using Polygon = std::array<Vector3d, 8>;

// The face of the box that looks most against n.
int FacingPolygon(const Pose& box, const Vector3d& half, const Vector3d& n, Polygon* polygon) {
  const Vector3d local = box.R.transpose() * n;
  Eigen::Index axis;
  local.cwiseAbs().maxCoeff(&axis);
  const Eigen::Index u = (axis + 1) % 3, v = (axis + 2) % 3;
  Vector3d corner = Vector3d::Zero();
  corner[axis] = local[axis] > 0 ? -half[axis] : half[axis];
  constexpr int signs[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
  for (std::size_t k = 0; k < 4; ++k) {
    corner[u] = signs[k][0] * half[u];
    corner[v] = signs[k][1] * half[v];
    (*polygon)[k] = box * corner;
  }
  return 4;
}

// Keeps the part of the polygon with d . x <= limit.
int Clip(const Vector3d& d, double limit, int count, Polygon* polygon) {
  Polygon kept;
  int n = 0;
  for (int i = 0; i < count; ++i) {
    const Vector3d &p = (*polygon)[static_cast<std::size_t>(i)],
                   &q = (*polygon)[static_cast<std::size_t>((i + 1) % count)];
    const double dp = d.dot(p) - limit, dq = d.dot(q) - limit;
    if (dp <= kFlush && n < 8) kept[static_cast<std::size_t>(n++)] = p;
    if ((dp < -kFlush && dq > kFlush) || (dp > kFlush && dq < -kFlush)) {
      if (n < 8) kept[static_cast<std::size_t>(n++)] = p + dp / (dp - dq) * (q - p);
    }
  }
  *polygon = kept;
  return n;
}

// The facing polygon of `other`, clipped to the prism over the face `axis` of X, which is widened by `slack`.
int ClippedPolygon(const Pose& X, const Vector3d& half, int axis, const Vector3d& n, const Pose& other,
                   const Vector3d& other_half, double slack, Polygon* polygon) {
  int count = FacingPolygon(other, other_half, n, polygon);
  for (const int side : {(axis + 1) % 3, (axis + 2) % 3}) {
    const Vector3d d = X.R.col(side);
    count = Clip(d, d.dot(X.p) + half[side] + slack, count, polygon);
    count = Clip(-d, -d.dot(X.p) + half[side] + slack, count, polygon);
  }
  return count;
}

// Reference face: `axis` of the box `X`; n out of it. The normal of the contacts is sign n.
int FaceContacts(const Pose& X, const Vector3d& half, int axis, const Vector3d& n, const Pose& other,
                 const Vector3d& other_half, double sign, double margin, ShapeContacts* points) {
  Polygon polygon;
  int count = ClippedPolygon(X, half, axis, n, other, other_half, 0, &polygon);
  // boxes that are about to meet corner to corner: not above each other yet, but within the margin
  if (count == 0)
    count = ClippedPolygon(X, half, axis, n, other, other_half, std::max(0.0, margin), &polygon);
  const double face = n.dot(X.p) + half[axis];
  int found = 0;
  for (int i = 0; i < count; ++i) {
    const Vector3d& p = polygon[static_cast<std::size_t>(i)];
    const double gap = n.dot(p) - face;
    if (gap >= margin) continue;
    (*points)[static_cast<std::size_t>(found++)] = {p - 0.5 * gap * n, sign * n, gap, -1};
  }
  return found;
}

// The middle of the edge along `axis` that lies farthest in direction d.
Vector3d EdgeMiddle(const Pose& X, const Vector3d& half, int axis, const Vector3d& d) {
  const Vector3d local = X.R.transpose() * d;
  Vector3d corner = Vector3d::Zero();
  for (int i = 0; i < 3; ++i) {
    if (i != axis) corner[i] = local[i] > 0 ? half[i] : -half[i];
  }
  return X * corner;
}

int EdgeContact(const Boxes& boxes, const Axis& axis, double margin, ShapeContacts* points) {
  const Vector3d p = EdgeMiddle(boxes.A, boxes.a, axis.face1, axis.normal);
  const Vector3d q = EdgeMiddle(boxes.B, boxes.b, axis.face2, -axis.normal);
  const Vector3d u = boxes.A.R.col(axis.face1), v = boxes.B.R.col(axis.face2), w = p - q;
  const double uv = u.dot(v), denominator = 1 - uv * uv, a = boxes.a[axis.face1], b = boxes.b[axis.face2];
  const double s = (uv * v.dot(w) - u.dot(w)) / denominator, r = (v.dot(w) - uv * u.dot(w)) / denominator;
  const Vector3d x = p + std::clamp(s, -a, a) * u, y = q + std::clamp(r, -b, b) * v;
  // overlapping edges cross; separated ones may pass beside each other's ends
  const double apart = (y - x).norm();
  const bool passing = std::abs(s) > a || std::abs(r) > b;
  if (passing && apart >= margin) return 0;
  const bool beside = passing && axis.gap > 0 && apart > 1e-9;
  (*points)[0] = {0.5 * (x + y), beside ? Vector3d((y - x) / apart) : axis.normal, beside ? apart : axis.gap,
                  -1};
  return 1;
}

}  // namespace

int CollideBoxes(const Pose& box1, const Vector3d& half1, const Pose& box2, const Vector3d& half2,
                 double margin, ShapeContacts* points) {
  const Boxes boxes{box1, box2, half1, half2, box2.p - box1.p};
  const Axis face = boxes.BestFace();
  if (face.gap >= margin) return 0;
  const Axis edges = boxes.BestEdges();
  if (edges.gap >= margin) return 0;
  int count = 0;
  if (edges.gap <= face.gap + kEdgeBonus) {
    count = face.face1 >= 0
                ? FaceContacts(box1, half1, face.face1, face.normal, box2, half2, 1, margin, points)
                : FaceContacts(box2, half2, face.face2, -face.normal, box1, half1, -1, margin, points);
  }
  return count > 0 || edges.face1 < 0 ? count : EdgeContact(boxes, edges, margin, points);
}

}  // namespace tread
