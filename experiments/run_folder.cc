#include "experiments/run_folder.h"

#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace tread {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRunFiles[] = {"config.yaml", "ticks.csv", "summary.json", "report.html", "run.log"};

std::string FirstFree(const std::string& name) {
  std::string path = "runs/" + name;
  for (int i = 2; fs::exists(path); ++i) path = "runs/" + name + "-" + std::to_string(i);
  return path;
}

void TakeOver(const std::string& path, bool force) {
  if (!fs::is_directory(path)) throw std::invalid_argument("--out " + path + ": is a file; name a folder");
  if (!force)
    throw std::invalid_argument("--out " + path +
                                ": exists; choose another, or --force to replace the run in it");
  if (!fs::is_empty(path) && !fs::exists(path + "/config.yaml"))
    throw std::invalid_argument("--out " + path +
                                ": holds files but no run (no config.yaml); choose another folder");
  for (const char* name : kRunFiles) fs::remove(path + "/" + name);
}

}  // namespace

RunFolder::RunFolder(const std::string& dir, const std::string& name, bool force)
    : path_(dir.empty() ? FirstFree(name) : dir) {
  while (path_.size() > 1 && path_.back() == '/') path_.pop_back();
  try {
    if (fs::exists(path_)) {
      TakeOver(path_, force);
    } else {
      fs::create_directories(path_);
    }
  } catch (const fs::filesystem_error& error) {
    throw std::invalid_argument("--out " + path_ + ": cannot be made: " + error.code().message() +
                                "; choose a folder you may write to");
  }
  const std::string probe = File(".probe");
  if (!(std::ofstream(probe) << "x").flush())
    throw std::invalid_argument("--out " + path_ +
                                ": cannot be written to; choose a folder you may write to");
  fs::remove(probe);
}

void RunFolder::Write(const std::string& name, const std::string& text) const {
  const std::string partial = File("." + name + ".partial");
  std::ofstream out(partial, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw std::runtime_error(File(name) + ": cannot be written; is the disk full?");
  fs::rename(partial, File(name));
}

}  // namespace tread
