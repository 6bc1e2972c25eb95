#include "experiments/report/tune_page.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <numeric>

namespace tread {
namespace {

std::string Short(double x) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.5g", x);
  return text;
}

// Infinite objectives cannot be drawn.
double Drawn(double objective) {
  return std::isfinite(objective) ? objective : std::numeric_limits<double>::quiet_NaN();
}

bool AllPositive(const std::vector<Evaluation>& all) {
  return std::all_of(all.begin(), all.end(), [](const Evaluation& e) { return e.objective > 0; });
}

std::string Note(const TunePlan& plan, const Evaluation& e) {
  std::string note = "evaluation " + std::to_string(e.index);
  for (std::size_t i = 0; i < plan.axes.size(); ++i)
    note += ", " + plan.axes[i].key + " " + Short(e.values[i]);
  return note + ", " + std::to_string(e.falls) + " fell";
}

Line Markers(const TunePlan& plan, const std::string& name, const std::vector<Evaluation>& evaluations,
             const std::function<double(const Evaluation&)>& x) {
  Line line;
  line.name = name;
  line.style = Line::Style::kMarkers;
  for (const Evaluation& e : evaluations) {
    line.x.push_back(x(e));
    line.y.push_back(Drawn(e.objective));
    line.notes.push_back(Note(plan, e));
  }
  return line;
}

Table ResultTable(const TunePlan& plan, const TuneResult& result) {
  Table table;
  table.title = "Result";
  table.note = result.own_validated ? "The seeds of the validation took no part in the search."
                                    : "No validation was asked for; numbers on the seeds tuned on flatter.";
  table.columns = {"values", "seeds", "objective", "runs that fell"};
  for (const std::string& entry : plan.objective.entries()) table.columns.push_back(entry);
  const auto add = [&](const std::string& what, const SeedRange& seeds, const Evaluation& e) {
    std::vector<std::string> row = {what, seeds.text(), Short(e.objective),
                                    std::to_string(e.falls) + " of " + std::to_string(seeds.size())};
    for (const double x : e.means) row.push_back(Short(x));
    table.rows.push_back(std::move(row));
  };
  add("the config's own, tuning", plan.seeds, result.own());
  add("best, tuning", plan.seeds, result.found());
  if (result.own_validated) {
    add("the config's own, validation", plan.validation, *result.own_validated);
    add("best, validation", plan.validation, *result.best_validated);
  }
  return table;
}

Plot ProgressPlot(const TunePlan& plan, const TuneResult& result) {
  Plot plot;
  plot.title = "Objective over the evaluations";
  plot.note = "Evaluation 0 is the config's own values.";
  plot.x.label = "evaluation";
  plot.y.label = "objective";
  plot.y.log = AllPositive(result.evaluations);
  const auto index = [](const Evaluation& e) { return static_cast<double>(e.index); };
  plot.lines.push_back(Markers(plan, "evaluations", result.evaluations, index));
  Line best;
  best.name = "best so far";
  best.style = Line::Style::kSteps;
  double least = std::numeric_limits<double>::infinity();
  for (const Evaluation& e : result.evaluations) {
    least = std::min(least, e.objective);
    best.x.push_back(index(e));
    best.y.push_back(Drawn(least));
  }
  plot.lines.push_back(std::move(best));
  return plot;
}

Plot KeyPlot(const TunePlan& plan, const TuneResult& result, std::size_t axis) {
  Plot plot;
  plot.title = plan.axes[axis].key;
  plot.x.label = plan.axes[axis].key;
  plot.x.log = plan.axes[axis].log;
  plot.y.label = "objective";
  plot.y.log = AllPositive(result.evaluations);
  const auto value = [axis](const Evaluation& e) { return e.values[axis]; };
  plot.lines.push_back(Markers(plan, "evaluations", result.evaluations, value));
  plot.lines.push_back(Markers(plan, "the config's own", {result.own()}, value));
  plot.lines.push_back(Markers(plan, "best", {result.found()}, value));
  return plot;
}

Table BestTable(const TunePlan& plan, const TuneResult& result) {
  constexpr std::size_t kRows = 10;
  Table table;
  table.title = "The best ten evaluations";
  table.columns = {"evaluation", "objective", "runs that fell"};
  for (const TuneAxis& axis : plan.axes) table.columns.push_back(axis.key);
  std::vector<Evaluation> sorted = result.evaluations;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Evaluation& a, const Evaluation& b) { return a.objective < b.objective; });
  if (sorted.size() > kRows) sorted.resize(kRows);
  for (const Evaluation& e : sorted) {
    std::vector<std::string> row = {std::to_string(e.index), Short(e.objective), std::to_string(e.falls)};
    for (const double x : e.values) row.push_back(Short(x));
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

Page MakeTunePage(const TunePlan& plan, const TuneResult& result) {
  const std::string name = std::filesystem::path(plan.request.config).stem().string();
  Page page("Tuning of " + name, plan.request.method + ", " + std::to_string(result.evaluations.size()) +
                                     " evaluations of " + std::to_string(plan.seeds.size()) + " seeds");
  page.Text("Objective, to be made small: " + plan.request.objective);
  std::string sets;
  for (const std::string& set : plan.request.sets) sets += " --set " + set;
  if (!sets.empty()) page.Text("With" + sets);
  page.Add(ResultTable(plan, result));
  page.Add(ProgressPlot(plan, result));
  page.Heading("Keys");
  for (std::size_t i = 0; i < plan.axes.size(); ++i) page.Add(KeyPlot(plan, result, i));
  page.Add(BestTable(plan, result));
  return page;
}

}  // namespace tread
