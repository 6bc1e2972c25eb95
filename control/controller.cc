#include "control/controller.h"

#include <stdexcept>

#include "control/centroidal_controller.h"
#include "control/stand.h"

namespace tread {
namespace {

// No torque at all.
class Passive final : public Controller {
 public:
  explicit Passive(int na) : command_(JointCommand::Zero(na)) {}
  void Reset(const State&) override {}
  const JointCommand& Update(const Observation&) override { return command_; }
  const ControlReport& report() const override { return report_; }

 private:
  JointCommand command_;
  ControlReport report_;
};

std::unique_ptr<Controller> MakePassive(const ControllerConfig&, std::unique_ptr<Robot> model,
                                        const GroundHeight&) {
  return std::make_unique<Passive>(model ? model->na() : 0);
}

}  // namespace

const std::vector<ControllerEntry>& ControllerTable() {
  static const std::vector<ControllerEntry> table = {
      {"passive", "no torque", MakePassive},
      {"stand", "holds the initial pose: joint PD and the torques that carry the weight", MakeStand},
      {"centroidal", "walks: gait, footsteps, centroidal MPC, whole-body control", MakeCentroidal},
  };
  return table;
}

std::unique_ptr<Controller> MakeController(const ControllerConfig& config, std::unique_ptr<Robot> model,
                                           const GroundHeight& ground) {
  for (const ControllerEntry& entry : ControllerTable()) {
    if (config.type == entry.name) return entry.make(config, std::move(model), ground);
  }
  throw std::invalid_argument("controller.type = " + config.type + ": unknown; see 'tread list controllers'");
}

}  // namespace tread
