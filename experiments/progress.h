// How far a long command is: one line kept current on a terminal, a plain line every few seconds elsewhere. Talk goes to stderr.
#pragma once

#include <chrono>
#include <string>

namespace tread {

class Progress {
 public:
  // what: "solo12_stand"; unit: "s", "runs"; total in units. quiet: says nothing.
  Progress(std::string what, std::string unit, double total, bool quiet);
  ~Progress();

  void Update(double done, const std::string& note = "");  // cheap when it is not yet time to print

 private:
  using Clock = std::chrono::steady_clock;
  std::string what_, unit_;
  double total_;
  bool quiet_, terminal_, shown_ = false;
  Clock::time_point start_, next_;
};

}  // namespace tread
