// Contact points between two primitive shapes, through Coal.
//
// sphere with anything   the pair of closest points
// capsule with capsule or box   end spheres against the other shape, and the closest point in between where it lies deeper
// box with box   Coal's contact patch; each of its points gets the gap of its own, measured along the common normal
//
// Normals point from shape 1 into shape 2, the point lies midway between the surfaces, gap < 0 when they overlap. A normal
// that Coal's iteration finds within 1e-4 rad of a face of a box is set to that face's: a resting box then has exact normals.
// Limits: Coal's GJK and EPA stop at 1e-8 m; two boxes edge to edge get one point; nothing is said of shapes farther than `margin`.
// One NarrowPhase serves one thread. No allocation after the first calls.
#pragma once

#include <Eigen/Core>
#include <array>
#include <memory>
#include <span>

#include "robots/geometry.h"

namespace tread {

struct ShapeContact {
  Eigen::Vector3d point, normal;
  double gap = 0;
  int feature = -1;  // which end of a capsule; -1: a point of a patch, to be told apart by its place
};

class NarrowPhase {
 public:
  static constexpr std::size_t kMaxPoints = 16;
  using Points = std::array<ShapeContact, kMaxPoints>;

  explicit NarrowPhase(std::span<const Shape> shapes);
  ~NarrowPhase();

  // Shapes by index, poses in the world. Returns the number of points nearer than margin.
  int Collide(int shape1, const Pose& pose1, int shape2, const Pose& pose2, double margin, Points* points);

 private:
  struct Library;  // Coal's objects
  std::unique_ptr<Library> library_;
};

}  // namespace tread
