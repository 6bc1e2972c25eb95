#include "experiments/tune/plan.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "experiments/config_keys.h"
#include "experiments/config_tree.h"
#include "experiments/experiment_run.h"
#include "experiments/summary.h"
#include "robots/nearest.h"

namespace tread {
namespace {

bool ParseNumber(const std::string& text, double* x) {
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, *x);
  return error == std::errc() && at == end && std::isfinite(*x);
}

// KEY=LO:HI[:log] without a look at the config.
TuneAxis ParseAxis(const std::string& text) {
  const std::string option = "--over " + text + ": ";
  const auto form = [&] {
    return std::invalid_argument(
        option + "expected KEY=LO:HI or KEY=LO:HI:log, for instance controller.swing.apex=0.03:0.08");
  };
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) throw form();
  TuneAxis axis;
  axis.key = text.substr(0, equals);
  std::string rest = text.substr(equals + 1);
  const std::size_t colon = rest.find(':');
  if (colon == std::string::npos) throw form();
  const std::string low = rest.substr(0, colon);
  rest = rest.substr(colon + 1);
  const std::size_t second = rest.find(':');
  const std::string high = rest.substr(0, second);
  if (second != std::string::npos) {
    if (rest.substr(second + 1) != "log") throw form();
    axis.log = true;
  }
  if (!ParseNumber(low, &axis.low)) throw std::invalid_argument(option + "'" + low + "' is no number");
  if (!ParseNumber(high, &axis.high)) throw std::invalid_argument(option + "'" + high + "' is no number");
  if (!(axis.low < axis.high))
    throw std::invalid_argument(option + "the first bound must be below the second");
  if (axis.log && axis.low <= 0)
    throw std::invalid_argument(option + "a logarithmic axis needs bounds above 0");
  return axis;
}

// The axis against the keys of the config.
void Match(const std::string& text, const std::vector<ConfigKey>& keys, TuneAxis* axis) {
  const std::string option = "--over " + text + ": ";
  const auto found =
      std::find_if(keys.begin(), keys.end(), [&](const ConfigKey& k) { return k.key == axis->key; });
  if (found == keys.end()) {
    std::vector<std::string> numbers;
    for (const ConfigKey& k : keys) {
      if (k.kind != ConfigKey::Kind::kOther) numbers.push_back(k.key);
    }
    const std::string nearest = Nearest(axis->key, numbers);
    throw std::invalid_argument(
        option + axis->key + ": unknown key" +
        (nearest.empty() ? "; 'tread config CONFIG' prints all" : "; did you mean '" + nearest + "'?"));
  }
  if (found->kind == ConfigKey::Kind::kOther)
    throw std::invalid_argument(option + axis->key + ": is not a number; only numbers can be searched");
  if (axis->key == "run.seed")
    throw std::invalid_argument(option + "run.seed: every value is evaluated on the same seeds; see --seeds");
  axis->integer = found->kind == ConfigKey::Kind::kInteger;
  axis->own = found->value;
  if (axis->integer && (axis->low != std::round(axis->low) || axis->high != std::round(axis->high)))
    throw std::invalid_argument(option + axis->key + ": takes whole numbers; bounds must be whole");
  if (axis->integer && std::max(std::abs(axis->low), std::abs(axis->high)) > 1e15)
    throw std::invalid_argument(option + "bounds must be within 1e15");
}

std::string Assignment(const TuneAxis& axis, double value) {
  return axis.key + "=" +
         (axis.integer ? std::to_string(static_cast<std::int64_t>(value)) : NumberText(value));
}

// Both bounds must be values that the config takes.
void TryBounds(const std::string& text, const TuneRequest& request, const TuneAxis& axis) {
  for (const double bound : {axis.low, axis.high}) {
    std::vector<std::string> overrides = request.sets;
    overrides.push_back(Assignment(axis, bound));
    try {
      LoadExperiment(request.config, overrides);
    } catch (const ConfigError& error) {
      std::string why = error.what();
      const std::string set = "--set " + overrides.back() + ": ";
      if (why.rfind(set, 0) == 0) why = why.substr(set.size());
      throw std::invalid_argument("--over " + text + ": " + why);
    }
  }
}

// The numbers in the summary of a run that ends after one control tick.
std::vector<std::string> EntryNames(ExperimentConfig config) {
  config.run.duration = std::max(config.controller.period, config.sim.dt);
  std::vector<std::string> names;
  for (const auto& [name, value] : ScalarEntries(RunExperiment(config))) names.push_back(name);
  return names;
}

}  // namespace

double TuneAxis::FromUnit(double u) const {
  if (u <= 0 || u >= 1) return u <= 0 ? low : high;
  const double x =
      log ? std::exp(std::log(low) + u * (std::log(high) - std::log(low))) : low + u * (high - low);
  return std::clamp(integer ? std::round(x) : x, low, high);
}

double TuneAxis::ToUnit(double value) const {
  const double x = std::clamp(value, low, high);
  const double u =
      log ? (std::log(x) - std::log(low)) / (std::log(high) - std::log(low)) : (x - low) / (high - low);
  return std::clamp(u, 0.0, 1.0);
}

TunePlan TunePlan::Make(const TuneRequest& request) {
  const SearchMethod* method = FindSearchMethod(request.method);
  if (method == nullptr) {
    std::vector<std::string> names;
    for (const SearchMethod& m : SearchMethods()) names.emplace_back(m.name);
    throw std::invalid_argument("--method " + request.method + ": no such method" +
                                DidYouMean(request.method, names));
  }
  if (request.over.empty())
    throw std::invalid_argument("tune: no --over KEY=LO:HI; name at least one key and its bounds");
  if (request.budget < 1)
    throw std::invalid_argument("--budget " + std::to_string(request.budget) + ": must be at least 1");
  if (request.search_seed < 0)
    throw std::invalid_argument("--seed " + std::to_string(request.search_seed) + ": must not be negative");
  if (request.over.size() < method->least)
    throw std::invalid_argument("--method " + request.method + ": needs at least " +
                                std::to_string(method->least) + " keys; nlopt_sbplx and cmaes take one");
  std::vector<TuneAxis> axes;
  for (const std::string& text : request.over) {
    axes.push_back(ParseAxis(text));
    for (std::size_t i = 0; i + 1 < axes.size(); ++i) {
      if (axes[i].key == axes.back().key)
        throw std::invalid_argument("--over " + text + ": given before; give one range for " + axes[i].key);
    }
  }
  const SeedRange seeds = ParseSeeds("--seeds", request.seeds);
  SeedRange validation;
  if (!request.validate.empty()) {
    validation = ParseSeeds("--validate", request.validate);
    if (validation.first <= seeds.last && seeds.first <= validation.last)
      throw std::invalid_argument("--validate " + request.validate + ": must not share seeds with --seeds " +
                                  seeds.text() + "; numbers on seeds that were tuned on flatter");
  }
  const ExperimentConfig config = LoadExperiment(request.config, request.sets);
  if (!config.reproducible())
    throw std::invalid_argument(
        "controller.timing.mode = thread: not reproducible, so a search could not be gone on with; sync or "
        "delay");
  const std::vector<ConfigKey> keys = ConfigKeys(config);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    Match(request.over[i], keys, &axes[i]);
    TryBounds(request.over[i], request, axes[i]);
  }
  return {request,
          std::move(axes),
          Objective(request.objective, EntryNames(config), request.allow_timing),
          seeds,
          !request.validate.empty(),
          validation,
          method,
          WriteExperiment(config)};
}

std::vector<std::string> TunePlan::Overrides(const std::vector<double>& values) const {
  std::vector<std::string> overrides = request.sets;
  for (std::size_t i = 0; i < axes.size(); ++i) overrides.push_back(Assignment(axes[i], values[i]));
  return overrides;
}

std::vector<double> TunePlan::OwnValues() const {
  std::vector<double> values;
  for (const TuneAxis& axis : axes) values.push_back(axis.own);
  return values;
}

Point TunePlan::Start() const {
  Point start;
  for (const TuneAxis& axis : axes) start.push_back(axis.ToUnit(axis.own));
  return start;
}

std::vector<double> TunePlan::FromUnit(const Point& point) const {
  std::vector<double> values;
  for (std::size_t i = 0; i < axes.size(); ++i) values.push_back(axes[i].FromUnit(point[i]));
  return values;
}

nlohmann::ordered_json TunePlan::Json() const {
  nlohmann::ordered_json json;
  json["version"] = ProgramVersion();
  json["config_hash"] = HashText(config_text);
  for (const TuneAxis& axis : axes)
    json["over"].push_back({{"key", axis.key}, {"low", axis.low}, {"high", axis.high}, {"log", axis.log}});
  json["objective"] = request.objective;
  json["seeds"] = seeds.text();
  json["method"] = request.method;
  json["search_seed"] = request.search_seed;
  json["config"] = request.config;
  json["set"] = request.sets;
  json["budget"] = request.budget;
  json["validate"] = has_validation ? nlohmann::ordered_json(validation.text()) : nullptr;
  return json;
}

void TunePlan::CheckContinues(const nlohmann::ordered_json& before, const std::string& dir) const {
  const nlohmann::ordered_json now = Json();
  for (const char* key : {"version", "config_hash", "over", "objective", "seeds", "method", "search_seed"}) {
    if (!before.contains(key) || before[key] != now[key])
      throw std::invalid_argument("--resume: " + dir + "/plan.json has another " + key + ", " +
                                  (before.contains(key) ? before[key].dump() : "none") + " instead of " +
                                  now[key].dump() + "; ask as before, or choose another --out");
  }
}

std::string NumberText(double x) {
  char text[32];
  const auto [end, error] = std::to_chars(text, text + sizeof(text), x);
  return std::string(text, end);
}

}  // namespace tread
