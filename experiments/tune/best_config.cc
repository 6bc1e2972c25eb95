// best.yaml: the keys of a search as a config that extends the one that was tuned.
#include <filesystem>
#include <utility>

#include "experiments/config_tree.h"
#include "experiments/run_folder.h"
#include "experiments/tune/tune.h"

namespace tread {
namespace {

namespace fs = std::filesystem;

struct Branch {
  std::string name, value;
  std::vector<Branch> children;
};

void Insert(const std::string& key, const std::string& value, Branch* branch) {
  const std::size_t dot = key.find('.');
  const std::string name = key.substr(0, dot);
  Branch* child = nullptr;
  for (Branch& c : branch->children) {
    if (c.name == name) child = &c;
  }
  if (child == nullptr) child = &branch->children.emplace_back(Branch{name, "", {}});
  if (dot == std::string::npos) {
    child->value = value.empty() ? "''" : value;  // as --set reads it
  } else {
    Insert(key.substr(dot + 1), value, child);
  }
}

void Write(const Branch& branch, const std::string& indent, std::string* text) {
  for (const Branch& child : branch.children) {
    *text += indent + child.name + ":" + (child.value.empty() ? "" : " " + child.value) + "\n";
    Write(child, indent + "  ", text);
  }
}

std::string Quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "''" : std::string(1, c);
  return quoted + "'";
}

bool ResolvesTo(const std::string& path, const std::string& expected) {
  try {
    return WriteExperiment(LoadExperiment(path, {})) == expected;
  } catch (const ConfigError&) {
    return false;
  }
}

}  // namespace

void WriteBestConfig(const std::string& folder, const TunePlan& plan, const TuneResult& result) {
  const std::vector<std::string> overrides = plan.Overrides(result.found().values);
  const std::string whole = WriteExperiment(LoadExperiment(plan.request.config, overrides));
  const std::string comment = "# evaluation " + std::to_string(result.found().index) +
                              " of tread tune: objective " + NumberText(result.found().objective) + ", " +
                              NumberText(result.own().objective) + " before, on seeds " + plan.seeds.text() +
                              "\n";
  Branch root;
  for (const std::string& assignment : overrides) {
    const std::size_t equals = assignment.find('=');
    Insert(assignment.substr(0, equals), assignment.substr(equals + 1), &root);
  }
  std::string text =
      comment + "extends: " + Quoted(fs::relative(plan.request.config, folder).string()) + "\n";
  Write(root, "", &text);
  const std::string path = folder + "/best.yaml";
  WriteFile(path, text);
  if (!ResolvesTo(path, whole)) WriteFile(path, comment + whole);
}

}  // namespace tread
