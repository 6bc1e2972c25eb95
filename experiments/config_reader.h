// Fills described structs from a YAML file, the files it extends, and --set overrides.
//
// Every complaint is a ConfigError of one line: `configs/a.yaml:12: sim.contact.eps_abs = -1: must be > 0`.
// Policy on values: numbers are decimal (1e-6, 1.0e-6, .5), unquoted and finite; integers have digits only (1.5, 1e3
// and 010 are refused); booleans are `true` and `false` only (yes, no, on, off, 1, 0 and True are refused); a string
// may go unquoted unless it is empty or null. Defaults are trusted: ranges hold for given values.
// A --set may change elements and entries of default lists and maps, but adds none.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "experiments/config_tree.h"
#include "experiments/config_visitor.h"

namespace tread {

class ConfigReader : public ConfigVisitor {
 public:
  // overrides: "KEY=VALUE", applied in turn.
  explicit ConfigReader(const std::string& path, const std::vector<std::string>& overrides = {});
  explicit ConfigReader(const std::vector<std::string>& overrides);  // defaults and overrides, no file
  ConfigReader(const ConfigReader&) = delete;
  ConfigReader& operator=(const ConfigReader&) = delete;

  bool reading() const override { return true; }
  void Check(const std::string& key, bool holds, const std::string& remedy) override;

  // Throws if a key was given that no Describe has named.
  void Finish() const;

  // Where the value at a dotted key came from: "configs/a.yaml:12", "--set a.b=1", or "default".
  std::string Source(const std::string& dotted_key) const;
  // For complaints: the same, but for a key that was not given the place of the section it is missing from, at last the file.
  std::string Place(const std::string& dotted_key) const;

 protected:
  void VisitDouble(const std::string& key, double* value, const Range& range, const char* comment) override;
  void VisitInteger(const std::string& key, std::int64_t* value, std::int64_t min, std::int64_t max,
                    const Range& range, const char* comment) override;
  void VisitBool(const std::string& key, bool* value, const char* comment) override;
  void VisitString(const std::string& key, std::string* value, const std::vector<std::string>& allowed,
                   const char* comment) override;
  void VisitStrings(const std::string& key, std::vector<std::string>* values,
                    const std::vector<std::string>& allowed, const char* comment) override;
  void VisitNumbers(const std::string& key, std::vector<double>* values, int count, const Range& range,
                    const char* comment) override;
  void Enter(const std::string& key, const char* comment) override;
  ListShape EnterList(const std::string& key, std::size_t size, const char* comment) override;
  void EnterItem(std::size_t index) override { Enter(std::to_string(index), ""); }
  MapShape EnterMap(const std::string& key, const std::vector<std::string>& names,
                    const char* comment) override;
  void Leave() override { frames_.pop_back(); }

 private:
  struct Frame {
    const ConfigNode* node;  // null when nothing was given here
    std::string path;
  };

  std::string PathOf(const std::string& key) const;
  // The value given for the key in the current section, or null; notes that the key is valid.
  const ConfigNode* Take(const std::string& key);
  // Reads a list element by element into *values.
  template <typename T, typename Parse>
  void ReadList(const std::string& key, std::vector<T>* values, const std::string& expected,
                const char* comment, Parse parse);
  void FindUnread(const ConfigNode& node, const std::string& path) const;

  std::string file_;
  ConfigNode root_;
  std::vector<Frame> frames_;
  std::map<std::string, std::vector<std::string>> valid_;  // keys named so far, by section path
  std::vector<std::string> full_keys_;
};

// Reads, checks and returns a struct with a Describe.
template <typename Config>
Config LoadConfig(const std::string& path, const std::vector<std::string>& overrides = {}) {
  ConfigReader reader(path, overrides);
  Config config;
  Describe(reader, &config);
  reader.Finish();
  return config;
}

}  // namespace tread
