#include "experiments/sweep/whole_file.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace tread {

std::string PartialName(const std::string& path) {
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  const std::filesystem::path whole(path);
  const std::string name = "." + whole.filename().string() + "." + host + "." + std::to_string(getpid());
  return (whole.parent_path() / name).string();
}

void ReplaceByPartial(const std::string& path) {
  std::error_code error;
  std::filesystem::rename(PartialName(path), path, error);
  if (error) throw std::runtime_error(path + ": cannot be written: " + error.message());
}

void WriteWholeFile(const std::string& path, const std::string& text) {
  std::ofstream out(PartialName(path), std::ios::binary);
  out << text;
  out.close();
  if (!out) throw std::runtime_error(path + ": cannot be written; is the disk full?");
  ReplaceByPartial(path);
}

}  // namespace tread
