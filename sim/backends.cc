#include "sim/backends.h"

#include <stdexcept>

#include "robots/nearest.h"
#include "sim/contact/solver_table.h"

namespace tread {

const std::vector<BackendEntry>& BackendTable() {
  static const std::vector<BackendEntry> table = [] {
    std::vector<BackendEntry> rows;
    for (const SolverEntry& e : SolverTable())
      rows.push_back({e.name, e.summary, "contact", e.law, true, ""});
    return rows;
  }();
  return table;
}

std::vector<std::string> BackendNames() {
  std::vector<std::string> names;
  for (const BackendEntry& entry : BackendTable()) names.push_back(entry.name);
  return names;
}

const BackendEntry* FindBackend(const std::string& name) {
  for (const BackendEntry& entry : BackendTable()) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

std::unique_ptr<Simulator> MakeSimulator(std::unique_ptr<Scene> scene, const SimConfig& config) {
  const BackendEntry* entry = FindBackend(config.backend);
  if (entry == nullptr) {
    const std::string near = Nearest(config.backend, BackendNames());
    throw std::invalid_argument("sim.backend = " + config.backend +
                                ": unknown; 'tread list backends' shows them all" +
                                (near.empty() ? "" : " (did you mean '" + near + "'?)"));
  }
  if (!entry->available)
    throw std::invalid_argument("sim.backend = " + config.backend + ": " + entry->reason);
  const SolverEntry* solver = FindSolver(config.backend);
  return MakeTimeStepping(std::move(scene), config, solver->make(config.contact), solver->law);
}

}  // namespace tread
