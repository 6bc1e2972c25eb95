// The numbers of a configuration by dotted key, as --set reaches them.
#pragma once

#include <string>
#include <vector>

#include "experiments/experiment_config.h"

namespace tread {

struct ConfigKey {
  enum class Kind { kNumber, kInteger, kOther };  // other: text, true or false

  std::string key;  // "sim.dt"; elements of lists by index: "controller.mpc.state_weights.2"
  Kind kind = Kind::kOther;
  double value = 0;  // of numbers
};

std::vector<ConfigKey> ConfigKeys(const ExperimentConfig& config);

}  // namespace tread
