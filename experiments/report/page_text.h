// Text as it may stand in a page: HTML, JSON inside a script element, base64, and the page's form with its blanks filled.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace tread {

std::string Escape(const std::string& text);  // for HTML, attributes too
std::string Dump(
    const nlohmann::ordered_json& json);  // nothing in it can end a script element; nan and inf are null
std::string Base64(std::string_view bytes);
std::string Floats(const std::vector<double>& values);  // base64 of float32, little endian

// Replaces every {{name}} of the form, never what has been put in. Throws std::out_of_range for a name without a value.
std::string Fill(std::string_view form, const std::map<std::string, std::string>& values);

}  // namespace tread
