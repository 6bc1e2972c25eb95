// Files that several processes may write at once: each sees a whole one, whoever was last.
#pragma once

#include <string>

namespace tread {

// A name beside `path`, of this process on this machine.
std::string PartialName(const std::string& path);

// Puts what is at PartialName(path) in the place of `path`. Throws std::runtime_error.
void ReplaceByPartial(const std::string& path);

void WriteWholeFile(const std::string& path, const std::string& text);

}  // namespace tread
