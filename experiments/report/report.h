// Report pages from folders: which kind of folder it is, and the page that belongs to it.
#pragma once

#include <string>

namespace tread {

// Throws std::invalid_argument for a folder that is not there or holds nothing to report on, and std::runtime_error in a build without
// the libraries of the pages.
void CheckReport(const std::string& folder);

// Writes report.html into the folder and returns its path. Throws as CheckReport,
// std::invalid_argument for files that are not what they should be, and std::runtime_error when the page cannot be written.
std::string WriteReport(const std::string& folder);

}  // namespace tread
