// The one list of configuration keys that reading, unknown-key detection and writing share.
//
// A struct holds the defaults; `void Describe(ConfigVisitor& v, XConfig* c)` in its namespace names each key once,
// with its range and a short comment (unit first: "[s] time step"). Describe must not name a key twice in one
// section; which keys it names may depend on values it has already visited (a `type` key, for instance).
//
// Limits: lists hold sections, numbers or strings, never lists; a list or map read from a file replaces the default
// one as a whole; numbers are always finite.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace tread {

// Admissible interval of a number; the default admits every finite number.
struct Range {
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  bool open_min = false;  // true: min itself is refused
  bool open_max = false;

  bool Contains(double x) const { return (open_min ? x > min : x >= min) && (open_max ? x < max : x <= max); }
};

inline Range Any() {
  return {};
}
inline Range Positive() {
  return {.min = 0.0, .open_min = true};
}
inline Range NonNegative() {
  return {.min = 0.0};
}
inline Range AtLeast(double min) {
  return {.min = min};
}
inline Range Between(double min, double max) {
  return {.min = min, .max = max};
}

class ConfigVisitor {
 public:
  virtual ~ConfigVisitor() = default;

  // True when the visited values are being filled in from a file, false when they are only looked at.
  virtual bool reading() const = 0;

  void Field(const std::string& key, double* value, const Range& range = {}, const char* comment = "") {
    VisitDouble(key, value, range, comment);
  }
  void Field(const std::string& key, int* value, const Range& range = {}, const char* comment = "") {
    constexpr std::int64_t kMin = std::numeric_limits<int>::min(), kMax = std::numeric_limits<int>::max();
    std::int64_t wide = *value;
    VisitInteger(key, &wide, kMin, kMax, range, comment);
    *value = static_cast<int>(wide);
  }
  void Field(const std::string& key, std::int64_t* value, const Range& range = {}, const char* comment = "") {
    using Limits = std::numeric_limits<std::int64_t>;
    VisitInteger(key, value, Limits::min(), Limits::max(), range, comment);
  }
  void Field(const std::string& key, bool* value, const char* comment = "") {
    VisitBool(key, value, comment);
  }
  // An empty `allowed` admits every string.
  void Field(const std::string& key, std::string* value, const std::vector<std::string>& allowed = {},
             const char* comment = "") {
    VisitString(key, value, allowed, comment);
  }
  void Field(const std::string& key, std::vector<std::string>* values,
             const std::vector<std::string>& allowed = {}, const char* comment = "") {
    VisitStrings(key, values, allowed, comment);
  }
  // The range holds for each number.
  void Field(const std::string& key, std::vector<double>* values, const Range& range = {},
             const char* comment = "") {
    VisitNumbers(key, values, -1, range, comment);
  }
  // Vector3d, Vector4d, ...: exactly N numbers; VectorXd: any count.
  template <int N>
  void Field(const std::string& key, Eigen::Matrix<double, N, 1>* value, const Range& range = {},
             const char* comment = "") {
    std::vector<double> numbers(value->data(), value->data() + value->size());
    VisitNumbers(key, &numbers, N, range, comment);
    *value = Eigen::Map<const Eigen::VectorXd>(numbers.data(), static_cast<Eigen::Index>(numbers.size()));
  }

  // An enumeration, written by name.
  template <typename E>
  void Enum(const std::string& key, E* value,
            const std::type_identity_t<std::vector<std::pair<std::string, E>>>& names,
            const char* comment = "") {
    std::vector<std::string> allowed;
    std::string name;
    for (const auto& [text, e] : names) {
      allowed.push_back(text);
      if (e == *value) name = text;
    }
    VisitString(key, &name, allowed, comment);
    for (const auto& [text, e] : names) {
      if (text == name) *value = e;
    }
  }

  void Section(const std::string& key, const std::function<void()>& body, const char* comment = "") {
    Enter(key, comment);
    body();
    Leave();
  }
  // The section of a struct with its own Describe.
  template <typename T>
  requires std::is_class_v<T>
  void Section(const std::string& key, T* config, const char* comment = "") {
    Section(
        key, [&] { Describe(*this, config); }, comment);
  }

  // A list of sections; describe(ConfigVisitor&, T*) is called for each element.
  template <typename T, typename F>
  void List(const std::string& key, std::vector<T>* items, F describe, const char* comment = "") {
    const auto [size, replace] = EnterList(key, items->size(), comment);
    if (replace) items->assign(size, T{});
    for (std::size_t i = 0; i < items->size(); ++i) {
      EnterItem(i);
      describe(*this, &(*items)[i]);
      Leave();
    }
    Leave();
  }
  template <typename T>
  void List(const std::string& key, std::vector<T>* items) {
    List(key, items, [](ConfigVisitor& v, T* item) { Describe(v, item); });
  }

  // Sections under free names; describe(ConfigVisitor&, T*) is called for each in the order of the names.
  template <typename T, typename F>
  void Map(const std::string& key, std::map<std::string, T>* entries, F describe, const char* comment = "") {
    EnterEntries(key, entries, comment);
    for (auto& [name, entry] : *entries) {
      Enter(name, "");
      describe(*this, &entry);
      Leave();
    }
    Leave();
  }
  template <typename T>
  requires(!std::is_arithmetic_v<T>) void Map(const std::string& key, std::map<std::string, T>* entries) {
    Map(key, entries, [](ConfigVisitor& v, T* entry) { Describe(v, entry); });
  }
  // Numbers under free names.
  void Map(const std::string& key, std::map<std::string, double>* entries, const Range& range = {},
           const char* comment = "") {
    EnterEntries(key, entries, comment);
    for (auto& [name, value] : *entries) VisitDouble(name, &value, range, "");
    Leave();
  }

  // A condition between keys: a reader refuses the file at `key` with `remedy` ("must be a multiple of dt").
  virtual void Check(const std::string& key, bool holds, const std::string& remedy) = 0;

 protected:
  struct ListShape {
    std::size_t size;
    bool replace;  // true: start from `size` default elements
  };
  struct MapShape {
    std::vector<std::string> names;
    bool replace;  // true: the map holds these names and no others
  };

  virtual void VisitDouble(const std::string& key, double* value, const Range& range,
                           const char* comment) = 0;
  virtual void VisitInteger(const std::string& key, std::int64_t* value, std::int64_t min, std::int64_t max,
                            const Range& range, const char* comment) = 0;
  virtual void VisitBool(const std::string& key, bool* value, const char* comment) = 0;
  virtual void VisitString(const std::string& key, std::string* value,
                           const std::vector<std::string>& allowed, const char* comment) = 0;
  virtual void VisitStrings(const std::string& key, std::vector<std::string>* values,
                            const std::vector<std::string>& allowed, const char* comment) = 0;
  // count: how many numbers, or -1 for any.
  virtual void VisitNumbers(const std::string& key, std::vector<double>* values, int count,
                            const Range& range, const char* comment) = 0;
  virtual void Enter(const std::string& key, const char* comment) = 0;
  virtual ListShape EnterList(const std::string& key, std::size_t size, const char* comment) = 0;
  virtual void EnterItem(std::size_t index) = 0;
  virtual MapShape EnterMap(const std::string& key, const std::vector<std::string>& names,
                            const char* comment) = 0;
  virtual void Leave() = 0;

 private:
  template <typename T>
  void EnterEntries(const std::string& key, std::map<std::string, T>* entries, const char* comment) {
    std::vector<std::string> names;
    for (const auto& entry : *entries) names.push_back(entry.first);
    const MapShape shape = EnterMap(key, names, comment);
    if (!shape.replace) return;
    entries->clear();
    for (const std::string& name : shape.names) (*entries)[name];
  }
};

}  // namespace tread
