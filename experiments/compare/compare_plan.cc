#include "experiments/compare/compare_plan.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>

#include "experiments/closed_loop.h"
#include "experiments/config_tree.h"
#include "experiments/option_lists.h"
#include "robots/nearest.h"
#include "sim/backends.h"

namespace tread {
namespace {

constexpr const char* kReference = "ncp_newton@1e-9";

template <typename T>
bool ParseWhole(const std::string& text, T* value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *value);
  return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

std::string Quoted(const std::string& text) {
  return text.empty() ? "''" : text;
}

CompareColumn ParseColumn(const std::string& option, const std::string& text) {
  CompareColumn column{.name = text, .backend = text.substr(0, text.find('@')), .eps_abs = {}};
  const std::string complaint = option + " " + Quoted(text) + ": ";
  const BackendEntry* entry = FindBackend(column.backend);
  if (entry == nullptr)
    throw std::invalid_argument(complaint + "no such backend" + DidYouMean(column.backend, BackendNames()));
  if (!entry->available) throw std::invalid_argument(complaint + entry->reason);
  column.law = entry->law;
  if (column.backend.size() == text.size()) return column;
  double eps = 0;
  if (!ParseWhole(text.substr(column.backend.size() + 1), &eps) || !std::isfinite(eps) || eps <= 0)
    throw std::invalid_argument(complaint + "expected BACKEND@EPS with an accuracy > 0, such as " +
                                kReference);
  column.eps_abs = eps;
  return column;
}

std::vector<CompareColumn> ParseColumns(const CompareRequest& request) {
  if (request.backends.empty()) throw std::invalid_argument("--backends: no backend; name at least one");
  std::vector<CompareColumn> columns;
  for (const std::string& text : request.backends) {
    columns.push_back(ParseColumn("--backends", text));
    for (std::size_t i = 0; i + 1 < columns.size(); ++i) {
      if (columns[i].name == text)
        throw std::invalid_argument("--backends " + text + ": named twice; name it once");
    }
  }
  return columns;
}

void AddReference(const CompareRequest& request, ComparePlan* plan) {
  const bool given = !request.reference.empty();
  const CompareColumn wanted = ParseColumn("--reference", given ? request.reference : kReference);
  const auto found = std::find_if(plan->columns.begin(), plan->columns.end(),
                                  [&](const CompareColumn& c) { return c.name == wanted.name; });
  plan->reference = static_cast<std::size_t>(found - plan->columns.begin());
  if (found == plan->columns.end()) {
    plan->columns.insert(plan->columns.begin(), wanted);
    plan->reference = 0;
  }
}

// Every other column of the reference's law is a control; one of them must have another algorithm.
void AddControl(const ExperimentConfig& config, ComparePlan* plan) {
  const CompareColumn reference = plan->columns[plan->reference];
  const auto controls = [&](const std::string& backend, ContactLaw law) {
    return law == reference.law && backend != reference.backend;
  };
  bool there = false;
  for (CompareColumn& column : plan->columns) {
    if (column.law == reference.law) column.role = Role::kControl;
    there = there || controls(column.backend, column.law);
  }
  plan->columns[plan->reference].role = Role::kReference;
  if (there) return;
  CompareColumn added;
  for (const BackendEntry& entry : BackendTable()) {  // Gauss-Seidel if there is one, else the first
    if (!entry.available || entry.family != FindBackend(reference.backend)->family ||
        !controls(entry.name, entry.law))
      continue;
    if (added.backend.empty() || entry.name.find("_pgs") != std::string::npos) added.backend = entry.name;
    if (added.backend.find("_pgs") != std::string::npos) break;
  }
  const std::string law = std::string("law ") + Name(reference.law);
  if (!added.backend.empty()) {
    added.name = added.backend;
    plan->notes.push_back("added " + added.name + " as control: no second algorithm of the reference's " +
                          law + " was named");
  } else {
    added.backend = reference.backend;
    added.eps_abs = 0.01 * reference.eps_abs.value_or(config.sim.contact.eps_abs);
    char eps[32];
    const auto end = std::to_chars(eps, eps + sizeof(eps), *added.eps_abs, std::chars_format::scientific).ptr;
    added.name = added.backend + "@" + std::string(eps, end);
    plan->notes.push_back("added " + added.name + " as control: there is no second algorithm of " + law +
                          ", so it is the reference's own at another accuracy");
  }
  added.law = reference.law;
  added.role = Role::kControl;
  const auto after = static_cast<std::ptrdiff_t>(plan->reference) + 1;
  const auto same = std::find_if(plan->columns.begin(), plan->columns.end(),
                                 [&](const CompareColumn& c) { return c.name == added.name; });
  if (same == plan->columns.end()) {
    plan->columns.insert(plan->columns.begin() + after, added);
  } else {
    same->role = Role::kControl;
  }
}

// One closed loop per column and candidate, so that what a backend refuses is said before anything is written.
void Try(const ComparePlan& plan) {
  for (std::size_t c = 0; c < plan.columns.size(); ++c) {
    for (std::size_t k = 0; k < plan.candidates.size(); ++k) {
      const ExperimentConfig config = plan.Config(k * plan.seeds.size(), c);
      try {
        const ClosedLoop trial(config);
      } catch (const std::invalid_argument& error) {
        throw std::invalid_argument("--backends " + plan.columns[c].name + ": " + error.what());
      }
      if (config.AllOfScene().robots.empty() && config.scene.bodies.empty())
        throw std::invalid_argument(plan.config +
                                    ": nothing moves in it; a comparison needs a robot or a body");
    }
  }
}

// Complaints about a value of a --vary name that option.
ExperimentConfig LoadCandidate(const CompareRequest& request, const std::vector<std::string>& varied) {
  std::vector<std::string> sets = request.sets;
  sets.insert(sets.end(), varied.begin(), varied.end());
  try {
    return LoadExperiment(request.config, sets);
  } catch (const ConfigError& error) {
    const std::string text = error.what();
    for (const std::string& set : varied) {
      if (text.rfind("--set " + set + ":", 0) == 0) throw ConfigError("--vary" + text.substr(5));
    }
    throw;
  }
}

}  // namespace

const char* Name(Role role) {
  return role == Role::kReference ? "reference" : role == Role::kControl ? "control" : "model";
}

std::vector<std::vector<std::string>> Product(const std::vector<std::string>& vary) {
  std::vector<std::vector<std::string>> product{{}};
  for (const std::string& text : vary) {
    std::vector<std::vector<std::string>> longer;
    const KeyValues list = ParseKeyValues("--vary", text);
    for (const auto& sets : product) {
      for (const std::string& value : list.values) {
        longer.push_back(sets);
        longer.back().push_back(list.key + "=" + value);
      }
    }
    product = std::move(longer);
  }
  return product;
}

ExperimentConfig ComparePlan::Config(std::size_t unit, std::size_t column) const {
  ExperimentConfig one = candidates[CandidateOf(unit)].config;
  one.run.seed = Seed(unit);
  one.sim.backend = columns[column].backend;
  if (columns[column].eps_abs) {
    one.sim.contact.eps_abs = *columns[column].eps_abs;
    one.sim.contact.budget = 0;
    one.sim.contact.max_iterations = std::max(10000, one.sim.contact.max_iterations);
  }
  return one;
}

ComparePlan MakePlan(const CompareRequest& request) {
  ComparePlan plan;
  plan.config = request.config;
  plan.replay = request.replay;
  plan.seeds = ParseSeeds("--seeds", request.seeds).seeds();
  plan.columns = ParseColumns(request);
  AddReference(request, &plan);
  for (const std::vector<std::string>& varied : Product(request.vary)) {
    plan.candidates.push_back({varied, LoadCandidate(request, varied)});
  }
  if (std::any_of(plan.candidates.begin(), plan.candidates.end(),
                  [](const Candidate& c) { return !c.config.reproducible(); }))
    plan.notes.push_back(
        "controller.timing.mode is thread: runs keep to the wall clock and are not reproducible");
  if (plan.candidates.size() > 1)
    plan.notes.push_back("the tables pool " + std::to_string(plan.candidates.size()) + " candidates on " +
                         std::to_string(plan.seeds.size()) +
                         " seeds as if they were independent: their p and intervals are too narrow");
  AddControl(plan.candidates[0].config, &plan);
  Try(plan);
  return plan;
}

}  // namespace tread
