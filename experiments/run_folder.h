// Where a command leaves its files. Nothing that is there is lost without being asked for, nothing is made for a call that is refused.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace tread {

// A folder that can be written to, made with its parents where it did not exist. What was made is removed again unless kept.
class OutputFolder {
 public:
  // option: "--out", for messages. Throws std::invalid_argument "--out PATH: ...; what to do instead".
  OutputFolder(const std::string& option, const std::string& path);
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  const std::string& path() const { return path_; }
  bool existed() const { return made_.empty(); }
  void Keep() { made_.clear(); }

 private:
  void MakeAll(const std::string& option);

  std::string path_;
  std::vector<std::filesystem::path> made_;  // parents first
};

// A file whole or not at all: written beside, then renamed. Throws std::runtime_error.
void WriteFile(const std::string& path, const std::string& text);

class RunFolder {
 public:
  // dir: the folder asked for; empty: runs/NAME, or runs/NAME-2, -3, ... when that exists. An existing `dir` is refused unless `force`; with
  // force, only a folder that holds a run (config.yaml and another of its files) or nothing is taken over.
  // Creates the folder and checks that it can be written to. Throws std::invalid_argument with what to do instead.
  RunFolder(const std::string& dir, const std::string& name, bool force);

  // Once nothing can be refused any more: removes the files of the run that was there, no others. Without it, the folder is left as it was.
  void Start();

  const std::string& path() const { return folder_->path(); }
  std::string File(const std::string& name) const { return path() + "/" + name; }

  void Write(const std::string& name, const std::string& text) const { WriteFile(File(name), text); }

 private:
  std::unique_ptr<OutputFolder> folder_;
};

}  // namespace tread
