// What a comparison runs: columns (a backend, perhaps at an accuracy of its own) x units (a candidate and a seed). Every column runs the same
// units, so that whatever is compared is compared in pairs.
//
// One column is the reference. The others of its law are controls, at least one of them of another algorithm, which is added where none was
// named: what reference and control differ by is not a difference of contact models.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiments/experiment_config.h"
#include "sim/contact/criteria.h"

namespace tread {

enum class Role { kReference, kControl, kModel };
const char* Name(Role role);

struct CompareColumn {
  std::string name;  // "ncp_newton@1e-9", as one writes it in --backends
  std::string backend;
  std::optional<double>
      eps_abs;  // solved to this accuracy, whatever the config says of budget and iterations
  ContactLaw law = ContactLaw::kNcp;
  Role role = Role::kModel;
};

// One point of the product of the --vary lists.
struct Candidate {
  std::vector<std::string> sets;  // "KEY=VALUE"; empty without --vary
  ExperimentConfig config;
};

struct CompareRequest {
  std::string config;
  std::vector<std::string> sets, backends, vary;  // vary: "KEY=V1,V2,..."
  std::string reference;                          // empty: ncp_newton@1e-9
  std::string seeds = "1";                        // "N" for 1..N, or "A-B"
  bool replay = true;
};

struct ComparePlan {
  std::string config;
  std::vector<CompareColumn> columns;
  std::size_t reference = 0;
  std::vector<std::int64_t> seeds;
  std::vector<Candidate> candidates;
  bool replay = true;
  std::vector<std::string> notes;  // what was added or left out, and why

  std::size_t units() const { return candidates.size() * seeds.size(); }
  std::int64_t Seed(std::size_t unit) const { return seeds[unit % seeds.size()]; }
  std::size_t CandidateOf(std::size_t unit) const { return unit / seeds.size(); }
  ExperimentConfig Config(std::size_t unit, std::size_t column) const;
};

// Reads and checks all of it, every candidate under every backend. Throws std::invalid_argument of one line that names option or file.
ComparePlan MakePlan(const CompareRequest& request);

// All combinations of lists "KEY=V1,V2,...", the last varying fastest; one empty combination for no list. Throws std::invalid_argument "--vary TEXT: ...".
std::vector<std::vector<std::string>> Product(const std::vector<std::string>& vary);

}  // namespace tread
