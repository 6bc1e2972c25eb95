// The two CSV files of a comparison. An empty field is a number that does not exist, or is infinite.
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "experiments/compare/compare_json.h"

namespace tread {
namespace {

using Json = nlohmann::ordered_json;

std::string Number(double x) {
  if (!std::isfinite(x)) return "";
  char text[32];
  return std::string(text, std::to_chars(text, text + sizeof(text), x).ptr);
}

// Quoted where it must be.
std::string Field(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string Row(const std::vector<std::string>& fields) {
  std::string row;
  for (std::size_t i = 0; i < fields.size(); ++i) row += (i > 0 ? "," : "") + Field(fields[i]);
  return row + "\n";
}

// Column of compare.csv: its name, and where it stands in an entry of "columns".
constexpr const char* kColumns[][2] = {
    {"name", "/name"},
    {"law", "/law"},
    {"role", "/role"},
    {"completed", "/outcomes/completed"},
    {"fell", "/outcomes/fell"},
    {"diverged", "/outcomes/diverged"},
    {"solver_failed", "/outcomes/solver_failed"},
    {"died", "/outcomes/died"},
    {"n", "/survival/n"},
    {"survival", "/survival/share"},
    {"survival_low", "/survival/low"},
    {"survival_high", "/survival/high"},
    {"mcnemar_p", "/survival/mcnemar_p"},
    {"vx_error_median", "/tracking/vx_gait_rms_error/median"},
    {"vx_error_q1", "/tracking/vx_gait_rms_error/q1"},
    {"vx_error_q3", "/tracking/vx_gait_rms_error/q3"},
    {"vx_error_mean", "/tracking/vx_gait_rms_error/mean"},
    {"dv_median", "/dv/median"},
    {"dv_q1", "/dv/q1"},
    {"dv_q3", "/dv/q3"},
    {"dv_mean", "/dv/mean"},
    {"dv_above_control", "/against_control/above"},
    {"dv_below_control", "/against_control/below"},
    {"dv_control_p", "/against_control/p"},
    {"to_near_median", "/to_near/median"},
    {"to_near_never_share", "/to_near/never_share"},
    {"rate_median", "/rate/median"},
    {"replay_to_near_median", "/replay/to_near/median"},
    {"replay_rate_median", "/replay/rate/median"},
    {"eps_d_mean", "/criteria/eps_d/median_of_mean"},
    {"eps_d_max", "/criteria/eps_d/max"},
    {"eps_c_mean", "/criteria/eps_c/median_of_mean"},
    {"eps_c_max", "/criteria/eps_c/max"},
    {"unconverged_share", "/unconverged_share"},
    {"iterations", "/iterations"},
    {"slip_median", "/slip/median"},
    {"cost_of_transport_median", "/cost_of_transport/median"},
    {"work_median", "/work/median"},
    {"solve_p50_us", "/solve_p50_us"},
    {"step_us", "/step_us"},
    {"tick_us", "/tick_us"},
};

}  // namespace

std::string CompareCsv(const Json& compare) {
  std::vector<std::string> names;
  for (const auto& column : kColumns) names.push_back(column[0]);
  std::string text = Row(names);
  for (const Json& entry : compare["columns"]) {
    std::vector<std::string> fields;
    for (const auto& column : kColumns) {
      const Json::json_pointer at(column[1]);
      const Json value = entry.contains(at) ? entry[at] : Json(nullptr);
      fields.push_back(value.is_null() ? "" : value.is_string() ? value.get<std::string>() : value.dump());
    }
    text += Row(fields);
  }
  return text;
}

std::string RunsCsv(const ComparePlan& plan, const CompareResult& result) {
  const CompareMeasures measures = Measure(plan, result);
  std::string text = Row({"name",         "law",        "role",
                          "candidate",    "seed",       "same_as_seed",
                          "outcome",      "reason",     "end_time",
                          "vx_error",     "vy_error",   "dv",
                          "to_near",      "rate",       "replay_to_near",
                          "replay_rate",  "eps_d_mean", "eps_d_max",
                          "eps_c_mean",   "eps_c_max",  "unconverged_share",
                          "iterations",   "slip",       "cost_of_transport",
                          "work",         "slope_p95",  "slope_max",
                          "solve_p50_us", "step_us",    "tick_us"});
  for (std::size_t u = 0; u < plan.units(); ++u) {
    std::string candidate;
    for (const std::string& set : plan.candidates[plan.CandidateOf(u)].sets)
      candidate += (candidate.empty() ? "" : " ") + set;
    const std::size_t first = measures.first[u];
    for (std::size_t c = 0; c < plan.columns.size(); ++c) {
      const CompareColumn& column = plan.columns[c];
      const CompareRun& run = result.runs[c][u];
      if (run.outcome.empty()) continue;
      std::vector<std::string> fields{column.name,
                                      Name(column.law),
                                      Name(column.role),
                                      candidate,
                                      std::to_string(plan.Seed(u)),
                                      first == u ? "" : std::to_string(plan.Seed(first)),
                                      run.outcome,
                                      run.reason};
      const PairMeasures& pair = measures.pairs[c][u];
      if (run.ran()) {
        for (const double x : {run.end_time,
                               run.vx_error,
                               run.vy_error,
                               pair.dv,
                               pair.to_near,
                               pair.rate,
                               pair.replay_to_near,
                               pair.replay_rate,
                               run.eps_d_mean,
                               run.eps_d_max,
                               run.eps_c_mean,
                               run.eps_c_max,
                               run.unconverged_share,
                               run.iterations,
                               run.slip,
                               run.cost_of_transport,
                               run.work,
                               run.slope_p95,
                               run.slope_max,
                               run.solve_p50_us,
                               run.step_us,
                               run.tick_us})
          fields.push_back(Number(x));
      }
      fields.resize(30);
      text += Row(fields);
    }
  }
  return text;
}

}  // namespace tread
