#include "robots/robot_table.h"

#include <Eigen/Geometry>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <stdexcept>

#include "robots/nearest.h"
#include "robots/urdf.h"

namespace tread {
namespace {

using Eigen::Vector3d;

std::string ReadModel(const std::string& file) {
  const std::string path = RobotDataDir() + "/" + file;
  std::ifstream in(path);
  if (!in)
    throw std::runtime_error("no robot model '" + path + "' (set TREAD_ROBOT_DATA to the folder of models)");
  return {std::istreambuf_iterator<char>(in), {}};
}

void AddBox(RobotSpec* spec, const std::string& link, const Vector3d& center, const Vector3d& half) {
  spec->link_geometries.emplace_back(
      link, Geometry{link, 0, {Eigen::Matrix3d::Identity(), center}, Shape::Box(half), "default"});
}

void AddSphere(RobotSpec* spec, const std::string& link, const std::string& suffix, const Vector3d& p,
               double radius) {
  spec->link_geometries.emplace_back(
      link, Geometry{link + suffix, 0, {Eigen::Matrix3d::Identity(), p}, Shape::Sphere(radius), "default"});
}

// Capsule whose segment joins two points of a link.
void AddCapsule(RobotSpec* spec, const std::string& link, const Vector3d& low, const Vector3d& high,
                double radius) {
  const double length = (high - low).norm();
  Pose placement{Eigen::Matrix3d::Identity(), (low + high) / 2};
  placement.R.col(2) = (high - low) / length;
  placement.R.col(0) = placement.R.col(2).unitOrthogonal();
  placement.R.col(1) = placement.R.col(2).cross(placement.R.col(0));
  spec->link_geometries.emplace_back(
      link, Geometry{link, 0, placement, Shape::Capsule(radius, length / 2), "default"});
}

RobotSpec Solo12() {
  RobotSpec spec;
  spec.name = "solo12";
  spec.urdf = ReadModel("solo_description/robots/solo12.urdf");
  // The URDF's limits are placeholders (1000 N m, +-10 rad) and its shapes meshes: these are the machine's.
  const double effort = 2.5, speed = 80, foot_radius = 0.016;
  AddBox(&spec, "base_link", {0, 0, 0.0015}, {0.2241, 0.1095, 0.0265});
  for (const std::string leg : {"FL", "FR", "HL", "HR"}) {
    const double front = leg[0] == 'F' ? 1 : -1, left = leg[1] == 'L' ? 1 : -1;
    spec.limits[leg + "_HAA"] = {-1.1, 1.1, speed, effort};
    spec.limits[leg + "_HFE"] = {front > 0 ? -1.3 : -2.05, front > 0 ? 2.05 : 1.3, speed, effort};
    spec.limits[leg + "_KFE"] = {-2.6, 2.6, speed, effort};
    spec.home[leg + "_HFE"] = front * 0.7;
    spec.home[leg + "_KFE"] = front * -1.4;
    const Vector3d knee(0, left * 0.03745, -0.16), foot(0, left * 0.008, -0.16);
    AddCapsule(&spec, leg + "_UPPER_LEG", knee, Vector3d::Zero(), 0.012);
    // Ends a foot radius short of the ankle, so that the foot touches first at any angle.
    AddCapsule(&spec, leg + "_LOWER_LEG", foot * (1 - foot_radius / foot.norm()), Vector3d::Zero(), 0.010);
    AddSphere(&spec, leg + "_FOOT", "", Vector3d::Zero(), foot_radius);
    spec.foot_frames.push_back(leg + "_FOOT");
  }
  return spec;
}

RobotSpec Talos() {
  RobotSpec spec;
  spec.name = "talos";
  spec.urdf = ReadModel("talos_data/robots/talos_reduced.urdf");
  // Shapes lie inside the model's meshes, so that neighbours two joints apart do not touch at home.
  AddBox(&spec, "base_link", {-0.04, 0, -0.09}, {0.15, 0.16, 0.09});
  AddBox(&spec, "torso_2_link", {-0.06, 0, 0.2}, {0.15, 0.16, 0.19});
  // Half sitting, as in the model's SRDF.
  spec.home["torso_2_joint"] = 0.006761;
  for (const std::string side : {"left", "right"}) {
    const double sign = side == "left" ? 1 : -1;
    spec.home["arm_" + side + "_1_joint"] = sign * 0.25847;
    spec.home["arm_" + side + "_2_joint"] = sign * 0.173046;
    spec.home["arm_" + side + "_3_joint"] = sign * -0.0002;
    spec.home["arm_" + side + "_4_joint"] = -0.525366;
    spec.home["arm_" + side + "_7_joint"] = 0.1;
    spec.home["leg_" + side + "_3_joint"] = -0.411354;
    spec.home["leg_" + side + "_4_joint"] = 0.859395;
    spec.home["leg_" + side + "_5_joint"] = -0.448041;
    spec.home["leg_" + side + "_6_joint"] = -0.001708;
    AddCapsule(&spec, "arm_" + side + "_3_link", {0.02, 0, -0.273}, Vector3d::Zero(), 0.055);
    AddCapsule(&spec, "arm_" + side + "_4_link", {-0.02, 0, -0.2643}, Vector3d::Zero(), 0.05);
    AddCapsule(&spec, "leg_" + side + "_3_link", {0, 0, -0.38}, Vector3d::Zero(), 0.06);
    AddCapsule(&spec, "leg_" + side + "_4_link", {0, 0, -0.27}, Vector3d::Zero(), 0.06);
  }
  spec.foot_frames = {"left_sole_link", "right_sole_link"};
  for (const std::string& sole : spec.foot_frames) {
    int corner = 0;
    for (const double x : {-0.1, 0.1}) {
      for (const double y : {-0.06, 0.06}) {
        AddSphere(&spec, sole, "_" + std::to_string(corner++), {x, y, 0.005}, 0.005);
      }
    }
  }
  return spec;
}

RobotSpec AnymalC() {
  RobotSpec spec;
  spec.name = "anymal_c";
  spec.urdf = ReadModel("anymal_c_simple_description/urdf/anymal.urdf");
  for (const std::string leg : {"LF", "RF", "LH", "RH"}) {
    const double left = leg[0] == 'L' ? 1 : -1, front = leg[1] == 'F' ? 1 : -1;
    spec.home[leg + "_HAA"] = left * -0.1;
    spec.home[leg + "_HFE"] = front * 0.7;
    spec.home[leg + "_KFE"] = front * -1.0;
    spec.foot_frames.push_back(leg + "_FOOT");
  }
  AddUrdfShapes(&spec);
  return spec;
}

RobotSpec Go2() {
  RobotSpec spec;
  spec.name = "go2";
  spec.urdf = ReadModel("go2_description/urdf/go2.urdf");
  AddBox(&spec, "base", Vector3d::Zero(), {0.188, 0.047, 0.057});
  for (const std::string leg : {"FL", "FR", "RL", "RR"}) {
    spec.home[leg + "_hip_joint"] = leg[1] == 'L' ? 0.068 : -0.068;
    spec.home[leg + "_thigh_joint"] = 0.785;
    spec.home[leg + "_calf_joint"] = -1.44;
    AddCapsule(&spec, leg + "_thigh", {0, 0, -0.213}, Vector3d::Zero(), 0.018);
    AddCapsule(&spec, leg + "_calf", {0, 0, -0.19}, Vector3d::Zero(), 0.012);
    AddSphere(&spec, leg + "_foot", "", Vector3d::Zero(), 0.022);
    spec.foot_frames.push_back(leg + "_foot");
  }
  return spec;
}

RobotSpec AllegroHand() {
  RobotSpec spec;
  spec.name = "allegro_hand";
  spec.floating_base = false;
  spec.urdf = ReadModel("allegro_hand_description/urdf/allegro_right_hand.urdf");
  AddUrdfShapes(&spec);
  return spec;
}

struct Row {
  RobotEntry entry;
  std::function<std::unique_ptr<Robot>()> make;
};

Row RobotRow(const std::string& name, const std::string& summary, RobotSpec (*spec)()) {
  return {{name, summary, "robot"}, [spec] { return std::make_unique<Robot>(spec()); }};
}

Row ObjectRow(const std::string& name, const std::string& summary, const Shape& shape) {
  return {{name, summary, "object"}, [name, shape] { return MakeFreeBody(name, shape, 1.0); }};
}

const std::vector<Row>& Rows() {
  static const std::vector<Row> rows{
      RobotRow("solo12", "quadruped, 12 joints, 2.5 kg; spheres at the feet, capsules, box", Solo12),
      RobotRow("talos",
               "humanoid, 32 joints, 90 kg; four spheres under each sole, boxes for the trunk, capsules for "
               "the limbs",
               Talos),
      RobotRow("anymal_c",
               "quadruped, 12 joints, 52 kg; the URDF's boxes, spheres and cylinders (as capsules)", AnymalC),
      RobotRow("go2", "quadruped, 12 joints, 16 kg; spheres at the feet, capsules, box (without the head)",
               Go2),
      RobotRow("allegro_hand", "right hand on a fixed base, 16 joints; the URDF's boxes and spheres",
               AllegroHand),
      ObjectRow("ball", "solid sphere, radius 0.1 m, 1 kg", Shape::Sphere(0.1)),
      ObjectRow("cube", "solid cube, side 0.2 m, 1 kg", Shape::Box(Vector3d::Constant(0.1))),
      ObjectRow("capsule", "solid capsule, radius 0.05 m, 0.3 m long, 1 kg", Shape::Capsule(0.05, 0.1)),
  };
  return rows;
}

}  // namespace

const std::vector<RobotEntry>& RobotTable() {
  static const std::vector<RobotEntry> entries = [] {
    std::vector<RobotEntry> list;
    for (const Row& row : Rows()) list.push_back(row.entry);
    return list;
  }();
  return entries;
}

std::string RobotDataDir() {
  const char* given = std::getenv("TREAD_ROBOT_DATA");
  return given != nullptr && *given != '\0' ? given : TREAD_ROBOT_DATA_DIR;
}

std::unique_ptr<Robot> MakeRobot(const std::string& name) {
  std::vector<std::string> names;
  for (const Row& row : Rows()) {
    if (row.entry.name == name) return row.make();
    names.push_back(row.entry.name);
  }
  throw std::invalid_argument("no robot '" + name + "'" + DidYouMean(name, names));
}

std::unique_ptr<Robot> MakeFreeBody(const std::string& name, const Shape& shape, double mass) {
  return std::make_unique<Robot>(name, shape, mass);
}

}  // namespace tread
