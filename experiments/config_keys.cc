#include "experiments/config_keys.h"

namespace tread {
namespace {

class KeyCollector : public ConfigVisitor {
 public:
  bool reading() const override { return false; }
  void Check(const std::string&, bool, const std::string&) override {}
  std::vector<ConfigKey> keys;

 protected:
  void VisitDouble(const std::string& key, double* value, const Range&, const char*) override {
    Add(key, ConfigKey::Kind::kNumber, *value);
  }
  void VisitInteger(const std::string& key, std::int64_t* value, std::int64_t, std::int64_t, const Range&,
                    const char*) override {
    Add(key, ConfigKey::Kind::kInteger, static_cast<double>(*value));
  }
  void VisitBool(const std::string& key, bool*, const char*) override {
    Add(key, ConfigKey::Kind::kOther, 0);
  }
  void VisitString(const std::string& key, std::string*, const std::vector<std::string>&,
                   const char*) override {
    Add(key, ConfigKey::Kind::kOther, 0);
  }
  void VisitStrings(const std::string& key, std::vector<std::string>*, const std::vector<std::string>&,
                    const char*) override {
    Add(key, ConfigKey::Kind::kOther, 0);
  }
  void VisitNumbers(const std::string& key, std::vector<double>* values, int, const Range&,
                    const char*) override {
    Add(key, ConfigKey::Kind::kOther, 0);
    for (std::size_t i = 0; i < values->size(); ++i)
      Add(key + "." + std::to_string(i), ConfigKey::Kind::kNumber, (*values)[i]);
  }
  void Enter(const std::string& key, const char*) override { path_.push_back(path_.back() + key + "."); }
  ListShape EnterList(const std::string& key, std::size_t size, const char*) override {
    Enter(key, "");
    return {size, false};
  }
  void EnterItem(std::size_t index) override { Enter(std::to_string(index), ""); }
  MapShape EnterMap(const std::string& key, const std::vector<std::string>& names, const char*) override {
    Enter(key, "");
    return {names, false};
  }
  void Leave() override { path_.pop_back(); }

 private:
  void Add(const std::string& key, ConfigKey::Kind kind, double value) {
    keys.push_back({path_.back() + key, kind, value});
  }
  std::vector<std::string> path_{""};
};

}  // namespace

std::vector<ConfigKey> ConfigKeys(const ExperimentConfig& config) {
  ExperimentConfig copy = config;
  KeyCollector collector;
  Describe(collector, &copy);
  return collector.keys;
}

}  // namespace tread
