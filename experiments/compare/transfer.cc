#include "experiments/compare/transfer.h"

#include <cmath>
#include <limits>

#include "experiments/compare/statistics.h"

namespace tread {
namespace {

// The first of the smallest that are numbers; 0 when there is none.
std::size_t Best(const std::vector<double>& values) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < values.size(); ++i) {
    if (values[i] < values[best] || (std::isnan(values[best]) && !std::isnan(values[i]))) best = i;
  }
  return best;
}

double TauOfCommon(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> common_a, common_b;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::isnan(a[i]) || std::isnan(b[i])) continue;
    common_a.push_back(a[i]);
    common_b.push_back(b[i]);
  }
  return KendallTauB(common_a, common_b);
}

}  // namespace

Transfer ComputeTransfer(const std::vector<std::vector<double>>& objective) {
  Transfer result;
  result.objective = objective;
  for (const auto& column : objective) result.best.push_back(Best(column));
  for (std::size_t a = 0; a < objective.size(); ++a) {
    result.kendall.emplace_back();
    result.transfer.emplace_back();
    for (std::size_t b = 0; b < objective.size(); ++b) {
      result.kendall[a].push_back(TauOfCommon(objective[a], objective[b]));
      result.transfer[a].push_back(objective[b][result.best[a]] / objective[b][result.best[b]]);
    }
  }
  return result;
}

std::vector<std::vector<double>> Objectives(const ComparePlan& plan, const CompareResult& result) {
  std::vector<std::vector<double>> objective(plan.columns.size());
  for (std::size_t c = 0; c < plan.columns.size(); ++c) {
    std::vector<std::vector<double>> errors(plan.candidates.size());
    for (std::size_t u = 0; u < plan.units(); ++u) {
      const CompareRun& run = result.runs[c][u];
      if (!run.ran()) continue;
      errors[plan.CandidateOf(u)].push_back(run.completed() ? std::hypot(run.vx_error, run.vy_error)
                                                            : kFallPenalty);
    }
    for (const auto& candidate : errors) objective[c].push_back(Mean(candidate));
  }
  return objective;
}

}  // namespace tread
