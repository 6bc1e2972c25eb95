// Writes described structs as YAML with every key given, so that the file alone says what was run.
//
// Numbers take the shortest form that reads back to the same double. Reading the text and writing it again gives the
// same bytes. Strings must be UTF-8. Throws std::invalid_argument on a number that is not finite.
#pragma once

#include <string>
#include <vector>

#include "experiments/config_visitor.h"

namespace tread {

class ConfigWriter : public ConfigVisitor {
 public:
  bool reading() const override { return false; }
  void Check(const std::string&, bool, const std::string&) override {}

  const std::string& text() const { return text_; }

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
  void EnterItem(std::size_t index) override;
  MapShape EnterMap(const std::string& key, const std::vector<std::string>& names,
                    const char* comment) override;
  void Leave() override;

 private:
  // An open section, list or list element. Its head line is written with its first line, or closed as empty.
  struct Frame {
    std::string head;  // "key:", or "-" for a list element
    std::string comment;
    const char* empty;  // "{}" or "[]"
    bool item = false;
    bool started = false;
  };

  void Open(const std::string& key, const char* comment, const char* empty);
  // Writes the heads of all open frames that have none yet.
  void Start();
  void Line(const std::string& head, const std::string& value, const std::string& comment);
  void Put(const std::string& key, const std::string& value, const char* comment);

  std::vector<Frame> frames_;
  std::string text_;
  bool dash_ = false;  // the next line starts a list element
};

// The text of a struct with a Describe.
template <typename Config>
std::string WriteConfig(Config config) {
  ConfigWriter writer;
  Describe(writer, &config);
  return writer.text();
}

}  // namespace tread
