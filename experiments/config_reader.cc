#include "experiments/config_reader.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>

#include "robots/nearest.h"

namespace tread {
namespace {

using Kind = ConfigNode::Kind;

std::string Join(const std::vector<std::string>& words) {
  std::string joined;
  for (const std::string& word : words) joined += (joined.empty() ? "" : ", ") + word;
  return joined;
}

std::string Text(double x) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof(buffer), x).ptr};
}

[[noreturn]] void Refuse(const ConfigNode& node, const std::string& path, const std::string& remedy,
                         const char* comment) {
  const std::string note = comment == nullptr || *comment == '\0' ? "" : " (" + std::string(comment) + ")";
  throw ConfigError(node.source + ": " + path + " = " + node.Summary() + ": " + remedy + note);
}

std::string Requirement(const Range& range) {
  const std::string low = (range.open_min ? "> " : ">= ") + Text(range.min);
  const std::string high = (range.open_max ? "< " : "<= ") + Text(range.max);
  if (!std::isfinite(range.max)) return "must be " + low;
  if (!std::isfinite(range.min)) return "must be " + high;
  return "must be " + low + " and " + high;
}

std::string Unsigned(const std::string& text) {
  return text.size() > 1 && text[0] == '+' && text[1] != '-' ? text.substr(1) : text;
}

double ParseDouble(const ConfigNode& node, const std::string& path, const Range& range, const char* comment) {
  if (node.kind != Kind::kScalar || node.quoted) Refuse(node, path, "expected a number", comment);
  std::string text = Unsigned(node.text);
  for (const char* word : {".inf", ".Inf", ".INF", ".nan", ".NaN", ".NAN"}) {
    if (text == word || text == std::string("-") + word) Refuse(node, path, "must be finite", comment);
  }
  double value = 0.0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (stop != end || error == std::errc::invalid_argument) Refuse(node, path, "expected a number", comment);
  if (error == std::errc::result_out_of_range) {
    Refuse(node, path, "beyond the range of a double; use a size between 1e-307 and 1e308", comment);
  }
  if (!std::isfinite(value)) Refuse(node, path, "must be finite", comment);
  if (!range.Contains(value)) Refuse(node, path, Requirement(range), comment);
  return value;
}

std::string ParseString(const ConfigNode& node, const std::string& path,
                        const std::vector<std::string>& allowed, const char* comment) {
  if (node.kind == Kind::kNull) Refuse(node, path, "expected a string; write '' for an empty one", comment);
  if (node.kind != Kind::kScalar) Refuse(node, path, "expected a string", comment);
  if (!allowed.empty() && std::find(allowed.begin(), allowed.end(), node.text) == allowed.end()) {
    const std::string near = Nearest(node.text, allowed);
    const std::string hint = near.empty() ? "" : "; did you mean '" + near + "'?";
    Refuse(node, path, "must be one of " + Join(allowed) + hint, comment);
  }
  return node.text;
}

// The full key nearest to one given: the same last part in another section, or else a small misspelling.
std::string NearestFullKey(const std::string& key, const std::vector<std::string>& full_keys) {
  const std::string near = Nearest(key, full_keys);
  if (!near.empty()) return near;
  const std::string tail = "." + key.substr(key.rfind('.') + 1);  // npos + 1 is 0
  for (const std::string& candidate : full_keys) {
    if (candidate.ends_with(tail)) return candidate;
  }
  return "";
}

}  // namespace

ConfigReader::ConfigReader(const std::string& path, const std::vector<std::string>& overrides)
    : file_(path), root_(LoadConfigTree(path, overrides)) {
  frames_.push_back({&root_, ""});
}

ConfigReader::ConfigReader(const std::vector<std::string>& overrides) : root_(MakeConfigTree(overrides)) {
  frames_.push_back({&root_, ""});
}

std::string ConfigReader::PathOf(const std::string& key) const {
  const std::string& path = frames_.back().path;
  return path.empty() ? key : path + "." + key;
}

const ConfigNode* ConfigReader::Take(const std::string& key) {
  std::vector<std::string>& valid = valid_[frames_.back().path];
  if (std::find(valid.begin(), valid.end(), key) == valid.end()) {
    valid.push_back(key);
    full_keys_.push_back(PathOf(key));
  }
  const ConfigNode* section = frames_.back().node;
  const ConfigNode* node = section == nullptr ? nullptr : section->Find(key);
  if (node != nullptr) node->read = true;
  return node;
}

void ConfigReader::Check(const std::string& key, bool holds, const std::string& remedy) {
  if (holds) return;
  const ConfigNode* section = frames_.back().node;
  const ConfigNode* node = section == nullptr ? nullptr : section->Find(key);
  if (node != nullptr) Refuse(*node, PathOf(key), remedy, "");
  throw ConfigError(Place(PathOf(key)) + ": " + PathOf(key) + " (not given): " + remedy);
}

void ConfigReader::VisitDouble(const std::string& key, double* value, const Range& range,
                               const char* comment) {
  if (const ConfigNode* node = Take(key)) *value = ParseDouble(*node, PathOf(key), range, comment);
}

void ConfigReader::VisitInteger(const std::string& key, std::int64_t* value, std::int64_t min,
                                std::int64_t max, const Range& range, const char* comment) {
  const ConfigNode* node = Take(key);
  if (node == nullptr) return;
  const std::string path = PathOf(key), text = Unsigned(node->text);
  const std::size_t first = text.starts_with('-') ? 1 : 0;
  const bool digits = text.size() > first && text.find_first_not_of("0123456789", first) == std::string::npos;
  const bool padded = text.size() > first + 1 && text[first] == '0';
  if (node->kind != Kind::kScalar || node->quoted || !digits || padded) {
    Refuse(*node, path, "expected an integer, such as 0 or 1000", comment);
  }
  std::int64_t parsed = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), parsed);
  if (error != std::errc() || parsed < min || parsed > max) {
    Refuse(*node, path, "must be between " + std::to_string(min) + " and " + std::to_string(max), comment);
  }
  if (!range.Contains(static_cast<double>(parsed))) Refuse(*node, path, Requirement(range), comment);
  *value = parsed;
}

void ConfigReader::VisitBool(const std::string& key, bool* value, const char* comment) {
  const ConfigNode* node = Take(key);
  if (node == nullptr) return;
  const bool plain = node->kind == Kind::kScalar && !node->quoted;
  if (!plain || (node->text != "true" && node->text != "false")) {
    Refuse(*node, PathOf(key), "expected true or false", comment);
  }
  *value = node->text == "true";
}

void ConfigReader::VisitString(const std::string& key, std::string* value,
                               const std::vector<std::string>& allowed, const char* comment) {
  if (const ConfigNode* node = Take(key)) *value = ParseString(*node, PathOf(key), allowed, comment);
}

template <typename T, typename Parse>
void ConfigReader::ReadList(const std::string& key, std::vector<T>* values, const std::string& expected,
                            const char* comment, Parse parse) {
  const ConfigNode* node = Take(key);
  const bool is_list = node != nullptr && node->kind == Kind::kList;
  if (node != nullptr && !is_list && !node->patch) Refuse(*node, PathOf(key), expected, comment);
  if (is_list) values->assign(node->children.size(), T{});
  frames_.push_back({node, PathOf(key)});
  for (std::size_t i = 0; i < values->size(); ++i) {
    const std::string index = std::to_string(i);
    if (const ConfigNode* item = Take(index)) (*values)[i] = parse(*item, PathOf(index));
  }
  frames_.pop_back();
}

void ConfigReader::VisitStrings(const std::string& key, std::vector<std::string>* values,
                                const std::vector<std::string>& allowed, const char* comment) {
  ReadList(key, values, "expected a list of strings, such as [a, b]", comment,
           [&](const ConfigNode& item, const std::string& path) {
             return ParseString(item, path, allowed, comment);
           });
}

void ConfigReader::VisitNumbers(const std::string& key, std::vector<double>* values, int count,
                                const Range& range, const char* comment) {
  const std::string expected = count < 0
                                   ? "expected a list of numbers, such as [0.5, 1]"
                                   : "expected a list of " + std::to_string(count) + " numbers in brackets";
  ReadList(key, values, expected, comment, [&](const ConfigNode& item, const std::string& path) {
    return ParseDouble(item, path, range, comment);
  });
  if (count < 0 || values->size() == static_cast<std::size_t>(count)) return;
  if (const ConfigNode* node = Take(key)) {
    Refuse(*node, PathOf(key), expected + ", got " + std::to_string(values->size()), comment);
  }
}

void ConfigReader::Enter(const std::string& key, const char* comment) {
  const ConfigNode* node = Take(key);
  if (node != nullptr && node->kind != Kind::kMap && node->kind != Kind::kNull) {
    Refuse(*node, PathOf(key), "expected a section of 'key: value' lines", comment);
  }
  frames_.push_back({node, PathOf(key)});
}

ConfigReader::ListShape ConfigReader::EnterList(const std::string& key, std::size_t size,
                                                const char* comment) {
  const ConfigNode* node = Take(key);
  const bool is_list = node != nullptr && node->kind == Kind::kList;
  if (node != nullptr && !is_list && !node->patch) {
    Refuse(*node, PathOf(key), "expected a list of sections ('- key: value' lines), or []", comment);
  }
  frames_.push_back({node, PathOf(key)});
  return {is_list ? node->children.size() : size, is_list};
}

ConfigReader::MapShape ConfigReader::EnterMap(const std::string& key, const std::vector<std::string>& names,
                                              const char* comment) {
  Enter(key, comment);
  const ConfigNode* node = frames_.back().node;
  if (node == nullptr || node->patch || node->kind == Kind::kNull) return {names, false};
  MapShape shape{{}, true};
  for (const auto& [name, child] : node->children) {
    if (!child.added) shape.names.push_back(name);  // Finish refuses the others
  }
  return shape;
}

std::string ConfigReader::Source(const std::string& dotted_key) const {
  const ConfigNode* node = &root_;
  for (std::size_t begin = 0; begin <= dotted_key.size();) {
    const std::size_t end = std::min(dotted_key.find('.', begin), dotted_key.size());
    node = node->Find(dotted_key.substr(begin, end - begin));
    if (node == nullptr) return "default";
    begin = end + 1;
  }
  return node->source;
}

std::string ConfigReader::Place(const std::string& dotted_key) const {
  for (std::string key = dotted_key; !key.empty();) {
    const std::string source = Source(key);
    if (source != "default") return source;
    const std::size_t dot = key.rfind('.');
    key.resize(dot == std::string::npos ? 0 : dot);
  }
  return file_;
}

void ConfigReader::FindUnread(const ConfigNode& node, const std::string& path) const {
  const auto found = valid_.find(path);
  const std::vector<std::string> valid = found == valid_.end() ? std::vector<std::string>{} : found->second;
  for (const auto& [key, child] : node.children) {
    const std::string child_path = path.empty() ? key : path + "." + key;
    if (child.read) {
      FindUnread(child, child_path);
      continue;
    }
    const bool is_set = !child.set_key.empty();
    const std::string full = is_set ? child.set_key : child_path;
    std::string near = is_set ? "" : Nearest(key, valid);
    if (near.empty()) near = NearestFullKey(full, full_keys_);
    const std::string hint = near.empty() ? "" : "; did you mean '" + near + "'?";
    const std::string here = valid.empty() ? "no keys are valid here" : "valid here: " + Join(valid);
    throw ConfigError(child.source + ": " + full + ": unknown key" + hint + " (" + here + ")");
  }
}

void ConfigReader::Finish() const {
  FindUnread(root_, "");
}

}  // namespace tread
