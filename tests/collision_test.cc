// Contact points between shapes, and of a scene: known answers, ids that last, and brute force.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <random>

#include "experiments/experiment_config.h"
#include "sim/collision/box_box.h"
#include "sim/collision/detector.h"
#include "sim/collision/narrow_phase.h"

namespace tread {
namespace {

using Eigen::Vector3d;

Pose At(double x, double y, double z, double yaw = 0, const Vector3d& axis = Vector3d::UnitZ()) {
  return {Eigen::AngleAxisd(yaw, axis).toRotationMatrix(), {x, y, z}};
}

TEST(Boxes, FaceOnFaceGetsTheCornersOfTheOverlap) {
  const Vector3d small(0.1, 0.1, 0.05), large(1, 1, 0.5);
  ShapeContacts p;
  ASSERT_EQ(CollideBoxes(At(0, 0, 0), large, At(0.2, 0, 0.549), small, 0.002, &p), 4);
  for (int i = 0; i < 4; ++i) {
    const ShapeContact& c = p[static_cast<std::size_t>(i)];
    EXPECT_NEAR(c.gap, -0.001, 1e-12);
    EXPECT_LT((c.normal - Vector3d::UnitZ()).norm(), 1e-12);
    EXPECT_NEAR(std::abs(c.point.x() - 0.2), 0.1, 1e-12);
    EXPECT_NEAR(std::abs(c.point.y()), 0.1, 1e-12);
    EXPECT_NEAR(c.point.z(), 0.4995, 1e-12);
  }
  // the same from the other side, half over the edge, and turned by 45 degrees: an octagon
  ASSERT_EQ(CollideBoxes(At(0.2, 0, 0.549), small, At(0, 0, 0), large, 0.002, &p), 4);
  EXPECT_LT((p[0].normal + Vector3d::UnitZ()).norm(), 1e-12);
  ASSERT_EQ(CollideBoxes(At(0, 0, 0), large, At(1, 0, 0.551), small, 0.002, &p), 4);
  double least = 2;
  for (int i = 0; i < 4; ++i) least = std::min(least, p[static_cast<std::size_t>(i)].point.x());
  EXPECT_NEAR(least, 0.9, 1e-12);
  EXPECT_EQ(CollideBoxes(At(0, 0, 0), small, At(0, 0, 0.1, 0.785398), small, 0.002, &p), 8);
  EXPECT_EQ(CollideBoxes(At(0, 0, 0), small, At(0, 0, 0.11), small, 0.002, &p), 0);
}

TEST(Boxes, TiltedBoxHasAGapPerCorner) {
  ShapeContacts p;
  const double tilt = 0.01;
  const int n = CollideBoxes(At(0, 0, 0), {1, 1, 0.5}, At(0, 0, 0.55, tilt, Vector3d::UnitY()),
                             {0.1, 0.1, 0.05}, 0.01, &p);
  ASSERT_EQ(n, 4);
  for (int i = 0; i < n; ++i) {
    const ShapeContact& c = p[static_cast<std::size_t>(i)];
    const double x = c.point.x() > 0 ? 0.1 : -0.1;
    EXPECT_NEAR(c.gap, 0.05 - x * std::sin(tilt) - 0.05 * std::cos(tilt), 1e-12);
  }
}

TEST(Boxes, CrossedEdgesTouchInOnePoint) {
  ShapeContacts p;
  const Pose lower = At(0, 0, 0, 0.785398163397448, Vector3d::UnitX()),
             upper = At(0, 0, 0.2818, 0.785398163397448, Vector3d::UnitY());
  ASSERT_EQ(CollideBoxes(lower, Vector3d::Constant(0.1), upper, Vector3d::Constant(0.1), 0.002, &p), 1);
  EXPECT_LT((p[0].normal - Vector3d::UnitZ()).norm(), 1e-9);
  EXPECT_NEAR(p[0].gap, 0.2818 - 0.2 * std::sqrt(2), 1e-9);
  EXPECT_LT(p[0].point.head<2>().norm(), 1e-9);
}

// Nearly face to face: all corners count, not the pair of edges that is deeper by a hair. Equal boxes: four points, not eight.
TEST(Boxes, NearlyFlushKeepsItsPoints) {
  ShapeContacts p;
  const Vector3d half = Vector3d::Constant(0.1);
  const Pose tilted{(Eigen::AngleAxisd(0.004, Vector3d(1, 0.7, 0.1).normalized())).toRotationMatrix(),
                    {0.02, 0.01, 0.1995}};
  EXPECT_GE(CollideBoxes(At(0, 0, 0), half, tilted, half, 0.002, &p), 3);
  EXPECT_EQ(CollideBoxes(At(0, 0, 0), half, At(0, 0, 0.2, 1e-15), half, 0.002, &p), 4);
}

// Signed distance of a point to a box.
double PointBox(const Pose& box, const Vector3d& half, const Vector3d& x) {
  const Vector3d d = (box.R.transpose() * (x - box.p)).cwiseAbs() - half;
  return d.cwiseMax(0).norm() + std::min(d.maxCoeff(), 0.0);
}

// Every corner of one box that lies inside the other is covered: moving the second box along the deepest contact's normal by the
// overlap separates them, and by less does not.
TEST(Boxes, TheDeepestPointSeparates) {
  std::mt19937 generator(3);
  const auto random = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(generator);
  };
  int overlapping = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const Vector3d a(random(0.05, 0.2), random(0.05, 0.2), random(0.05, 0.2)),
        b(random(0.05, 0.2), random(0.05, 0.2), random(0.05, 0.2));
    const Pose A = At(0, 0, 0, random(0, 3), Vector3d(random(-1, 1), random(-1, 1), 1).normalized());
    Pose B = At(random(-0.3, 0.3), random(-0.3, 0.3), random(-0.3, 0.3), random(0, 3),
                Vector3d(1, random(-1, 1), random(-1, 1)).normalized());
    ShapeContacts p;
    const int n = CollideBoxes(A, a, B, b, 0.0, &p);
    const auto inside = [&](const Pose& moved) {
      for (int corner = 0; corner < 8; ++corner) {
        const Vector3d sign(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1);
        if (PointBox(A, a, moved * sign.cwiseProduct(b)) < -1e-9 ||
            PointBox(moved, b, A * sign.cwiseProduct(a)) < -1e-9)
          return true;
      }
      return false;
    };
    if (n == 0) {
      EXPECT_FALSE(inside(B)) << trial;
      continue;
    }
    ++overlapping;
    const auto* deepest = std::min_element(p.begin(), p.begin() + n,
                                           [](const auto& x, const auto& y) { return x.gap < y.gap; });
    EXPECT_LE(deepest->gap, 0) << trial;
    EXPECT_NEAR(deepest->normal.norm(), 1, 1e-12);
    B.p -= deepest->gap * deepest->normal;
    EXPECT_EQ(CollideBoxes(A, a, B, b, -1e-9, &p), 0) << trial;
    EXPECT_FALSE(inside(B)) << trial;
  }
  EXPECT_GT(overlapping, 500);
}

TEST(NarrowPhase, SpheresCapsulesAndBoxes) {
  const Shape shapes[] = {Shape::Sphere(0.1), Shape::Capsule(0.05, 0.2), Shape::Box({0.5, 0.5, 0.1})};
  NarrowPhase narrow(shapes);
  ShapeContacts p;
  const Pose lying = At(0, 0, 0.149, 1.5707963267948966, Vector3d::UnitY());
  // two spheres
  ASSERT_EQ(narrow.Collide(0, At(0, 0, 0), 0, At(0, 0, 0.201), 0.002, &p), 1);
  EXPECT_NEAR(p[0].gap, 0.001, 1e-12);
  EXPECT_NEAR(p[0].normal.z(), 1, 1e-12);
  EXPECT_NEAR(p[0].point.z(), 0.1005, 1e-12);
  // a sphere on a box, and the other way round
  ASSERT_EQ(narrow.Collide(2, At(0, 0, 0), 0, At(0.1, 0, 0.199), 0.002, &p), 1);
  EXPECT_NEAR(p[0].gap, -0.001, 1e-9);
  EXPECT_NEAR(p[0].normal.z(), 1, 1e-9);
  ASSERT_EQ(narrow.Collide(0, At(0.1, 0, 0.199), 2, At(0, 0, 0), 0.002, &p), 1);
  EXPECT_NEAR(p[0].normal.z(), -1, 1e-9);
  // a capsule lying on a box rests on its two ends, over the edge on the edge and one end
  ASSERT_EQ(narrow.Collide(1, lying, 2, At(0, 0, 0), 0.002, &p), 2);
  EXPECT_NEAR(std::abs(p[0].point.x() - p[1].point.x()), 0.4, 1e-9);
  EXPECT_NEAR(p[0].gap, -0.001, 1e-9);
  EXPECT_EQ(p[0].feature + p[1].feature, 1);
  // half over the edge: its end, and where it crosses the edge; wholly across: where it crosses both
  ASSERT_EQ(
      narrow.Collide(1, At(0.4, 0, 0.149, 1.5707963267948966, Vector3d::UnitY()), 2, At(0, 0, 0), 0.002, &p),
      2);
  EXPECT_NEAR(std::max(p[0].point.x(), p[1].point.x()), 0.5, 1e-9);
  EXPECT_NEAR(std::min(p[0].point.x(), p[1].point.x()), 0.2, 1e-9);
  // over an edge at 45 degrees: the closest point
  const double out = 0.049 / std::sqrt(2);
  ASSERT_EQ(narrow.Collide(2, At(0, 0, 0), 1,
                           At(0.5 + out, 0, 0.1 + out, -0.785398163397448, Vector3d::UnitY()), 0.002, &p),
            1);
  EXPECT_NEAR(p[0].gap, -0.001, 1e-9);
  EXPECT_NEAR(p[0].normal.x(), std::sqrt(0.5), 1e-6);
  // two capsules crossing
  ASSERT_GE(narrow.Collide(1, At(0, 0, 0, 1.5707963267948966, Vector3d::UnitY()), 1,
                           At(0, 0, 0.099, 1.5707963267948966, Vector3d::UnitX()), 0.002, &p),
            1);
  EXPECT_NEAR(p[0].gap, -0.001, 1e-9);
  EXPECT_EQ(p[0].feature, 4);
  EXPECT_EQ(narrow.Collide(1, lying, 0, At(0, 0, 1), 0.002, &p), 0);
}

Scene MakeScene(const std::string& name, const std::vector<std::string>& sets = {}) {
  return Scene(LoadExperiment("configs/" + name + ".yaml", sets).AllOfScene(), 1);
}

TEST(Detector, StandingSoloTouchesWithItsFeetOnly) {
  Scene scene = MakeScene("solo12_stand");
  Detector detector(scene);
  std::vector<Contact> contacts;
  detector.Detect(0.002, 0.001, &contacts);
  ASSERT_EQ(contacts.size(), 4u);
  for (const Contact& c : contacts) {
    EXPECT_NEAR(c.gap, 0, 1e-12);
    EXPECT_EQ(c.body1.system, -1);
    EXPECT_TRUE(c.frame.col(2).isApprox(Vector3d::UnitZ()));
  }
}

// Knees forward, legs stretched out behind each other: shapes of one robot meet.
TEST(Detector, RobotMeetsItself) {
  Scene crossed =
      MakeScene("solo12_stand", {"initial.position=[0,0,1]", "initial.joints={FL_HAA: -0.9, FR_HAA: 0.9}"});
  Detector detector(crossed);
  std::vector<Contact> contacts;
  detector.Detect(0.002, 0.001, &contacts);
  ASSERT_FALSE(contacts.empty());
  for (const Contact& c : contacts) EXPECT_TRUE(c.body1.system == 0 && c.body2.system == 0);
}

TEST(Detector, KneesAndBaseTouchTheGround) {
  Scene scene =
      MakeScene("solo12_stand", {"initial.joints={FL_HFE: 1.55, FL_KFE: -2.5, FR_HFE: 1.55, FR_KFE: -2.5, "
                                 "HL_HFE: -1.3, HL_KFE: 2.5, HR_HFE: -1.3, HR_KFE: 2.5}",
                                 "initial.position=[0,0,0.03]"});
  Detector detector(scene);
  std::vector<Contact> contacts;
  detector.Detect(0.01, 0.001, &contacts);
  bool base = false, upper = false;
  for (const Contact& c : contacts) {
    const std::string& name = scene.geometries[static_cast<std::size_t>(c.geometry2)].geometry.name;
    base = base || name == "base_link";
    upper = upper || name.find("UPPER_LEG") != std::string::npos;
  }
  EXPECT_TRUE(base);
  EXPECT_TRUE(upper);
}

// A box slides over another: the four points keep their ids while they last, whatever the order in which they are found.
TEST(Detector, IdsLastWhileTheContactDoes) {
  Scene scene = MakeScene("box_slide", {"bodies=[{name: table, size: [1, 1, 0.1], mass: 50}, {name: box, "
                                        "size: [0.2, 0.2, 0.1], initial: {position: [0, 0, 0.15]}}]"});
  Detector detector(scene);
  std::vector<Contact> contacts;
  std::vector<ContactId> first;
  State state = scene.initial;
  for (int step = 0; step < 300; ++step) {
    state.q[7] = 0.001 * step;                                                         // x of the box
    state.q[7 + 5] = std::sin(0.002 * step), state.q[7 + 6] = std::cos(0.002 * step);  // turns about z
    scene.ComputeTerms(state);
    detector.Detect(0.002, 0.001, &contacts);
    std::vector<ContactId> ids;
    for (const Contact& c : contacts) {
      if (c.geometry1 == 0 && c.geometry2 == 1) ids.push_back(c.id);
    }
    std::sort(ids.begin(), ids.end());
    if (step == 0) first = ids;
    ASSERT_EQ(ids.size(), 4u) << step;
    EXPECT_EQ(ids, first) << step;
    EXPECT_EQ(std::unique(ids.begin(), ids.end()), ids.end());
  }
  state.q[9] = 0.5;  // lifted: the contact breaks, its memory ends
  scene.ComputeTerms(state);
  detector.Detect(0.002, 0.001, &contacts);
  EXPECT_TRUE(detector.memory().empty());
}

}  // namespace
}  // namespace tread
