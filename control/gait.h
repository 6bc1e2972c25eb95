// Which foot stands when: periodic, in whole control ticks.
//
//   phase_i(tick) = frac((tick - start) / period + offset_i),   foot i stands while phase_i < duty
//
// Before the start all feet stand; a stop is taken at the end of a period only, so that no foot is caught in the air. Feet are FL, FR, HL, HR.
// Names: trot (diagonal pairs), pace (sides), bound (front, hind), walk (one foot at a time), stand. Pace and bound stand on one side or end at
// a time, tip within a tenth of a second, and so have short periods and a duty that lets the stances overlap.
#pragma once

#include <array>
#include <limits>
#include <string>
#include <vector>

namespace tread {

struct GaitConfig {
  std::string type = "trot";  // trot | walk | pace | bound | stand
  double period =
      0;  // [s] 0: that of the gait; too long: the robot tips between steps; too short: the legs cannot follow
  double duty = 0;              // share of the period a foot stands; 0: that of the gait
  std::vector<double> offsets;  // four phases; empty: those of the gait
  double stop = 0;              // [s] stand from the end of this period on; 0: never
};

class Gait {
 public:
  // start: [s]; tick: [s]. Throws std::invalid_argument "controller.gait...." for what does not fit.
  Gait(const GaitConfig& config, double start, double tick);

  bool Stance(int foot, long tick) const;
  double SwingPhase(int foot, long tick) const;      // 0 at lift-off to 1 at touch-down; 0 in stance
  long TicksToTouchdown(int foot, long tick) const;  // 0 in stance
  double swing_duration() const { return (1 - duty_) * static_cast<double>(period_) * tick_; }  // [s]
  double stance_duration() const { return duty_ * static_cast<double>(period_) * tick_; }       // [s]
  double period() const { return static_cast<double>(period_) * tick_; }                        // [s]

 private:
  // Ticks since the foot's last touch-down began its stance, 0 to period - 1.
  long PhaseTick(int foot, long tick) const;
  bool Moving(long tick) const { return tick >= start_ && tick < stop_; }

  double tick_;
  double duty_ = 1;
  long period_ = 1, stance_ = 1, start_ = 0, stop_ = std::numeric_limits<long>::max();
  std::array<long, 4> offsets_{};
};

}  // namespace tread
