// What a search minimises: an arithmetic expression over the entries of summary.json.
//
//   sum   := product (('+' | '-') product)*      product := sign (('*' | '/') sign)*      sign := '-' sign | value
//   value := NUMBER | ENTRY | '(' sum ')' | FUNCTION '(' sum (',' sum)* ')'
//
// ENTRY is a dotted name (cost_of_transport, tracking.vx.gait_rms_error) and stands for the mean over the runs of all seeds; `fell` is 1 for a
// run that did not complete, so its mean is the share of them. Functions: abs, sqrt, log (natural), min, max; and mean, median, p95, of which the
// argument is computed for every run by itself.
// An entry that a run does not have (null: cost_of_transport of a robot that went nowhere) is left out of its mean; where no run has it,
// and where the expression is not a finite number, the value is infinite: worse than all others. Entries of a run that fell cover the time until it fell,
// which may be short and good: an expression without `fell` may prefer falling.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

namespace tread {

// Sum of the three gait-averaged rms velocity errors, and 1 for the share of falls.
extern const char* const kDefaultObjective;

// What an expression sees of one run.
struct RunScalars {
  bool fell = false;
  std::vector<double> values;  // in the order of Objective::entries(); nan: null
};

// Numbers of a summary by dotted name, in its order; nan for null.
std::vector<std::pair<std::string, double>> ScalarEntries(const nlohmann::ordered_json& summary);

// Wall-clock time, which is another one in the next run.
bool IsTiming(const std::string& entry);

class Objective {
 public:
  // known: the entries there are. Throws std::invalid_argument that names the character (from 1) at which the expression is wrong.
  Objective(const std::string& text, const std::vector<std::string>& known, bool allow_timing);
  ~Objective();
  Objective(Objective&&) noexcept;

  const std::string& text() const { return text_; }
  const std::vector<std::string>& entries() const {
    return entries_;
  }  // that it uses, in order of first use; without fell

  double Value(const std::vector<RunScalars>& runs) const;

  struct Node;

 private:
  std::string text_;
  std::vector<std::string> entries_;
  std::unique_ptr<Node> root_;
};

// Mean over the runs that have it, entry by entry; nan where none has.
std::vector<double> MeanEntries(const std::vector<RunScalars>& runs);
int CountFalls(const std::vector<RunScalars>& runs);

}  // namespace tread
