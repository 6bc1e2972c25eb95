#include "experiments/report/page_text.h"

#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>

namespace tread {

std::string Escape(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string Dump(const nlohmann::ordered_json& json) {
  const std::string text = json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  }
  return out;
}

std::string Base64(std::string_view bytes) {
  constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 3; ++k)
      word = word << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (int shift = 18; shift >= 0; shift -= 6) out += digits[word >> shift & 63];
  }
  if (bytes.size() % 3 != 0)
    out.replace(out.size() - (3 - bytes.size() % 3), std::string::npos, 3 - bytes.size() % 3, '=');
  return out;
}

std::string Floats(const std::vector<double>& values) {
  std::string bytes(4 * values.size(), '\0');
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto value = static_cast<float>(values[i]);
    std::memcpy(&bytes[4 * i], &value, 4);  // little endian, as every machine this runs on
  }
  return Base64(bytes);
}

std::string Fill(std::string_view form, const std::map<std::string, std::string>& values) {
  std::string out;
  for (std::size_t at = 0; at < form.size();) {
    const std::size_t open = form.find("{{", at), close = form.find("}}", open);
    if (open == std::string_view::npos || close == std::string_view::npos) {
      out += form.substr(at);
      break;
    }
    out += form.substr(at, open - at);
    out += values.at(std::string(form.substr(open + 2, close - open - 2)));
    at = close + 2;
  }
  return out;
}

}  // namespace tread
