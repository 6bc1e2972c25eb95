// What a run comes down to: summary.json, the keys of which scripts rely on.
//
// Tracking errors are measured minus commanded, in heading axes, over the ticks from steady_from on: of the velocity itself (rms_error) and of
// its mean over one gait period; null for a run that ended before. drift_xy is the distance of the base, at the end, from where the commanded velocity (in the heading it had)
// would have taken it. Without a floating robot under a controller, vx, vy and wz are empty. The weight is that of the whole scene.
// work is the integral of sum |tau_i v_i| dt [J]; cost_of_transport is that over m g times the path, null below 0.1 m.
// Slip: path of loaded feet along the ground, and its ratio to the path of the base. Times are in microseconds.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "experiments/closed_loop.h"
#include "experiments/metrics.h"
#include "experiments/tick_columns.h"

namespace tread {

class SummaryBuilder {
 public:
  SummaryBuilder(const ExperimentConfig& config, const ClosedLoop& loop, const TickColumns& columns);
  void Add();  // after every tick and TickColumns::Fill; does not allocate
  // wall_us: of the whole loop; allocations: heap allocations per tick after the first, negative when not counted.
  nlohmann::ordered_json Finish(double wall_us, double allocations) const;

 private:
  struct Criteria {
    Series p, d, c;
  };
  void AddTracking();
  nlohmann::ordered_json Tracking() const;
  nlohmann::ordered_json TerrainSlopes() const;

  const ExperimentConfig& config_;
  const ClosedLoop& loop_;
  const TickColumns& columns_;
  Criteria ncp_, own_;
  Series iterations_, solve_us_, step_us_, control_us_, mpc_us_, wbc_us_, error_[3], gait_error_[3];
  long steps_ = 0, unconverged_ = 0, fallbacks_ = 0, saturated_ = 0, ticks_ = 0;
  double slip_ = 0, path_ = 0, work_ = 0, worst_penetration_ = 0;
  double first_height_ = 0, largest_height_change_ = 0, normal_force_sum_ = 0;
  Eigen::Vector2d start_, last_, wanted_, low_, high_;
};

std::string ProgramVersion();  // as in summary.json

// 64-bit FNV-1a of a text, as 16 hexadecimal digits.
std::string HashText(const std::string& text);

}  // namespace tread
