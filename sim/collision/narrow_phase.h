// Contact points between two primitive shapes.
//
// sphere with anything, capsule with capsule   closest points, through Coal's closed forms
// capsule with capsule          besides, the end spheres against the other capsule
// capsule with box              over a face, both ends of what lies over it; over an edge or corner, the closest point
// box with box                  faces clipped against each other (box_box.h)
//
// Normals point from shape 1 into shape 2, the point lies midway between the surfaces, gap < 0 when they overlap. Nothing is said of shapes
// farther than `margin`. Coal's iterative solver (GJK, EPA) is not used: as packaged it allocates in every call, and stops at a
// tolerance where boxes and capsules have exact answers.
// One NarrowPhase serves one thread. No allocation after the first calls.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <span>

#include "robots/geometry.h"
#include "sim/collision/box_box.h"

namespace tread {

class NarrowPhase {
 public:
  explicit NarrowPhase(std::span<const Shape> shapes);
  ~NarrowPhase();

  // Shapes by index, poses in the world. Returns the number of points nearer than margin.
  int Collide(int shape1, const Pose& pose1, int shape2, const Pose& pose2, double margin,
              ShapeContacts* points);

 private:
  struct Library;  // Coal's objects
  std::unique_ptr<Library> library_;
};

}  // namespace tread
