#include "experiments/compare/compare_json.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "experiments/compare/compare_notes.h"
#include "experiments/compare/statistics.h"
#include "experiments/compare/transfer.h"
#include "experiments/summary.h"

namespace tread {
namespace {

using Json = nlohmann::ordered_json;
using Values = std::vector<double>;

constexpr std::size_t kCurvePoints = 300;

// JSON has no infinity and no nan.
Json Number(double x) {
  return std::isfinite(x) ? Json(x) : Json(nullptr);
}

Json Numbers(const Values& values) {
  Json list = Json::array();
  for (const double x : values) list.push_back(Number(x));
  return list;
}

Json Spread(const Values& values) {
  return {{"n", values.size()},
          {"median", Number(Median(values))},
          {"q1", Number(Quantile(values, 0.25))},
          {"q3", Number(Quantile(values, 0.75))},
          {"mean", Number(Mean(values))}};
}

Json Matrix(const std::vector<Values>& rows) {
  Json list = Json::array();
  for (const Values& row : rows) list.push_back(Numbers(row));
  return list;
}

// One column of a comparison, over its distinct units.
class ColumnReport {
 public:
  ColumnReport(const ComparePlan& plan, const CompareResult& result, const CompareMeasures& measures,
               std::size_t column)
      : plan_(plan), result_(result), measures_(measures), c_(column) {}

  Json Report() const {
    const CompareColumn& column = plan_.columns[c_];
    Json out{{"name", column.name},
             {"backend", column.backend},
             {"eps_abs", column.eps_abs ? Json(*column.eps_abs) : Json(nullptr)},
             {"law", Name(column.law)},
             {"role", Name(column.role)}};
    out["outcomes"] = Outcomes();
    out["survival"] = Survival();
    out["tracking"] = {{"vx_gait_rms_error", Spread(OfCompleted(&CompareRun::vx_error))},
                       {"vy_gait_rms_error", Spread(OfCompleted(&CompareRun::vy_error))}};
    out["dv"] = Spread(OfPairs(&PairMeasures::dv));
    out["against_control"] = AgainstControl();
    out["to_near"] = Times(OfPairs(&PairMeasures::to_near));
    out["rate"] = Spread(Finite(OfPairs(&PairMeasures::rate)));
    out["rate"]["of"] = OfPairs(&PairMeasures::rate).size();
    out["criteria"] = {{"eps_d", Criterion(&CompareRun::eps_d_mean, &CompareRun::eps_d_max)},
                       {"eps_c", Criterion(&CompareRun::eps_c_mean, &CompareRun::eps_c_max)}};
    out["unconverged_share"] = Number(Mean(OfRuns(&CompareRun::unconverged_share)));
    out["iterations"] = Number(Median(OfRuns(&CompareRun::iterations)));
    out["slip"] = Spread(OfCompleted(&CompareRun::slip));
    out["cost_of_transport"] = Spread(OfCompleted(&CompareRun::cost_of_transport));
    out["work"] = Spread(OfCompleted(&CompareRun::work));
    out["solve_p50_us"] = Number(Median(OfRuns(&CompareRun::solve_p50_us)));
    out["step_us"] = Number(Median(OfRuns(&CompareRun::step_us)));
    out["tick_us"] = Number(Median(OfRuns(&CompareRun::tick_us)));
    out["gap_curve"] = Curve(&PairMeasures::distances);
    if (plan_.replay) {
      out["replay"] = {{"to_near", Times(OfReplays(&PairMeasures::replay_to_near))},
                       {"rate", Spread(Finite(OfReplays(&PairMeasures::replay_rate)))},
                       {"curve", Curve(&PairMeasures::replay_distances)}};
    }
    return out;
  }

 private:
  const CompareRun& RunOf(std::size_t column, std::size_t unit) const { return result_.runs[column][unit]; }
  bool Paired(std::size_t unit) const { return RunOf(c_, unit).ran() && RunOf(plan_.reference, unit).ran(); }

  Values OfRuns(double CompareRun::*field, bool completed = false) const {
    Values values;
    for (const std::size_t u : measures_.distinct) {
      const CompareRun& run = RunOf(c_, u);
      if (run.ran() && (!completed || run.completed()) && !std::isnan(run.*field))
        values.push_back(run.*field);
    }
    return values;
  }
  Values OfCompleted(double CompareRun::*field) const { return OfRuns(field, true); }

  Values OfPairs(double PairMeasures::*field) const {
    Values values;
    for (const std::size_t u : measures_.distinct) {
      if (Paired(u)) values.push_back(measures_.pairs[c_][u].*field);
    }
    return values;
  }

  Values OfReplays(double PairMeasures::*field) const {
    Values values;
    for (const std::size_t u : measures_.distinct) {
      if (!measures_.pairs[c_][u].replay_distances.empty()) values.push_back(measures_.pairs[c_][u].*field);
    }
    return values;
  }

  static Values Finite(const Values& values) {
    Values finite;
    for (const double x : values) {
      if (std::isfinite(x)) finite.push_back(x);
    }
    return finite;
  }

  static Json Times(const Values& times) {
    const auto never = static_cast<double>(times.size() - Finite(times).size());
    return {{"n", times.size()},
            {"median", Number(Median(times))},
            {"q1", Number(Quantile(times, 0.25))},
            {"q3", Number(Quantile(times, 0.75))},
            {"never_share", times.empty() ? Json(nullptr) : Json(never / static_cast<double>(times.size()))}};
  }

  Json Criterion(double CompareRun::*mean, double CompareRun::*max) const {
    const Values most = OfRuns(max);
    return {{"median_of_mean", Number(Median(OfRuns(mean)))}, {"max", Number(Quantile(most, 1))}};
  }

  Json Outcomes() const {
    Json counts{{"completed", 0}, {"fell", 0}, {"diverged", 0}, {"solver_failed", 0}, {"died", 0}};
    for (const CompareRun& run : result_.runs[c_]) {
      if (!run.outcome.empty()) counts[run.outcome] = counts[run.outcome].get<int>() + 1;
    }
    return counts;
  }

  Json Survival() const {
    int n = 0, completed = 0, only_reference = 0, only_this = 0;
    for (const std::size_t u : measures_.distinct) {
      if (!Paired(u)) continue;
      const bool here = RunOf(c_, u).completed(), there = RunOf(plan_.reference, u).completed();
      ++n;
      completed += here;
      only_reference += there && !here;
      only_this += here && !there;
    }
    const Interval interval = WilsonInterval(completed, n);
    return {{"n", n},
            {"completed", completed},
            {"share", n > 0 ? Json(static_cast<double>(completed) / n) : Json(nullptr)},
            {"low", interval.low},
            {"high", interval.high},
            {"only_reference", only_reference},
            {"only_this", only_this},
            {"mcnemar_p", McNemarExact(only_reference, only_this)}};
  }

  // Pair by pair: is this column farther from the reference than the farthest control is? p: sign test, ties left out.
  Json AgainstControl() const {
    int above = 0, below = 0, n = 0;
    for (const std::size_t u : measures_.distinct) {
      double control = -1;
      for (std::size_t k = 0; k < plan_.columns.size(); ++k) {
        const double dv = measures_.pairs[k][u].dv;
        if (plan_.columns[k].role == Role::kControl && k != c_ && dv > control) control = dv;
      }
      const double dv = measures_.pairs[c_][u].dv;
      if (control < 0 || std::isnan(dv)) continue;
      ++n;
      above += dv > control;
      below += dv < control;
    }
    return {{"n", n}, {"above", above}, {"below", below}, {"p", McNemarExact(above, below)}};
  }

  Json Curve(Values PairMeasures::*field) const {
    std::vector<const Values*> curves;
    for (const std::size_t u : measures_.distinct) curves.push_back(&(measures_.pairs[c_][u].*field));
    const GapCurve curve = ReduceCurves(curves, SamplePeriod(), kCurvePoints);
    return {{"t", Numbers(curve.t)},
            {"median", Numbers(curve.median)},
            {"q1", Numbers(curve.q1)},
            {"q3", Numbers(curve.q3)}};
  }

  double SamplePeriod() const {
    for (const CompareRun& run : result_.runs[plan_.reference]) {
      if (run.ran()) return run.trajectory.period;
    }
    return Trajectory().period;
  }

  const ComparePlan& plan_;
  const CompareResult& result_;
  const CompareMeasures& measures_;
  std::size_t c_;
};

// Of the ground the reference walked on.
Json GroundReport(const ComparePlan& plan, const CompareResult& result, const CompareMeasures& measures) {
  Values p95, most;
  for (const std::size_t u : measures.distinct) {
    const CompareRun& run = result.runs[plan.reference][u];
    if (run.ran()) p95.push_back(run.slope_p95);
    if (run.ran()) most.push_back(run.slope_max);
  }
  const SceneConfig& scene = plan.candidates[0].config.scene;
  const double friction = scene.surface.friction;
  return {{"type", scene.terrain.type},
          {"slope_p95", Number(Median(p95))},
          {"slope_max", Number(Quantile(most, 1))},
          {"friction", friction},
          {"slope_p95_over_friction", Number(friction > 0 ? Median(p95) / friction : INFINITY)}};
}

Json TransferReport(const ComparePlan& plan, const CompareResult& result) {
  const Transfer transfer = ComputeTransfer(Objectives(plan, result));
  Json out{{"fall_penalty", kFallPenalty}, {"candidates", Json::array()}, {"best", Json::object()}};
  for (const Candidate& candidate : plan.candidates) {
    std::string name;
    for (const std::string& set : candidate.sets) name += (name.empty() ? "" : " ") + set;
    out["candidates"].push_back(name);
  }
  for (std::size_t c = 0; c < plan.columns.size(); ++c)
    out["best"][plan.columns[c].name] = out["candidates"][transfer.best[c]];
  out["objective"] = Matrix(transfer.objective);
  out["kendall"] = Matrix(transfer.kendall);
  out["transfer"] = Matrix(transfer.transfer);
  return out;
}

}  // namespace

Json CompareJson(const ComparePlan& plan, const CompareResult& result) {
  const CompareMeasures measures = Measure(plan, result);
  Json out{{"version", ProgramVersion()},
           {"config", plan.config},
           {"config_hash", HashText(WriteExperiment(plan.candidates[0].config))},
           {"duration", plan.candidates[0].config.run.duration},
           {"seeds", plan.seeds},
           {"candidates", plan.candidates.size()},
           {"units", plan.units()},
           {"distinct_units", measures.distinct.size()},
           {"reference", plan.columns[plan.reference].name},
           {"near", kNear}};
  out["terrain"] = GroundReport(plan, result, measures);
  out["notes"] = CompareNotes(plan, result, measures);
  out["columns"] = Json::array();
  for (std::size_t c = 0; c < plan.columns.size(); ++c)
    out["columns"].push_back(ColumnReport(plan, result, measures, c).Report());
  if (plan.candidates.size() > 1) out["transfer"] = TransferReport(plan, result);
  return out;
}

}  // namespace tread
