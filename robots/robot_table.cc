#include "robots/robot_table.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <cstdlib>
#include <functional>
#include <limits>
#include <numeric>
#include <sstream>
#include <stdexcept>

namespace tread {
namespace {

using boost::property_tree::ptree;
using Eigen::Vector3d;

std::string DataDir() {
  const char* given = std::getenv("TREAD_ROBOT_DATA");
  return given != nullptr && *given != '\0' ? given : TREAD_ROBOT_DATA_DIR;
}

ptree ReadXml(const std::string& file) {
  ptree tree;
  try {
    boost::property_tree::read_xml(DataDir() + "/" + file, tree);
  } catch (const boost::property_tree::xml_parser_error& error) {
    throw std::runtime_error(std::string("robot model: ") + error.what() +
                             " (set TREAD_ROBOT_DATA to the folder of models)");
  }
  return tree;
}

Vector3d ToVector(const std::string& text) {
  std::istringstream in(text);
  Vector3d x = Vector3d::Zero();
  in >> x[0] >> x[1] >> x[2];
  return x;
}

// The URDF's text, continuous joints made revolute without bounds.
std::string UrdfText(ptree tree) {
  for (auto& [tag, joint] : tree.get_child("robot")) {
    if (tag != "joint" || joint.get("<xmlattr>.type", "") != "continuous") continue;
    joint.put("<xmlattr>.type", "revolute");
    joint.put("limit.<xmlattr>.lower", -1e31);
    joint.put("limit.<xmlattr>.upper", 1e31);
    for (const char* key : {"limit.<xmlattr>.effort", "limit.<xmlattr>.velocity"}) {
      if (!joint.get_optional<double>(key)) joint.put(key, 1e31);
    }
  }
  std::ostringstream out;
  boost::property_tree::write_xml(out, tree);
  return out.str();
}

// Appends the primitive collision shapes of all links.
void AddUrdfShapes(const ptree& tree, RobotSpec* spec) {
  for (const auto& [tag, link] : tree.get_child("robot")) {
    if (tag != "link") continue;
    const std::string link_name = link.get<std::string>("<xmlattr>.name");
    int count = 0;
    for (const auto& [part, collision] : link) {
      if (part != "collision") continue;
      Geometry geometry;
      if (const auto box = collision.get_optional<std::string>("geometry.box.<xmlattr>.size")) {
        geometry.shape = Shape::Box(0.5 * ToVector(*box));
      } else if (const auto sphere = collision.get_optional<double>("geometry.sphere.<xmlattr>.radius")) {
        geometry.shape = Shape::Sphere(*sphere);
      } else if (const auto r = collision.get_optional<double>("geometry.cylinder.<xmlattr>.radius")) {
        const double length = collision.get<double>("geometry.cylinder.<xmlattr>.length");
        geometry.shape = Shape::Capsule(*r, std::max(0.0, length / 2 - *r));
      } else {
        continue;  // mesh
      }
      const Vector3d rpy = ToVector(collision.get("origin.<xmlattr>.rpy", "0 0 0"));
      geometry.placement.p = ToVector(collision.get("origin.<xmlattr>.xyz", "0 0 0"));
      geometry.placement.R =
          (Eigen::AngleAxisd(rpy[2], Vector3d::UnitZ()) * Eigen::AngleAxisd(rpy[1], Vector3d::UnitY()) *
           Eigen::AngleAxisd(rpy[0], Vector3d::UnitX()))
              .toRotationMatrix();
      geometry.name = link_name + "_" + std::to_string(count++);
      spec->link_geometries.emplace_back(link_name, geometry);
    }
  }
}

// Joint values of a group state of an SRDF file; the base's is left out.
std::map<std::string, double> SrdfPose(const std::string& file, const std::string& state) {
  std::map<std::string, double> pose;
  const ptree tree = ReadXml(file);
  for (const auto& [tag, group] : tree.get_child("robot")) {
    if (tag != "group_state" || group.get("<xmlattr>.name", "") != state) continue;
    for (const auto& [part, joint] : group) {
      if (part != "joint" || joint.get("<xmlattr>.name", "") == "root_joint") continue;
      pose[joint.get<std::string>("<xmlattr>.name")] = joint.get<double>("<xmlattr>.value");
    }
  }
  return pose;
}

void AddSphere(RobotSpec* spec, const std::string& link, const std::string& suffix, const Vector3d& p,
               double radius) {
  spec->link_geometries.emplace_back(
      link, Geometry{link + suffix, 0, {Eigen::Matrix3d::Identity(), p}, Shape::Sphere(radius), "default"});
}

// Capsule whose segment joins two points of a link.
void AddCapsule(RobotSpec* spec, const std::string& link, const Vector3d& low, const Vector3d& high,
                double radius) {
  const Vector3d axis = high - low;
  const Pose placement{Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), axis).toRotationMatrix(),
                       (low + high) / 2};
  spec->link_geometries.emplace_back(
      link, Geometry{link, 0, placement, Shape::Capsule(radius, axis.norm() / 2), "default"});
}

RobotSpec Solo12() {
  RobotSpec spec;
  spec.name = "solo12";
  spec.urdf = UrdfText(ReadXml("solo_description/robots/solo12.urdf"));
  // The URDF's limits are placeholders (1000 N m, +-10 rad) and its shapes meshes: these are the machine's.
  const double effort = 2.5, speed = 80, foot_radius = 0.016;
  spec.link_geometries.emplace_back("base_link", Geometry{"base_link",
                                                          0,
                                                          {Eigen::Matrix3d::Identity(), {0, 0, 0.0015}},
                                                          Shape::Box({0.2241, 0.1095, 0.0265}),
                                                          "default"});
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
  const ptree tree = ReadXml("talos_data/robots/talos_reduced.urdf");
  spec.urdf = UrdfText(tree);
  spec.home = SrdfPose("talos_data/srdf/talos.srdf", "half_sitting");
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
  const ptree tree = ReadXml("anymal_c_simple_description/urdf/anymal.urdf");
  spec.urdf = UrdfText(tree);
  spec.home = SrdfPose("anymal_c_simple_description/srdf/anymal.srdf", "standing");
  spec.foot_frames = {"LF_FOOT", "RF_FOOT", "LH_FOOT", "RH_FOOT"};
  AddUrdfShapes(tree, &spec);
  return spec;
}

RobotSpec Go2() {
  RobotSpec spec;
  spec.name = "go2";
  spec.urdf = UrdfText(ReadXml("go2_description/urdf/go2.urdf"));
  spec.home = SrdfPose("go2_description/srdf/go2.srdf", "standing");
  spec.foot_frames = {"FL_foot", "FR_foot", "RL_foot", "RR_foot"};
  for (const std::string& foot : spec.foot_frames) AddSphere(&spec, foot, "", Vector3d::Zero(), 0.022);
  return spec;
}

RobotSpec AllegroHand() {
  RobotSpec spec;
  spec.name = "allegro_hand";
  spec.floating_base = false;
  const ptree tree = ReadXml("allegro_hand_description/urdf/allegro_right_hand.urdf");
  spec.urdf = UrdfText(tree);
  AddUrdfShapes(tree, &spec);
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
      RobotRow("talos", "humanoid, 32 joints; four spheres under each sole, no other shapes", Talos),
      RobotRow("anymal_c", "quadruped, 12 joints; the URDF's boxes, spheres and cylinders (as capsules)",
               AnymalC),
      RobotRow("go2", "quadruped, 12 joints; spheres at the feet, no other shapes", Go2),
      RobotRow("allegro_hand", "right hand on a fixed base, 16 joints; the URDF's boxes and spheres",
               AllegroHand),
      ObjectRow("ball", "solid sphere, radius 0.1 m, 1 kg", Shape::Sphere(0.1)),
      ObjectRow("cube", "solid cube, side 0.2 m, 1 kg", Shape::Box(Vector3d::Constant(0.1))),
      ObjectRow("capsule", "solid capsule, radius 0.05 m, 0.3 m long, 1 kg", Shape::Capsule(0.05, 0.1)),
  };
  return rows;
}

std::size_t EditDistance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substitute = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substitute});
    }
  }
  return row[b.size()];
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

std::unique_ptr<Robot> MakeRobot(const std::string& name) {
  std::string nearest;
  std::size_t best = std::numeric_limits<std::size_t>::max();
  for (const Row& row : Rows()) {
    if (row.entry.name == name) return row.make();
    if (const std::size_t distance = EditDistance(name, row.entry.name); distance < best) {
      best = distance;
      nearest = row.entry.name;
    }
  }
  throw std::invalid_argument("no robot '" + name + "'; did you mean '" + nearest + "'?");
}

std::unique_ptr<Robot> MakeFreeBody(const std::string& name, const Shape& shape, double mass) {
  return std::make_unique<Robot>(name, shape, mass);
}

}  // namespace tread
