#include "experiments/config_writer.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <stdexcept>

namespace tread {
namespace {

std::string Number(const std::string& key, double x) {
  if (!std::isfinite(x)) {
    throw std::invalid_argument("configuration key '" + key + "' is not finite and cannot be written");
  }
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof(buffer), x).ptr};
}

// Plain when no YAML reader could take it for anything but this string.
bool IsPlain(const std::string& text) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  if (text.empty() || !(letter(text[0]) || text[0] == '/')) return false;
  for (const char c : text) {
    if (!letter(c) && !(c >= '0' && c <= '9') && c != '/' && c != '.' && c != '-') return false;
  }
  std::string lower = text;
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const char* word : {"null", "true", "false", "yes", "no", "on", "off", "y", "n", "nan", "inf"}) {
    if (lower == word) return false;
  }
  return true;
}

std::string Quoted(const std::string& text) {
  if (IsPlain(text)) return text;
  constexpr char kHex[] = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      out += "\\x";
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
    } else {
      out += c;
    }
  }
  return out + "\"";
}

template <typename T, typename F>
std::string FlowList(const std::vector<T>& values, F text) {
  std::string out = "[";
  for (const T& value : values) out += (out.size() > 1 ? ", " : "") + text(value);
  return out + "]";
}

std::string CommentText(const char* comment) {
  std::string text = comment == nullptr ? "" : comment;
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

}  // namespace

void ConfigWriter::Line(const std::string& head, const std::string& value, const std::string& comment) {
  // List elements indent like sections; the dash stands in the last step of the indentation.
  std::size_t depth = 0;
  for (const Frame& frame : frames_) depth += frame.started ? 1 : 0;
  std::string indent(2 * depth, ' ');
  if (dash_) indent[indent.size() - 2] = '-';
  dash_ = false;
  text_ +=
      indent + head + (value.empty() ? "" : " " + value) + (comment.empty() ? "" : "  # " + comment) + "\n";
}

void ConfigWriter::Start() {
  for (Frame& frame : frames_) {
    if (frame.started) continue;
    if (frame.item) {
      dash_ = true;
    } else {
      Line(frame.head, "", frame.comment);
    }
    frame.started = true;
  }
}

void ConfigWriter::Put(const std::string& key, const std::string& value, const char* comment) {
  Start();
  Line(Quoted(key) + ":", value, CommentText(comment));
}

void ConfigWriter::Open(const std::string& key, const char* comment, const char* empty) {
  frames_.push_back({.head = Quoted(key) + ":", .comment = CommentText(comment), .empty = empty});
}

void ConfigWriter::Leave() {
  const Frame frame = frames_.back();
  frames_.pop_back();
  if (frame.started) return;
  Start();
  if (frame.item) {
    text_ += std::string(2 * frames_.size(), ' ') + "- {}\n";
  } else {
    Line(frame.head, frame.empty, frame.comment);
  }
}

void ConfigWriter::VisitDouble(const std::string& key, double* value, const Range&, const char* comment) {
  Put(key, Number(key, *value), comment);
}

void ConfigWriter::VisitInteger(const std::string& key, std::int64_t* value, std::int64_t, std::int64_t,
                                const Range&, const char* comment) {
  Put(key, std::to_string(*value), comment);
}

void ConfigWriter::VisitBool(const std::string& key, bool* value, const char* comment) {
  Put(key, *value ? "true" : "false", comment);
}

void ConfigWriter::VisitString(const std::string& key, std::string* value, const std::vector<std::string>&,
                               const char* comment) {
  Put(key, Quoted(*value), comment);
}

void ConfigWriter::VisitStrings(const std::string& key, std::vector<std::string>* values,
                                const std::vector<std::string>&, const char* comment) {
  Put(key, FlowList(*values, Quoted), comment);
}

void ConfigWriter::VisitNumbers(const std::string& key, std::vector<double>* values, int, const Range&,
                                const char* comment) {
  Put(key, FlowList(*values, [&](double x) { return Number(key, x); }), comment);
}

void ConfigWriter::Enter(const std::string& key, const char* comment) {
  Open(key, comment, "{}");
}

ConfigWriter::ListShape ConfigWriter::EnterList(const std::string& key, std::size_t size,
                                                const char* comment) {
  Open(key, comment, "[]");
  return {size, false};
}

void ConfigWriter::EnterItem(std::size_t) {
  frames_.push_back({.head = "-", .comment = "", .empty = "{}", .item = true});
}

ConfigWriter::MapShape ConfigWriter::EnterMap(const std::string& key, const std::vector<std::string>& names,
                                              const char* comment) {
  Open(key, comment, "{}");
  return {names, false};
}

}  // namespace tread
