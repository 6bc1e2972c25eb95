#include "control/velocity_command.h"

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace tread {
namespace {

std::vector<CommandKnot> ReadKnots(const std::string& path) {
  std::ifstream file(path);
  const std::string what = "command.file = " + path;
  if (!file) throw std::invalid_argument(what + ": cannot be opened; name a text file of lines 't vx vy wz'");
  std::vector<CommandKnot> knots;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    std::istringstream words(line.substr(0, line.find('#')));
    CommandKnot k;
    if (!(words >> std::ws) || words.eof()) continue;
    std::string rest;
    const bool whole = static_cast<bool>(words >> k.t >> k.vx >> k.vy >> k.wz) && !(words >> rest);
    if (!whole || (!knots.empty() && k.t <= knots.back().t)) {
      throw std::invalid_argument(what + ", line " + std::to_string(number) +
                                  ": expected 't vx vy wz' with t later than the line before");
    }
    knots.push_back(k);
  }
  if (knots.empty()) throw std::invalid_argument(what + ": no knots in it; write lines 't vx vy wz'");
  return knots;
}

}  // namespace

VelocityCommand::VelocityCommand(const CommandConfig& config)
    : knots_(config.file.empty() ? config.knots : ReadKnots(config.file)) {
  if (knots_.empty()) {
    knots_ = {{config.start, 0, 0, 0}, {config.start + config.ramp, config.vx, config.vy, config.wz}};
  }
  last_change_ = knots_.size() - 1;
}

Eigen::Vector3d VelocityCommand::At(double t) const {
  const auto value = [](const CommandKnot& k) { return Eigen::Vector3d(k.vx, k.vy, k.wz); };
  if (t <= knots_.front().t) return value(knots_.front());
  for (std::size_t i = 1; i < knots_.size(); ++i) {
    if (t >= knots_[i].t) continue;
    const double s = (t - knots_[i - 1].t) / (knots_[i].t - knots_[i - 1].t);
    const Eigen::Vector3d from = value(knots_[i - 1]);
    return from + (value(knots_[i]) - from) * (s * s * (3 - 2 * s));
  }
  return value(knots_.back());
}

}  // namespace tread
