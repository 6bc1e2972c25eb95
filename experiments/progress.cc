#include "experiments/progress.h"

#include <unistd.h>

#include <cstdio>

namespace tread {

Progress::Progress(std::string what, std::string unit, double total, bool quiet)
    : what_(std::move(what)),
      unit_(std::move(unit)),
      total_(total),
      quiet_(quiet),
      terminal_(isatty(STDERR_FILENO) != 0),
      start_(Clock::now()),
      next_(start_ + (terminal_ ? std::chrono::milliseconds(200) : std::chrono::milliseconds(5000))) {}

Progress::~Progress() {
  if (shown_ && terminal_) std::fprintf(stderr, "\r\033[K");
}

void Progress::Update(double done, const std::string& note) {
  const auto now = Clock::now();
  if (quiet_ || now < next_) return;
  next_ = now + (terminal_ ? std::chrono::milliseconds(200) : std::chrono::milliseconds(5000));
  shown_ = true;
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  const double rate = elapsed > 0 ? done / elapsed : 0, left = rate > 0 ? (total_ - done) / rate : 0;
  std::fprintf(stderr, "%s%s: %.4g of %.4g %s, %.3g %s/s, %.0f s left%s%s%s", terminal_ ? "\r\033[K" : "",
               what_.c_str(), done, total_, unit_.c_str(), rate, unit_.c_str(), left,
               note.empty() ? "" : ", ", note.c_str(), terminal_ ? "" : "\n");
  std::fflush(stderr);
}

}  // namespace tread
