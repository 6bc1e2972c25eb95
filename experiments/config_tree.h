// Configuration text as a tree in which every value knows the file and line, or the --set, it came from.
//
// Files are YAML with one document, a map at the top, text keys and no repeated keys. `extends: other.yaml` at the top
// (relative to the including file) is merged underneath: maps key by key, all else replaced. YAML merge keys (`<<`)
// are not supported. A --set key is dotted, with list elements by index from 0; it cannot reach names that contain
// a dot.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tread {

// Something in a configuration is wrong; what() is one line: where, which key, which value, what to do.
class ConfigError : public std::invalid_argument {
 public:
  explicit ConfigError(const std::string& message);
};

struct ConfigNode {
  enum class Kind { kNull, kScalar, kList, kMap };

  Kind kind = Kind::kNull;
  std::string text;                                          // of a scalar
  bool quoted = false;                                       // the scalar stood in quotes, so it is a string
  std::vector<std::pair<std::string, ConfigNode>> children;  // a list's keys are "0", "1", ...

  std::string source;   // "configs/a.yaml:12" or "--set a.b=1"
  std::string set_key;  // the dotted key, when a --set made this node
  bool patch = false;   // made by --set on the way to a deeper key: changes a default in place
  bool added = false;   // made by --set where the files have nothing
  mutable bool read = false;

  const ConfigNode* Find(const std::string& key) const;
  ConfigNode* Find(const std::string& key);
  // For messages: the scalar, or a short stand-in for anything longer.
  std::string Summary() const;
};

// Reads the file and all it extends, then applies the "KEY=VALUE" overrides in turn. Throws ConfigError.
ConfigNode LoadConfigTree(const std::string& path, const std::vector<std::string>& overrides);
// The same over a file that says nothing.
ConfigNode MakeConfigTree(const std::vector<std::string>& overrides);

}  // namespace tread
