// Everything one closed loop is made of, as a config file says it.
//
// Defaults stand in the structs of sim/ and control/; Describe names each key once, for reading, checking and writing (config_visitor.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "control/controller.h"
#include "experiments/config_visitor.h"
#include "experiments/observer.h"
#include "sim/scene.h"
#include "sim/stepping/time_stepping.h"

namespace tread {

struct RunConfig {
  double duration = 5;  // [s]
  std::int64_t seed = 1;
};

// When a robot that is meant to stay up has fallen.
struct FallConfig {
  double height = 0.10;  // [m] base above the ground under it
  double tilt = 0.7;     // [rad] between the base's z axis and the vertical
};

struct LogConfig {
  std::string ticks = "all";  // all | every N | none
  int every() const;          // N; 1 for all, 0 for none; -1 for anything else
};

struct ExperimentConfig {
  std::string robot = "none";  // the one that is controlled; 'none': free bodies only
  InitialConfig initial;       // of that robot
  SceneConfig scene;           // robots: the further ones
  SimConfig sim;
  ControllerConfig controller;
  ObserverConfig observation;
  RunConfig run;
  FallConfig fall;
  LogConfig log;
  std::string require = "any";  // any | completed

  bool reproducible() const;       // false where ticks keep to the wall clock (timing.mode: thread)
  SceneConfig AllOfScene() const;  // the scene with the controlled robot first
};

void Describe(ConfigVisitor& v, ContactSolverConfig* c);
void Describe(ConfigVisitor& v, ExperimentConfig* c);

// Reads, checks, and builds the scene, the simulator and the controller once, so that whatever they refuse is reported with its file and line.
// Throws ConfigError.
ExperimentConfig LoadExperiment(const std::string& path, const std::vector<std::string>& overrides);

std::string WriteExperiment(const ExperimentConfig& config);  // YAML, every key

}  // namespace tread
