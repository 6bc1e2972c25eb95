#include "experiments/config_tree.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace tread {
namespace {

using Kind = ConfigNode::Kind;

constexpr int kMaxDepth = 50;
constexpr int kMaxNodes = 1'000'000;  // aliases can make a short file enormous

std::string OneLine(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  }
  return text;
}

// Converts YAML nodes; `name` is a file, or a whole --set.
class Converter {
 public:
  Converter(std::string name, bool has_lines) : name_(std::move(name)), has_lines_(has_lines) {}

  std::string At(const YAML::Mark& mark) const {
    return has_lines_ && !mark.is_null() ? name_ + ":" + std::to_string(mark.line + 1) : name_;
  }

  ConfigNode Convert(const YAML::Node& yaml, const std::string& source, int depth = 0) {
    if (depth > kMaxDepth) throw ConfigError(source + ": nested too deeply; use fewer levels");
    if (++count_ > kMaxNodes) throw ConfigError(source + ": too many values; use fewer aliases");
    ConfigNode node;
    node.source = source;
    if (yaml.IsScalar()) {
      node.kind = Kind::kScalar;
      node.text = yaml.Scalar();
      node.quoted = yaml.Tag() == "!";
    } else if (yaml.IsSequence()) {
      node.kind = Kind::kList;
      for (const YAML::Node& item : yaml) {
        node.children.emplace_back(std::to_string(node.children.size()),
                                   Convert(item, At(item.Mark()), depth + 1));
      }
    } else if (yaml.IsMap()) {
      node.kind = Kind::kMap;
      for (const auto& entry : yaml) {
        const std::string at = At(entry.first.Mark());
        if (!entry.first.IsScalar()) throw ConfigError(at + ": a key must be plain text; rename it");
        const std::string key = entry.first.Scalar();
        if (const ConfigNode* earlier = node.Find(key)) {
          throw ConfigError(at + ": " + key + ": duplicate key, first given at " + earlier->source +
                            "; remove one");
        }
        node.children.emplace_back(key, Convert(entry.second, at, depth + 1));
      }
    }
    return node;
  }

 private:
  std::string name_;
  bool has_lines_;
  int count_ = 0;
};

std::string ReadText(const std::string& path, const std::string& wanted_by) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (!fs::exists(path, ignored)) throw ConfigError(wanted_by + path + ": no such file; check the path");
  if (fs::is_directory(path, ignored))
    throw ConfigError(wanted_by + path + ": is a folder; name a file in it");
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (file && file.peek() != std::ifstream::traits_type::eof()) text << file.rdbuf();
  if (!file.is_open() || file.bad()) {
    throw ConfigError(wanted_by + path + ": cannot be read; check its permissions");
  }
  return text.str();
}

void RefuseTabs(const std::string& path, const std::string& text) {
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    const std::size_t start = line.find_first_not_of(" \t\r");
    if (start != std::string::npos && line[start] != '#' && line.find('\t') < start) {
      throw ConfigError(path + ":" + std::to_string(number) + ": tab in the indentation; use spaces");
    }
  }
}

// Lays `over` on `base`.
void Merge(ConfigNode&& over, ConfigNode* base) {
  if (base->kind == Kind::kMap && over.kind == Kind::kNull) return;  // `section:` with nothing under it
  if (base->kind != Kind::kMap || over.kind != Kind::kMap) {
    *base = std::move(over);
    return;
  }
  base->source = over.source;
  for (auto& [key, child] : over.children) {
    if (ConfigNode* below = base->Find(key)) {
      Merge(std::move(child), below);
    } else {
      base->children.emplace_back(key, std::move(child));
    }
  }
}

// `open` holds the canonical paths of the files that led here; wanted_by is "" or "a.yaml:1: extends = b.yaml: ".
ConfigNode LoadFile(const std::string& path, const std::string& wanted_by, std::vector<std::string> open) {
  const std::string text = ReadText(path, wanted_by);
  std::error_code ignored;
  const std::string canonical = std::filesystem::weakly_canonical(path, ignored).string();
  if (std::find(open.begin(), open.end(), canonical) != open.end()) {
    throw ConfigError(wanted_by + path + ": extends itself, directly or through others; break the cycle");
  }
  open.push_back(canonical);

  RefuseTabs(path, text);
  Converter converter(path, true);
  ConfigNode root;
  try {
    const std::vector<YAML::Node> documents = YAML::LoadAll(text);
    if (documents.empty() || (documents.size() == 1 && documents[0].IsNull())) {
      throw ConfigError(path + ": empty file; write at least one key, or {} for all defaults");
    }
    if (documents.size() > 1) {
      throw ConfigError(converter.At(documents[1].Mark()) +
                        ": more than one YAML document; remove the --- lines, or make it two files");
    }
    root = converter.Convert(documents[0], converter.At(documents[0].Mark()));
  } catch (const YAML::Exception& e) {
    throw ConfigError(converter.At(e.mark) + ": YAML syntax error: " + e.msg +
                      "; check colons, brackets, quotes and indentation on and above this line");
  }
  if (root.kind != Kind::kMap) {
    throw ConfigError(root.source + ": expected keys at the top of the file, such as 'key: value'; found " +
                      root.Summary());
  }
  root.source = path;

  const auto extends = std::find_if(root.children.begin(), root.children.end(),
                                    [](const auto& child) { return child.first == "extends"; });
  if (extends == root.children.end()) return root;
  const ConfigNode parent = extends->second;
  root.children.erase(extends);
  const std::string at = parent.source + ": extends = " + parent.Summary() + ": ";
  if (parent.kind != Kind::kScalar || parent.text.empty()) {
    throw ConfigError(at + "expected the path of one file, relative to this one");
  }
  const auto base_path = (std::filesystem::path(path).parent_path() / parent.text).lexically_normal();
  ConfigNode base = LoadFile(base_path.string(), at, std::move(open));
  Merge(std::move(root), &base);
  return base;
}

void Apply(const std::string& override_text, ConfigNode* root) {
  const std::string source = "--set " + override_text;
  const std::size_t equals = override_text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw ConfigError(source + ": expected KEY=VALUE, for instance --set sim.dt=0.001");
  }
  const std::string full_key = override_text.substr(0, equals);
  const std::string text = override_text.substr(equals + 1);

  ConfigNode value;
  if (text.empty()) {
    value.kind = Kind::kScalar;  // --set name= gives the empty string
    value.quoted = true;
    value.source = source;
  } else {
    try {
      value = Converter(source, false).Convert(YAML::Load(text), source);
    } catch (const YAML::Exception& e) {
      throw ConfigError(source + ": YAML syntax error in the value: " + e.msg +
                        "; check brackets and quotes");
    }
  }
  value.set_key = full_key;

  ConfigNode* node = root;
  for (std::size_t begin = 0; begin <= full_key.size();) {
    const std::size_t end = std::min(full_key.find('.', begin), full_key.size());
    const std::string key = full_key.substr(begin, end - begin);
    if (key.empty()) throw ConfigError(source + ": empty part in the key; write it as a.b.c");
    ConfigNode* child = node->Find(key);
    if (child == nullptr) {
      if (node->kind == Kind::kList) {
        throw ConfigError(source + ": " + full_key + ": no element '" + key + "' in the list at " +
                          node->source + "; it has " + std::to_string(node->children.size()) +
                          ", counted from 0");
      }
      if (node->kind != Kind::kMap) {
        node->kind = Kind::kMap;
        node->patch = true;
        node->source = source;
      }
      ConfigNode made;
      made.source = source;
      made.set_key = full_key;
      made.added = true;
      child = &node->children.emplace_back(key, std::move(made)).second;
    }
    node = child;
    begin = end + 1;
  }
  value.added = node->added;
  *node = std::move(value);
}

}  // namespace

ConfigError::ConfigError(const std::string& message) : std::invalid_argument(OneLine(message)) {}

const ConfigNode* ConfigNode::Find(const std::string& key) const {
  for (const auto& [name, child] : children) {
    if (name == key) return &child;
  }
  return nullptr;
}

ConfigNode* ConfigNode::Find(const std::string& key) {
  return const_cast<ConfigNode*>(std::as_const(*this).Find(key));
}

std::string ConfigNode::Summary() const {
  constexpr std::size_t kLongest = 60;
  switch (kind) {
    case Kind::kNull:
      return "(nothing)";
    case Kind::kList:
      return children.empty() ? "[]" : "[...]";
    case Kind::kMap:
      return children.empty() ? "{}" : "{...}";
    case Kind::kScalar:
      break;
  }
  const std::string shown = text.size() > kLongest ? text.substr(0, kLongest) + "..." : text;
  return quoted ? "'" + shown + "'" : shown;
}

ConfigNode LoadConfigTree(const std::string& path, const std::vector<std::string>& overrides) {
  if (path.empty()) throw ConfigError("'': no name; give the path of a configuration file");
  ConfigNode root = LoadFile(path, "", {});
  for (const std::string& text : overrides) Apply(text, &root);
  return root;
}

ConfigNode MakeConfigTree(const std::vector<std::string>& overrides) {
  ConfigNode root;
  root.kind = Kind::kMap;
  for (const std::string& text : overrides) Apply(text, &root);
  return root;
}

}  // namespace tread
