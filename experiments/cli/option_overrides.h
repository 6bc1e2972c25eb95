// Options that stand for a key (--seed N for run.seed=N): read and checked as --set is, but refused by the name they were given under.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "experiments/config_tree.h"

namespace tread {

class OptionOverrides {
 public:
  explicit OptionOverrides(std::vector<std::string> sets) : texts_(std::move(sets)) {}

  // An option wins over a --set of the same key.
  void Add(const std::string& option, const std::string& key, const std::string& value) {
    texts_.push_back(key + "=" + value);
    names_.emplace_back("--set " + texts_.back() + ":", option + " " + (value.empty() ? "''" : value) + ":");
  }

  // load(overrides), with complaints about "--set run.seed=-3:" turned into those about "--seed -3:".
  template <typename Load>
  auto Apply(Load load) const {
    try {
      return load(texts_);
    } catch (const ConfigError& error) {
      const std::string text = error.what();
      for (const auto& [set, option] : names_) {
        if (text.rfind(set, 0) == 0) throw ConfigError(option + text.substr(set.size()));
      }
      throw;
    }
  }

 private:
  std::vector<std::string> texts_;
  std::vector<std::pair<std::string, std::string>> names_;
};

}  // namespace tread
