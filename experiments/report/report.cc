#include "experiments/report/report.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <vector>

#include "experiments/report/compare_page.h"
#include "experiments/report/page.h"
#include "experiments/report/run_page.h"
#include "experiments/report/sweep_page.h"
#include "experiments/sweep/sweep.h"

namespace tread {
namespace {

namespace fs = std::filesystem;

// One row per kind of folder; the first whose files are all there counts.
struct Kind {
  const char* name;
  std::vector<const char*> files;
  Page (*make)(const std::string& folder);
};

nlohmann::ordered_json ReadJson(const std::string& path) {
  std::ifstream file(path);
  try {
    return nlohmann::ordered_json::parse(file);
  } catch (const nlohmann::ordered_json::exception&) {
    throw std::invalid_argument(path + ": cannot be read as JSON; run tread compare anew");
  }
}

const std::vector<Kind>& Kinds() {
  static const std::vector<Kind> kinds{
      {"run", {"config.yaml", "summary.json"}, MakeRunPage},
      {"run", {"config.yaml", "ticks.csv"}, MakeRunPage},  // interrupted
      {"comparison",
       {"compare.json"},
       [](const std::string& folder) { return ComparePage(ReadJson(folder + "/compare.json")); }},
      {"sweep",
       {"plan.json", "results.csv"},
       [](const std::string& folder) {
         const SweepResult sweep = ReadSweep(folder);
         return MakeSweepPage(sweep.plan, sweep.table);
       }},
  };
  return kinds;
}

const Kind& FindKind(const std::string& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error))
    throw std::invalid_argument("report " + folder + ": " +
                                (fs::exists(folder, error) ? "is a file; name the folder it is in"
                                                           : "there is no such folder; name that of a run"));
  std::string known;
  for (const Kind& kind : Kinds()) {
    const auto there = [&](const char* file) { return fs::exists(fs::path(folder) / file, error); };
    if (std::all_of(kind.files.begin(), kind.files.end(), there)) return kind;
    known += (known.empty() ? "" : ", or ") + std::string(kind.name) + " (";
    for (const char* file : kind.files) known += std::string(file == kind.files.front() ? "" : ", ") + file;
    known += ")";
  }
  throw std::invalid_argument("report " + folder + ": holds nothing to report on; it should hold a " + known);
}

}  // namespace

void CheckReport(const std::string& folder) {
  if (const std::string reason = Page::Unavailable(); !reason.empty()) throw std::runtime_error(reason);
  FindKind(folder);
}

std::string WriteReport(const std::string& folder) {
  CheckReport(folder);
  const std::string path = (fs::path(folder) / "report.html").string();
  FindKind(folder).make(folder).Write(path);
  return path;
}

}  // namespace tread
