#include "experiments/report/sweep_page.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <numeric>

#include "experiments/sweep/sweep_statistics.h"

namespace tread {
namespace {

constexpr std::size_t kMostLines = 24;

struct Measure {
  const char *title, *note;
  Axis axis;
  SweepSpread SweepPoint::*spread;
};

const std::vector<Measure>& Measures() {
  static const std::vector<Measure> measures = {
      {"Tracking error",
       "Median over the seeds of the runs that completed; the band holds the middle half of them.",
       {"rms error of gait-averaged vx", "m/s"},
       &SweepPoint::error},
      {"Runs lost",
       "Share of the runs that fell, diverged or in which the solver failed, with its 95 % interval.",
       {"share", ""},
       &SweepPoint::lost},
      {"Solver iterations",
       "Per control tick; median over the seeds and quartiles.",
       {"iterations per tick", ""},
       &SweepPoint::iterations},
      {"Solver time",
       "Per control tick; median over the seeds and quartiles. What else ran on the machine counts in.",
       {"solver time per tick", "us"},
       &SweepPoint::solve_us},
  };
  return measures;
}

std::string Text(double x) {
  if (std::isnan(x)) return "-";
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.4g", x);
  return buffer;
}

bool ParseNumber(const std::string& text, double* number) {
  char* end = nullptr;
  *number = std::strtod(text.c_str(), &end);
  return !text.empty() && *end == '\0' && std::isfinite(*number);
}

// Where the values of an axis stand: their numbers, or 0, 1, 2, ... for words.
struct Scale {
  std::vector<double> places;
  bool numeric = true;
};

Scale MakeScale(const SweepAxis& axis) {
  Scale scale;
  scale.places.resize(axis.values.size());
  for (std::size_t i = 0; i < axis.values.size(); ++i)
    scale.numeric = ParseNumber(axis.values[i], &scale.places[i]) && scale.numeric;
  if (!scale.numeric) std::iota(scale.places.begin(), scale.places.end(), 0.0);
  return scale;
}

// Logarithmic over more than two decades.
bool WantsLog(const std::vector<double>& values) {
  double low = INFINITY, high = 0;
  for (const double x : values) {
    if (std::isnan(x)) continue;
    if (x <= 0) return false;
    low = std::min(low, x);
    high = std::max(high, x);
  }
  return high > 100 * low;
}

// The points that differ in one axis only, by the values of the others.
std::map<std::size_t, std::vector<std::size_t>> Combinations(const SweepPlan& plan, std::size_t axis) {
  std::size_t stride = 1;  // between neighbours along the axis
  for (std::size_t a = axis + 1; a < plan.axes.size(); ++a) stride *= plan.axes[a].values.size();
  std::map<std::size_t, std::vector<std::size_t>> lines;
  for (std::size_t point = 0; point < plan.points(); ++point)
    lines[point - point / stride % plan.axes[axis].values.size() * stride].push_back(point);
  return lines;
}

std::string NameWithout(const SweepPlan& plan, const SweepPoint& point, std::size_t axis) {
  std::string name;
  for (std::size_t a = 0; a < plan.axes.size(); ++a) {
    if (a == axis || plan.axes[a].values.size() < 2) continue;
    name += (name.empty() ? "" : ", ") + plan.axes[a].key + "=" + point.values[a];
  }
  return name.empty() ? "all" : name;
}

Plot PlotAgainst(const SweepPlan& plan, const std::vector<SweepPoint>& points, std::size_t axis,
                 const Measure& measure) {
  const Scale scale = MakeScale(plan.axes[axis]);
  Plot plot{measure.title, measure.note, {plan.axes[axis].key, ""}, measure.axis, {}};
  if (scale.numeric) {
    plot.x.log = WantsLog(scale.places);
  } else {
    plot.x.names = plan.axes[axis].values;
  }
  std::vector<double> all;
  const auto combinations = Combinations(plan, axis);
  for (const auto& [first, members] : combinations) {
    if (plot.lines.size() == kMostLines) {
      plot.note += " Only " + std::to_string(kMostLines) + " of " + std::to_string(combinations.size()) +
                   " combinations are drawn; the table has all.";
      break;
    }
    std::vector<std::size_t> order(members.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return scale.places[a] < scale.places[b]; });
    Line line;
    line.name = NameWithout(plan, points[first], axis);
    line.style = scale.numeric ? Line::Style::kLineAndMarkers : Line::Style::kMarkers;
    for (const std::size_t i : order) {
      const SweepPoint& point = points[members[i]];
      const SweepSpread& spread = point.*measure.spread;
      line.x.push_back(scale.places[i]);
      line.y.push_back(spread.median);
      if (scale.numeric) {  // between words there is nothing for a band to say
        line.low.push_back(spread.low);
        line.high.push_back(spread.high);
      }
      line.notes.push_back(std::to_string(point.completed) + " of " + std::to_string(point.runs) +
                           " completed");
      all.push_back(spread.median);
    }
    plot.lines.push_back(std::move(line));
  }
  plot.y.log = measure.spread != &SweepPoint::lost && WantsLog(all);
  return plot;
}

// Points at which most runs complete and no other such point is both cheaper and more accurate, by cost.
std::vector<const SweepPoint*> ParetoFront(const std::vector<SweepPoint>& points) {
  std::vector<const SweepPoint*> front;
  for (const SweepPoint& point : points) {
    if (std::isfinite(point.error.median) && std::isfinite(point.solve_us.median) &&
        2 * point.completed >= point.runs)
      front.push_back(&point);
  }
  std::stable_sort(front.begin(), front.end(), [](const SweepPoint* a, const SweepPoint* b) {
    return a->solve_us.median != b->solve_us.median ? a->solve_us.median < b->solve_us.median
                                                    : a->error.median < b->error.median;
  });
  double best = INFINITY;
  std::erase_if(front, [&](const SweepPoint* point) {
    if (point->error.median >= best) return true;
    best = point->error.median;
    return false;
  });
  return front;
}

void AddPoint(const SweepPoint& point, Line* line) {
  line->x.push_back(point.solve_us.median);
  line->y.push_back(point.error.median);
  line->notes.push_back(point.name + "; " + std::to_string(point.completed) + " of " +
                        std::to_string(point.runs) + " completed");
}

// One colour per combination of the axes that hold words (backends, say).
Plot PlotTrade(const SweepPlan& plan, const std::vector<SweepPoint>& points) {
  Plot plot{"Accuracy against cost",
            "One marker per point of the sweep: the error is the median of the runs that completed, the time "
            "that of all, "
            "by the wall clock of a machine that may have been busy. The front joins the points that no "
            "other beats in "
            "both; points at which more than half of the runs are lost are not on it.",
            {"solver time per tick", "us"},
            {"rms error of gait-averaged vx", "m/s"},
            {}};
  std::map<std::string, Line> lines;
  std::vector<double> costs, errors;
  for (const SweepPoint& point : points) {
    if (std::isnan(point.error.median)) continue;
    std::string name;
    for (std::size_t a = 0; a < plan.axes.size(); ++a) {
      if (!MakeScale(plan.axes[a]).numeric) name += (name.empty() ? "" : ", ") + point.values[a];
    }
    Line& line = lines[name.empty() ? "points" : name];
    line.style = Line::Style::kMarkers;
    AddPoint(point, &line);
    costs.push_back(point.solve_us.median);
    errors.push_back(point.error.median);
  }
  for (auto& [name, line] : lines) {
    line.name = name;
    plot.lines.push_back(std::move(line));
  }
  Line front;
  front.name = "Pareto front";
  front.style = Line::Style::kLineAndMarkers;  // it may be one point
  for (const SweepPoint* point : ParetoFront(points)) AddPoint(*point, &front);
  if (!front.x.empty()) plot.lines.push_back(std::move(front));
  plot.x.log = WantsLog(costs);
  plot.y.log = WantsLog(errors);
  return plot;
}

Table TableOf(const SweepPlan& plan, const std::vector<SweepPoint>& points) {
  Table table{"All points", "Medians over the seeds, with quartiles; lost: with its 95 % interval.", {}, {}};
  for (const SweepAxis& axis : plan.axes) table.columns.push_back(axis.key);
  for (const char* name : {"runs", "completed", "vx rms error [m/s]", "lost", "iterations per tick",
                           "solver time per tick [us]"})
    table.columns.push_back(name);
  for (const SweepPoint& point : points) {
    auto& row = table.rows.emplace_back(point.values);
    row.push_back(std::to_string(point.runs));
    row.push_back(std::to_string(point.completed));
    for (const SweepSpread& s : {point.error, point.lost, point.iterations, point.solve_us})
      row.push_back(std::isnan(s.median) ? "-"
                                         : Text(s.median) + " (" + Text(s.low) + " to " + Text(s.high) + ")");
  }
  return table;
}

}  // namespace

Page MakeSweepPage(const SweepPlan& plan, const SweepTable& table) {
  const std::string name = std::filesystem::path(plan.config).stem().string();
  std::string subtitle = std::to_string(table.rows.size()) + " of " + std::to_string(plan.runs()) +
                         " runs, " + std::to_string(plan.points()) + " points, " +
                         std::to_string(plan.seeds.size()) + (plan.seeds.size() == 1 ? " seed" : " seeds") +
                         "; tread " + plan.version;
  Page page("Sweep of " + name, subtitle);
  const std::vector<SweepPoint> points = SummarisePoints(plan, table);
  bool tracks =
      std::any_of(points.begin(), points.end(), [](const auto& p) { return std::isfinite(p.error.median); });
  if (tracks) {
    page.Heading("Accuracy against cost");
    page.Add(PlotTrade(plan, points));
  }
  for (std::size_t axis = 0; axis < plan.axes.size(); ++axis) {
    if (plan.axes[axis].values.size() < 2) continue;
    page.Heading("Against " + plan.axes[axis].key);
    for (const Measure& measure : Measures()) {
      if (tracks || measure.spread != &SweepPoint::error) page.Add(PlotAgainst(plan, points, axis, measure));
    }
  }
  page.Heading("All points");
  page.Add(TableOf(plan, points));
  page.Download("results.csv", SweepCsv(table));
  return page;
}

}  // namespace tread
