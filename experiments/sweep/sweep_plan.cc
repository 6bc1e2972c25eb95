#include "experiments/sweep/sweep_plan.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "experiments/config_tree.h"
#include "experiments/summary.h"

namespace tread {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostRuns = 10'000'000;

std::string Join(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ",") + word;
  return text;
}

SweepAxis ParseAxis(const std::string& text, const std::vector<SweepAxis>& before,
                    const std::vector<std::string>& sets) {
  const std::string at = "--axis " + text + ": ";
  SweepAxis axis = ParseKeyValues("--axis", text);
  if (axis.key == "run.seed") throw std::invalid_argument(at + "seeds have an option of their own, --seeds");
  for (const SweepAxis& other : before) {
    if (other.key == axis.key)
      throw std::invalid_argument(at + "a second axis of this key; put all its values into one");
  }
  for (const std::string& set : sets) {
    if (set.rfind(axis.key + "=", 0) == 0)
      throw std::invalid_argument(at + "the key is also given by --set " + set + "; leave one away");
  }
  return axis;
}

void Flatten(const ConfigNode& node, const std::string& key,
             std::vector<std::pair<std::string, std::string>>* keys) {
  if (node.children.empty()) keys->emplace_back(key, node.Summary());
  if (node.kind == ConfigNode::Kind::kScalar) keys->back().second = node.text;  // however long
  for (const auto& [name, child] : node.children) Flatten(child, key.empty() ? name : key + "." + name, keys);
}

std::vector<std::string> TextsAt(const SweepPlan& plan, std::size_t point) {
  std::vector<std::string> texts = plan.ValuesAt(point);
  for (std::size_t i = 0; i < texts.size(); ++i) texts[i] = plan.axes[i].key + "=" + texts[i];
  return texts;
}

}  // namespace

std::size_t SweepPlan::points() const {
  std::size_t points = 1;
  for (const SweepAxis& axis : axes) points *= axis.values.size();
  return points;
}

std::vector<std::string> SweepPlan::ValuesAt(std::size_t point) const {
  std::vector<std::string> values(axes.size());
  for (std::size_t i = axes.size(); i-- > 0; point /= axes[i].values.size())
    values[i] = axes[i].values[point % axes[i].values.size()];
  return values;
}

std::string SweepPlan::Describe(std::size_t run) const {
  std::string text;
  for (const std::string& value : TextsAt(*this, PointOf(run))) text += value + ", ";
  return text + "seed " + std::to_string(SeedOf(run));
}

SweepPlan MakeSweepPlan(const SweepRequest& request) {
  SweepPlan plan{ProgramVersion(), request.config, {}, {}, {}};
  double runs = 1;
  for (const std::string& text : request.axes) {
    plan.axes.push_back(ParseAxis(text, plan.axes, request.sets));
    runs *= static_cast<double>(plan.axes.back().values.size());
  }
  if (request.seeds) plan.seeds = ParseSeeds("--seeds", *request.seeds).seeds();
  if (runs * static_cast<double>(std::max<std::size_t>(1, plan.seeds.size())) >
      static_cast<double>(kMostRuns))
    throw std::invalid_argument("--axis: more than ten million runs; fewer values or seeds");
  Flatten(LoadConfigTree(request.config, request.sets), "", &plan.keys);
  // the order in which a file says things does not matter
  std::sort(plan.keys.begin(), plan.keys.end());
  if (!request.seeds) plan.seeds = {LoadSweepPoint(request, plan, 0).run.seed};
  return plan;
}

ExperimentConfig LoadSweepPoint(const SweepRequest& request, const SweepPlan& plan, std::size_t point) {
  std::vector<std::string> overrides{"log.ticks=none"};
  overrides.insert(overrides.end(), request.sets.begin(), request.sets.end());
  const std::vector<std::string> texts = TextsAt(plan, point);
  overrides.insert(overrides.end(), texts.begin(), texts.end());
  try {
    ExperimentConfig config = LoadExperiment(request.config, overrides);
    if (!config.reproducible())
      throw std::invalid_argument(
          "controller.timing.mode = thread: not reproducible, so no row would mean anything; sync or delay");
    return config;
  } catch (const ConfigError& error) {
    const std::string complaint = error.what();
    for (const std::string& text : texts) {
      const std::string set = "--set " + text + ":";
      if (complaint.rfind(set, 0) == 0)
        throw ConfigError("--axis " + text + ":" + complaint.substr(set.size()));
    }
    throw;
  }
}

std::string WriteSweepPlan(const SweepPlan& plan) {
  Json keys = Json::object(), axes = Json::array();
  for (const auto& [key, value] : plan.keys) keys[key] = value;
  for (const SweepAxis& axis : plan.axes) axes.push_back({{"key", axis.key}, {"values", axis.values}});
  Json json{{"version", plan.version}, {"config", plan.config}, {"keys", keys}, {"axes", axes},
            {"seeds", plan.seeds},     {"runs", plan.runs()}};
  json["hash"] = HashText(json["keys"].dump() + json["axes"].dump() + json["seeds"].dump());
  return json.dump(1) + "\n";
}

SweepPlan ReadSweepPlan(const std::string& plan_file) {
  std::ifstream in(plan_file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  try {
    const Json json = Json::parse(text);
    SweepPlan plan{json.at("version"), json.at("config"), {}, {}, json.at("seeds")};
    for (const auto& [key, value] : json.at("keys").items()) plan.keys.emplace_back(key, value);
    for (const Json& axis : json.at("axes")) plan.axes.push_back({axis.at("key"), axis.at("values")});
    if (plan.seeds.empty() || json.at("runs") != plan.runs()) throw std::invalid_argument("runs");
    return plan;
  } catch (const std::exception&) {
    throw std::invalid_argument(plan_file + ": not the plan of a sweep; name the folder of one");
  }
}

std::string DifferenceOfPlans(const SweepPlan& there, const SweepPlan& here) {
  for (std::size_t i = 0; i < std::max(there.axes.size(), here.axes.size()); ++i) {
    if (i >= there.axes.size()) return "--axis " + here.axes[i].key + " is not among its axes";
    const SweepAxis& axis = there.axes[i];
    if (i >= here.axes.size() || here.axes[i].key != axis.key)
      return "its axis " + std::to_string(i + 1) + " is --axis " + axis.key + "=" + Join(axis.values);
    if (here.axes[i].values != axis.values)
      return "--axis " + axis.key + " has " + Join(axis.values) + " there";
  }
  if (there.seeds != here.seeds)
    return "--seeds are " + std::to_string(there.seeds.front()) + "-" + std::to_string(there.seeds.back()) +
           " there";
  for (const auto& [key, value] : there.keys) {
    const auto same =
        std::find_if(here.keys.begin(), here.keys.end(), [&](const auto& k) { return k.first == key; });
    if (same == here.keys.end()) return key + " is " + value + " there, and not given here";
    if (same->second != value) return key + " is " + value + " there, " + same->second + " here";
  }
  for (const auto& [key, value] : here.keys) {
    if (std::none_of(there.keys.begin(), there.keys.end(), [&](const auto& k) { return k.first == key; }))
      return key + " is " + value + " here, and not given there";
  }
  if (there.version != here.version) return "made by tread " + there.version + ", this is " + here.version;
  return "";
}

}  // namespace tread
