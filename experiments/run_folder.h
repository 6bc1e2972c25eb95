// Where a run leaves its files. Nothing that is there is lost without being asked for.
#pragma once

#include <string>
#include <vector>

namespace tread {

class RunFolder {
 public:
  // dir: the folder asked for; empty: runs/NAME, or runs/NAME-2, -3, ... when that exists. An existing `dir` is refused unless `force`; with
  // force, only a folder that holds a run (config.yaml) or nothing is taken over, and only the files of a run are removed from it.
  // Creates the folder and checks that it can be written to. Throws std::invalid_argument with what to do instead.
  RunFolder(const std::string& dir, const std::string& name, bool force);

  const std::string& path() const { return path_; }
  std::string File(const std::string& name) const { return path_ + "/" + name; }

  // Whole or not at all: written beside, then renamed. Throws std::runtime_error.
  void Write(const std::string& name, const std::string& text) const;

 private:
  std::string path_;
};

}  // namespace tread
