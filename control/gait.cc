#include "control/gait.h"

#include <cmath>
#include <stdexcept>

namespace tread {
namespace {

struct Named {
  const char* name;
  double period, duty;
  std::array<double, 4> offsets;  // FL, FR, HL, HR
};

constexpr Named kGaits[] = {
    {"trot", 0.32, 0.5, {0, 0.5, 0.5, 0}},  {"pace", 0.2, 0.6, {0, 0.5, 0, 0.5}},
    {"bound", 0.16, 0.6, {0, 0, 0.5, 0.5}}, {"walk", 0.32, 0.75, {0, 0.5, 0.75, 0.25}},
    {"stand", 0.32, 1.0, {0, 0, 0, 0}},
};

}  // namespace

Gait::Gait(const GaitConfig& config, double start, double tick) : tick_(tick) {
  const Named* named = nullptr;
  for (const Named& gait : kGaits) {
    if (config.type == gait.name) named = &gait;
  }
  if (named == nullptr)
    throw std::invalid_argument("controller.gait.type = " + config.type +
                                ": one of trot, walk, pace, bound, stand");
  duty_ = config.duty > 0 ? config.duty : named->duty;
  if (config.type == "stand") duty_ = 1;
  period_ = std::lround((config.period > 0 ? config.period : named->period) / tick);
  if (period_ < 4)
    throw std::invalid_argument("controller.gait.period = " + std::to_string(config.period) + ": too short");
  stance_ = std::lround(duty_ * static_cast<double>(period_));
  if (!config.offsets.empty() && config.offsets.size() != 4)
    throw std::invalid_argument("controller.gait.offsets = [...]: four phases are due, FL, FR, HL, HR");
  for (std::size_t i = 0; i < 4; ++i) {
    const double offset = config.offsets.empty() ? named->offsets[i] : config.offsets[i];
    offsets_[i] = std::lround((offset - std::floor(offset)) * static_cast<double>(period_)) % period_;
  }
  start_ = static_cast<long>(std::ceil(start / tick - 1e-9));
  if (config.stop > 0) {
    const double periods =
        std::ceil((config.stop / tick - static_cast<double>(start_)) / static_cast<double>(period_) - 1e-9);
    stop_ = start_ + std::max(0L, static_cast<long>(periods)) * period_;
  }
}

long Gait::PhaseTick(int foot, long tick) const {
  return ((tick - start_) % period_ + offsets_[static_cast<std::size_t>(foot)]) % period_;
}

bool Gait::Stance(int foot, long tick) const {
  return !Moving(tick) || PhaseTick(foot, tick) < stance_;
}

double Gait::SwingPhase(int foot, long tick) const {
  if (Stance(foot, tick)) return 0;
  return static_cast<double>(PhaseTick(foot, tick) - stance_) / static_cast<double>(period_ - stance_);
}

long Gait::TicksToTouchdown(int foot, long tick) const {
  return Stance(foot, tick) ? 0 : period_ - PhaseTick(foot, tick);
}

}  // namespace tread
