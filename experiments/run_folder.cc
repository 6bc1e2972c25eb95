#include "experiments/run_folder.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <stdexcept>

namespace tread {
namespace {

namespace fs = std::filesystem;

constexpr const char* kConfig = "config.yaml";
constexpr const char* kOtherFiles[] = {"ticks.csv",    "summary.json", "report.html", "run.log",
                                       "compare.json", "compare.csv",  "runs.csv"};

bool Exists(const fs::path& path) {
  std::error_code error;
  return fs::exists(fs::symlink_status(path, error));
}

std::string FirstFree(const std::string& name) {
  std::string path = "runs/" + name;
  for (int i = 2; Exists(path); ++i) path = "runs/" + name + "-" + std::to_string(i);
  return path;
}

bool HoldsRun(const fs::path& folder) {
  return Exists(folder / kConfig) && std::any_of(std::begin(kOtherFiles), std::end(kOtherFiles),
                                                 [&](const char* name) { return Exists(folder / name); });
}

void CheckExisting(const std::string& dir, bool force) {
  std::error_code error;
  if (!fs::is_directory(dir, error)) return;  // OutputFolder refuses a file
  if (!force)
    throw std::invalid_argument("--out " + dir +
                                ": exists; choose another folder, or --force to replace the run in it");
  if (!fs::is_empty(dir, error) && !HoldsRun(dir))
    throw std::invalid_argument("--out " + dir +
                                ": holds files but no run (config.yaml, run.log); choose another folder");
}

}  // namespace

OutputFolder::OutputFolder(const std::string& option, const std::string& path) : path_(path) {
  while (path_.size() > 1 && path_.back() == '/') path_.pop_back();
  if (path_.empty()) throw std::invalid_argument(option + " '': no name; name a folder");
  try {
    MakeAll(option);
  } catch (...) {
    for (auto made = made_.rbegin(); made != made_.rend(); ++made) fs::remove(*made);
    throw;
  }
}

void OutputFolder::MakeAll(const std::string& option) {
  std::error_code error;
  if (Exists(path_) && !fs::is_directory(path_, error))
    throw std::invalid_argument(option + " " + path_ + ": is a file; name a folder");
  fs::path part;
  for (const fs::path& step : fs::path(path_)) {
    part /= step;
    if (fs::create_directory(part, error)) made_.push_back(part);
    if (error)
      throw std::invalid_argument(option + " " + path_ + ": cannot be made: " + error.message() +
                                  "; choose a folder you may write to");
  }
  const fs::path probe = part / ".tread-probe";
  errno = 0;
  const bool written(std::ofstream(probe) << "x" << std::flush);
  const int reason = errno;
  fs::remove(probe, error);
  if (!written)
    throw std::invalid_argument(option + " " + path_ + ": cannot be written to: " + std::strerror(reason) +
                                "; choose a folder you may write to");
}

OutputFolder::~OutputFolder() {
  std::error_code ignored;  // one that is no longer empty stays
  for (auto made = made_.rbegin(); made != made_.rend(); ++made) fs::remove(*made, ignored);
}

RunFolder::RunFolder(const std::string& dir, const std::string& name, bool force) {
  if (dir.empty()) {
    do {
      folder_ = std::make_unique<OutputFolder>("--out", FirstFree(name));
    } while (folder_->existed());  // another run took the name in between
    return;
  }
  CheckExisting(dir, force);
  folder_ = std::make_unique<OutputFolder>("--out", dir);
}

void RunFolder::Start() {
  folder_->Keep();
  fs::remove(File(kConfig));
  for (const char* name : kOtherFiles) fs::remove(File(name));
}

void WriteFile(const std::string& path, const std::string& text) {
  const fs::path file = path;
  const fs::path partial = file.parent_path() / ("." + file.filename().string() + ".partial");
  std::ofstream out(partial, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw std::runtime_error(path + ": cannot be written; is the disk full?");
  fs::rename(partial, file);
}

}  // namespace tread
