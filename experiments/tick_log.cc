#include "experiments/tick_log.h"

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <stdexcept>

namespace tread {
namespace {

constexpr std::size_t kBuffer = 1 << 20;
constexpr std::size_t kLongestNumber = 32;

}  // namespace

TickLog::~TickLog() {
  if (file_ == nullptr) return;
  std::fwrite(buffer_.data(), 1, used_, file_);
  std::fclose(file_);
}

int TickLog::AddColumn(const std::string& name) {
  columns_.push_back(name);
  row_.push_back(0);
  return static_cast<int>(columns_.size()) - 1;
}

void TickLog::Open(const std::string& path) {
  path_ = path;
  file_ = std::fopen(path.c_str(), "wb");
  if (file_ == nullptr) throw std::runtime_error(path + ": cannot be written: " + std::strerror(errno));
  buffer_.resize(kBuffer + kLongestNumber * columns_.size());
  std::string header;
  for (const std::string& name : columns_) header += (header.empty() ? "" : ",") + name;
  header += "\n";
  if (std::fwrite(header.data(), 1, header.size(), file_) != header.size())
    throw std::runtime_error(path + ": cannot be written: " + std::strerror(errno));
}

void TickLog::Commit() {
  if (file_ == nullptr) return;
  char *at = buffer_.data() + used_, *end = buffer_.data() + buffer_.size();
  for (const double value : row_) {
    // whole numbers (counts, flags, states) are common and print faster as such
    const auto whole = static_cast<long>(value);
    at = std::abs(value) < 1e9 && static_cast<double>(whole) == value && !(value == 0 && std::signbit(value))
             ? std::to_chars(at, end, whole).ptr
             : std::to_chars(at, end, value).ptr;
    *at++ = ',';
  }
  at[-1] = '\n';
  used_ = static_cast<std::size_t>(at - buffer_.data());
  if (used_ > kBuffer) Flush();
}

void TickLog::Flush() {
  if (file_ == nullptr) return;
  const std::size_t written = std::fwrite(buffer_.data(), 1, used_, file_);
  if (written != used_ || std::fflush(file_) != 0)
    throw std::runtime_error(path_ + ": cannot be written: " + std::strerror(errno));
  used_ = 0;
}

}  // namespace tread
