// Every backend by name: one table for the command line, the validation of configs, the contract tests and the benchmarks.
//
// The contact solvers of sim/contact/solver_table.h stand here wrapped in time stepping; other families add lines of their own in backends.cc.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/scene.h"
#include "sim/simulator.h"
#include "sim/stepping/time_stepping.h"

namespace tread {

struct BackendEntry {
  std::string name, summary, family;
  ContactLaw law = ContactLaw::kNcp;
  bool available = true;
  std::string reason;  // why not, and how to get it
};

const std::vector<BackendEntry>& BackendTable();
std::vector<std::string> BackendNames();
const BackendEntry* FindBackend(const std::string& name);  // nullptr when there is none of that name

// Throws std::invalid_argument "sim.backend = NAME: ..." for an unknown or unavailable one.
std::unique_ptr<Simulator> MakeSimulator(std::unique_ptr<Scene> scene, const SimConfig& config);

}  // namespace tread
