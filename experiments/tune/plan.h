// What a search was asked for: the keys it may change, the expression it makes small, on which seeds. All of it is checked before anything is written.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "experiments/experiment_config.h"
#include "experiments/option_lists.h"
#include "experiments/tune/minimise.h"
#include "experiments/tune/objective.h"

namespace tread {

// A key between two bounds, as one edge of the unit cube.
struct TuneAxis {
  std::string key;
  double low = 0, high = 1;
  bool log = false;      // the edge is even in log(value)
  bool integer = false;  // rounded to whole numbers
  double own = 0;        // what the config has, inside of the bounds or not

  double FromUnit(double u) const;
  double ToUnit(double value) const;  // of the nearest value inside of the bounds
};

// As typed.
struct TuneRequest {
  std::string config;
  std::vector<std::string> over, sets;  // sets: "KEY=VALUE"
  std::string objective = kDefaultObjective, seeds = "8", validate, method = "cmaes";
  std::int64_t search_seed = 1;
  long budget = 100;  // evaluations, the config's own values included
  bool allow_timing = false;
};

struct TunePlan {
  TuneRequest request;
  std::vector<TuneAxis> axes;
  Objective objective;
  SeedRange seeds;
  bool has_validation = false;
  SeedRange validation;
  const SearchMethod* method = nullptr;
  std::string config_text;  // every key, the search's at their own values

  // Throws std::invalid_argument of one line. Runs the config for one control tick, to know the entries of its summary.
  static TunePlan Make(const TuneRequest& request);

  std::vector<std::string> Overrides(
      const std::vector<double>& values) const;  // --set and the axes at these values
  std::vector<double> OwnValues() const;
  Point Start() const;  // the own values in the unit cube
  std::vector<double> FromUnit(const Point& point) const;

  // What --resume must find unchanged, and what it may change.
  nlohmann::ordered_json Json() const;
  // Throws std::invalid_argument where `before` is the plan of another search.
  void CheckContinues(const nlohmann::ordered_json& before, const std::string& dir) const;
};

std::string NumberText(double x);  // shortest that reads back to the same double

}  // namespace tread
