// Contact points of two boxes: the axis of least overlap, then the faces clipped against each other.
//
// Of the 15 directions that can separate two boxes (three faces each, nine pairs of edges) the one with the largest gap gives the
// normal. Face against box: the other box's facing polygon is clipped to the prism over the face, and each point that is nearer than
// `margin` to the face is a contact with a gap of its own, up to eight. Edge against edge: one point. An edge pair must beat the faces by
// 1 mm: two boxes nearly face to face keep all their points.
// Approximation: where two boxes come near each other corner to corner, the gap is measured along a face's normal and is too small
// by up to the distance between the corners.
// References: Gottschalk et al. 1996 (separating axes), Sutherland and Hodgman 1974 (clipping).
#pragma once

#include <array>

#include "robots/geometry.h"

namespace tread {

struct ShapeContact {
  Eigen::Vector3d point, normal;  // midway between the surfaces; from shape 1 into shape 2
  double gap = 0;                 // [m], negative when they overlap
  int feature = -1;  // which end of a capsule; -1: a point of a patch, to be told apart by its place
};

inline constexpr int kMaxShapePoints = 8;
using ShapeContacts = std::array<ShapeContact, kMaxShapePoints>;

// half: half lengths. Returns the number of points nearer than margin. Does not allocate.
int CollideBoxes(const Pose& box1, const Eigen::Vector3d& half1, const Pose& box2,
                 const Eigen::Vector3d& half2, double margin, ShapeContacts* points);

}  // namespace tread
