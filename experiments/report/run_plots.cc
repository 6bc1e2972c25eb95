// The plots of one run's page, in sections: each takes what columns the log has.
#include <algorithm>
#include <cmath>
#include <limits>

#include "experiments/report/run_page.h"

namespace tread {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kMostBodies = 24;

class RunPlots {
 public:
  RunPlots(const TicksTable& ticks, const std::string& law, Page* page)
      : ticks_(ticks), t_(ticks["t"]), law_(law), page_(page) {}

  void Add() {
    Velocity();
    Bodies();
    ContactLaw();
    Solver();
    Controller();
    Feet();
    Joints();
    Energy();
  }

 private:
  Line Column(const std::string& name, const std::string& column,
              Line::Style style = Line::Style::kLine) const {
    return Made(name, ticks_[column], style);
  }
  Line Made(const std::string& name, std::vector<double> y, Line::Style style = Line::Style::kLine) const {
    return {.name = name, .x = t_, .y = std::move(y), .low = {}, .high = {}, .style = style};
  }
  void Show(const std::string& title, const std::string& note, const Axis& y, std::vector<Line> lines) const {
    page_->Add(Plot{title, note, {"time", "s"}, y, std::move(lines)});
  }
  // A column where another is not zero.
  std::vector<double> Where(const std::string& column, const std::string& condition) const {
    std::vector<double> y = ticks_[column];
    const std::vector<double>& c = ticks_[condition];
    for (std::size_t i = 0; i < y.size(); ++i) {
      if (c[i] == 0) y[i] = kNan;
    }
    return y;
  }
  // y = level while a flag is set, as few points.
  Line Flag(const std::string& name, const std::string& column, double level, double width) const;

  void Velocity() const;
  void Bodies() const;
  void ContactLaw() const;
  void Solver() const;
  void Controller() const;
  void Feet() const;
  void Joints() const;
  void Energy() const;

  const TicksTable& ticks_;
  const std::vector<double>& t_;
  std::string law_;
  Page* page_;
};

Line RunPlots::Flag(const std::string& name, const std::string& column, double level, double width) const {
  Line line{.name = name,
            .x = {},
            .y = {},
            .low = {},
            .high = {},
            .style = Line::Style::kLine,
            .notes = {},
            .width = width};
  const std::vector<double>& flag = ticks_[column];
  const auto put = [&](double x, double y) {
    line.x.push_back(x);
    line.y.push_back(y);
  };
  for (std::size_t i = 0; i < flag.size(); ++i) {
    const bool on = flag[i] != 0, before = i > 0 && flag[i - 1] != 0;
    if (on && !before) put(i > 0 ? t_[i - 1] : t_[i], level);
    if (before && !on) put(t_[i - 1], level), put(t_[i - 1], kNan);
  }
  if (!flag.empty() && flag.back() != 0) put(t_.back(), level);
  return line;
}

void Append(const Line& more, Line* line) {
  line->name = more.name;
  line->width = more.width;
  line->x.insert(line->x.end(), more.x.begin(), more.x.end());
  line->y.insert(line->y.end(), more.y.begin(), more.y.end());
  if (line->x.empty()) return;
  line->x.push_back(line->x.back());
  line->y.push_back(kNan);
}

void RunPlots::Velocity() const {
  if (!ticks_.Has("cmd.vx")) return;
  page_->Heading("Velocity and attitude");
  const struct {
    const char *title, *axis, *measured, *averaged, *commanded, *unit;
  } plots[] = {{"Forward velocity", "vx", "base.hvx", "base.gvx", "cmd.vx", "m/s"},
               {"Sideways velocity", "vy", "base.hvy", "base.gvy", "cmd.vy", "m/s"},
               {"Turning rate", "wz", "base.wz", "base.gwz", "cmd.wz", "rad/s"}};
  for (const auto& p : plots) {
    Line measured = Column("measured", p.measured),
         averaged = Column("averaged over one gait period", p.averaged),
         commanded = Column("commanded", p.commanded, Line::Style::kSteps);
    measured.width = 0.8;
    averaged.width = commanded.width = 2;
    Show(p.title, "Of the base, in heading axes.", {p.axis, p.unit}, {measured, averaged, commanded});
  }
  Show("Base height", "Above the origin of the world.", {"z", "m"}, {Column("base", "base.pz")});
  Show("Attitude", "", {"angle", "rad"}, {Column("roll", "base.roll"), Column("pitch", "base.pitch")});
  Show("Heading", "", {"yaw", "rad"}, {Column("yaw", "base.yaw")});
}

void RunPlots::Bodies() const {
  std::vector<std::string> names = ticks_.Between("body.", ".px");
  if (names.empty()) return;
  page_->Heading("Bodies");
  std::string note;
  if (names.size() > kMostBodies) {
    note = "The first " + std::to_string(kMostBodies) + " of " + std::to_string(names.size()) + ".";
    names.resize(kMostBodies);
  }
  std::vector<Line> heights, speeds, spins;
  const auto norm = [&](const std::string& prefix) {
    const auto &x = ticks_[prefix + "x"], &y = ticks_[prefix + "y"], &z = ticks_[prefix + "z"];
    std::vector<double> out(x.size());
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = std::hypot(x[i], y[i], z[i]);
    return out;
  };
  for (const std::string& name : names) {
    heights.push_back(Column(name, "body." + name + ".pz"));
    speeds.push_back(Made(name, norm("body." + name + ".v")));
    spins.push_back(Made(name, norm("body." + name + ".w")));
  }
  Show("Height", note, {"z", "m"}, heights);
  Show("Speed", note, {"|v|", "m/s"}, speeds);
  Show("Rate of rotation", note, {"|w|", "rad/s"}, spins);
}

void RunPlots::ContactLaw() const {
  page_->Heading("Contact law");
  const struct {
    const char *key, *title, *unit, *what;
  } plots[] = {
      {"p", "Forces outside the cone", "N", "eps_p: distance of the forces from the friction cone."},
      {"d", "Velocities outside the dual cone", "m/s^2",
       "eps_d: distance of the corrected accelerations from the dual cone."},
      {"c", "Complementarity", "N m/s^2", "eps_c: what forces and corrected accelerations make together."}};
  for (const auto& p : plots) {
    const std::string key = p.key;
    std::vector<Line> lines{Column("exact law", "sim.eps_" + key)};
    if (law_ != "ncp") lines.push_back(Column("own law (" + law_ + ")", "sim.own_" + key));
    if (ticks_.Has("sim.rigid_" + key) && ticks_["sim.rigid_" + key] != ticks_["sim.eps_" + key])
      lines.push_back(Column("exact law of rigid contact", "sim.rigid_" + key));
    for (Line& line : lines) {
      // single points would not be seen as a line
      const auto positive = std::count_if(line.y.begin(), line.y.end(), [](double y) { return y > 0; });
      if (positive < static_cast<long>(line.y.size() / 5)) line.style = Line::Style::kMarkers;
    }
    Show(p.title, p.what, {"eps_" + key, p.unit, true}, lines);
  }
  Show("Penetration", "Deepest of the tick.", {"penetration", "m", true},
       {Column("penetration", "sim.penetration")});
  Show("Condition of G",
       "Of the Delassus matrix in the tick's last step; infinite where contacts are redundant.",
       {"condition", "", true}, {Column("condition", "sim.condition")});
  Show("Normal force", "Sum over the contacts with the ground.", {"force", "N"},
       {Column("normal force", "sim.normal_force")});
}

void RunPlots::Solver() const {
  page_->Heading("Solver");
  Show("Iterations", "Sum over the steps of a tick.", {"iterations", "", true},
       {Column("iterations", "sim.iterations")});
  std::vector<Line> times;
  for (const char* part : {"solve", "dynamics", "collision", "assembly", "judge", "integrate"})
    times.push_back(Column(part, std::string("sim.") + part + "_us"));
  Show("Time of a tick's steps", "Wall clock, by part.", {"time", "us", true}, times);
  Show("Contacts", "", {"number", ""},
       {Column("contacts", "sim.contacts", Line::Style::kSteps),
        Column("joint limits", "sim.limits", Line::Style::kSteps),
        Column("solves not converged", "sim.unconverged", Line::Style::kSteps)});
}

void RunPlots::Controller() const {
  if (!ticks_.Has("cmd.vx") || !ticks_.Has("mpc.time_us")) return;
  page_->Heading("Controller");
  Line mpc = Made("MPC", Where("mpc.time_us", "mpc.time_us"), Line::Style::kMarkers);
  Show("Time of the controller", "Wall clock; the MPC's in the ticks in which it solved.",
       {"time", "us", true},
       {Column("whole controller", "control_us"), Column("whole-body control", "wbc.time_us"), mpc});
  Show("Iterations of the controller's QPs", "0: the minimum without constraints was the answer.",
       {"iterations", ""},
       {Column("MPC", "mpc.iterations", Line::Style::kSteps),
        Column("whole-body control", "wbc.iterations", Line::Style::kSteps)});
  Show("Status of the controller's QPs", "", {"status", "", false, {"solved", "max iterations", "failed"}},
       {Column("MPC", "mpc.status", Line::Style::kSteps),
        Column("whole-body control", "wbc.status", Line::Style::kSteps)});
}

void RunPlots::Feet() const {
  const std::vector<std::string> feet = ticks_.Between("foot.", ".fz");
  if (feet.empty()) return;
  page_->Heading("Feet");
  // one line for all that was scheduled, one for all contacts, broken between feet
  std::vector<Line> lines(2);
  Axis axis{"foot", "", false, {}};
  for (std::size_t i = 0; i < feet.size(); ++i) {
    const auto level = static_cast<double>(i);
    axis.names.push_back(feet[i]);
    const std::string prefix = "foot." + feet[i] + ".";
    Append(Flag("scheduled to stand", prefix + "scheduled", level + 0.14, 7), &lines[0]);
    Append(Flag("in contact", prefix + "contact", level - 0.14, 7), &lines[1]);
  }
  Show("Footfalls", "Above each foot's line when it was to stand, below when it carried force.", axis, lines);
  for (const std::string& foot : feet) {
    const std::string prefix = "foot." + foot + ".";
    Line measured = Column("measured", prefix + "fz"),
         planned = Column("planned", prefix + "plan_fz", Line::Style::kSteps);
    measured.width = 1;
    Show("Vertical force, " + foot, "", {"force", "N"},
         {planned, measured, Flag("scheduled to stand", prefix + "scheduled", 0, 6)});
  }
  std::vector<Line> slips;
  for (const std::string& foot : feet) {
    std::vector<double> sum = ticks_["foot." + foot + ".slip"];
    for (std::size_t i = 1; i < sum.size(); ++i) sum[i] += sum[i - 1];
    slips.push_back(Made(foot, sum));
  }
  Show("Slip", "Path of loaded contacts along the ground, so far.", {"slip", "m"}, slips);
}

void RunPlots::Joints() const {
  const std::vector<std::string> joints = ticks_.Between("joint.", ".tau");
  if (joints.empty()) return;
  page_->Heading("Joints");
  // one plot per leg or arm: joints that share what stands before the last underscore
  for (std::size_t begin = 0; begin < joints.size();) {
    const std::string limb = joints[begin].substr(0, joints[begin].find('_'));
    std::size_t end = begin;
    while (end < joints.size() && end < begin + 8 && joints[end].substr(0, joints[end].find('_')) == limb)
      ++end;
    std::vector<Line> lines;
    std::vector<double> clamped_t, clamped_tau;
    for (std::size_t j = begin; j < end; ++j) {
      const std::string prefix = "joint." + joints[j] + ".";
      lines.push_back(Column(joints[j], prefix + "tau"));
      const std::vector<double> clamped = Where(prefix + "tau", prefix + "saturated");
      for (std::size_t i = 0; i < clamped.size(); ++i) {
        if (!std::isnan(clamped[i])) clamped_t.push_back(t_[i]), clamped_tau.push_back(clamped[i]);
      }
    }
    if (!clamped_t.empty())
      lines.push_back({.name = "clamped",
                       .x = clamped_t,
                       .y = clamped_tau,
                       .low = {},
                       .high = {},
                       .style = Line::Style::kMarkers});
    Show("Torques, " + limb,
         clamped_t.empty() ? "Never clamped at the limit."
                           : "Points: ticks in which the torque was clamped at its limit.",
         {"torque", "N m"}, lines);
    begin = end;
  }
}

void RunPlots::Energy() const {
  page_->Heading("Energy");
  const auto &kinetic = ticks_["sim.kinetic"], &potential = ticks_["sim.potential"];
  std::vector<double> total(kinetic.size());
  for (std::size_t i = 0; i < total.size(); ++i) total[i] = kinetic[i] + potential[i];
  Show("Energy", "Of the whole scene; potential energy from the height of the origin.", {"energy", "J"},
       {Made("total", total), Column("potential", "sim.potential"), Column("kinetic", "sim.kinetic")});
}

}  // namespace

void AddRunPlots(const TicksTable& ticks, const std::string& law, Page* page) {
  RunPlots(ticks, law, page).Add();
}

}  // namespace tread
