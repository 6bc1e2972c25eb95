// Numbers of summaries, as objective.h sees them.
#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "experiments/metrics.h"
#include "experiments/tune/objective.h"

namespace tread {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

void Flatten(const nlohmann::ordered_json& json, const std::string& name,
             std::vector<std::pair<std::string, double>>* out) {
  if (json.is_object()) {
    for (const auto& [key, child] : json.items()) Flatten(child, name.empty() ? key : name + "." + key, out);
  } else if (json.is_number()) {
    const double x = json.get<double>();
    out->emplace_back(name, std::isfinite(x) ? x : kNan);
  } else if (json.is_null() && name != "allocations_per_tick") {  // which is not counted here
    out->emplace_back(name, kNan);
  }
}

}  // namespace

std::vector<std::pair<std::string, double>> ScalarEntries(const nlohmann::ordered_json& summary) {
  std::vector<std::pair<std::string, double>> out;
  Flatten(summary, "", &out);
  return out;
}

bool IsTiming(const std::string& entry) {
  const std::string first = entry.substr(0, entry.find('.'));
  return first == "real_time_factor" || entry.find("_us.") != std::string::npos ||
         (entry.size() > 3 && entry.compare(entry.size() - 3, 3, "_us") == 0);
}

std::vector<double> MeanEntries(const std::vector<RunScalars>& runs) {
  std::vector<double> means;
  for (std::size_t i = 0; !runs.empty() && i < runs[0].values.size(); ++i) {
    Series all;
    for (const RunScalars& run : runs) {
      if (!std::isnan(run.values[i])) all.Add(run.values[i]);
    }
    means.push_back(all.empty() ? kNan : all.mean());
  }
  return means;
}

int CountFalls(const std::vector<RunScalars>& runs) {
  return static_cast<int>(
      std::count_if(runs.begin(), runs.end(), [](const RunScalars& run) { return run.fell; }));
}

}  // namespace tread
