// All contacts of a scene at one state: ground, other systems, and a robot with itself.
//
// Shapes are culled by axis-aligned boxes, grown by margin + dt |v| (so that nothing is missed that can close within the step);
// pairs of different systems by a sweep along x. Ground contacts come from Terrain, the rest from NarrowPhase.
// A box meets the ground with its corners: exact on planes; on other grounds an edge of the ground that pokes into a face
// between corners is missed.
// A robot's own shapes are paired unless they belong to the same or to neighbouring bodies, or touch in the home pose.
//
// Contact ids: geometry 1 (ground: 0) | geometry 2 | feature. Ends of capsules and corners of boxes have a fixed feature; points of
// a patch between boxes take the feature of the nearest point of the step before (within a fifth of the smallest half length), so an id
// lasts while the contact does and ends with it. The order of contacts depends on the state and these features only.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/collision/narrow_phase.h"
#include "sim/contact/contact.h"
#include "sim/scene.h"

namespace tread {

class Detector {
 public:
  explicit Detector(const Scene& scene);  // keeps a reference

  // The scene's systems hold the terms of the state. margin [m], dt [s].
  void Detect(double margin, double dt, std::vector<Contact>* contacts);

  // Which feature a point of a patch had, and where it was.
  struct PatchPoint {
    std::uint64_t pair = 0;
    std::uint32_t feature = 0;
    Eigen::Vector3d place = Eigen::Vector3d::Zero();  // in the frame of geometry 1
  };
  const std::vector<PatchPoint>& memory() const { return memory_; }
  void set_memory(const std::vector<PatchPoint>& memory) { memory_ = memory; }

 private:
  struct Box {
    Eigen::Vector3d low, high;
  };
  using Pair = std::pair<int, int>;

  void PairOwnShapes();
  void UpdateBoxes(double margin, double dt);
  void FindPairs();
  void TouchGround(int geometry, std::vector<Contact>* contacts);
  void TouchPair(const Pair& pair, std::vector<Contact>* contacts);
  void Add(int geometry1, int geometry2, std::uint32_t feature, const Eigen::Vector3d& point,
           const Eigen::Vector3d& normal, double gap, std::vector<Contact>* contacts);
  std::uint32_t MatchPatchPoint(std::uint64_t pair, double reach, const Eigen::Vector3d& place);

  const Scene& scene_;
  NarrowPhase narrow_;
  std::vector<Pair> own_pairs_;  // candidates within systems
  std::vector<Pair> pairs_;      // of this state
  std::vector<Pose> poses_;      // of geometries
  std::vector<double> margins_;
  std::vector<Box> boxes_;
  std::vector<int> order_;   // geometries by (low x, index)
  std::vector<char> fixed_;  // shapes that nothing can move
  std::vector<PatchPoint> memory_, next_memory_;
  ShapeContacts points_;
};

}  // namespace tread
