// One experiment: a controller in closed loop with a simulator, tick by tick.
//
//   state -> Controller::Update -> JointCommand -> substeps of Simulator::Step -> TickRecord
//
// The control period and dt divide one another: several steps per tick, or, where dt is the larger, one step per tick of length dt with
// the command held. Time is counted in whole ticks. Nothing here reads a clock for its logic, writes a file, draws a random number
// or allocates once the run is under way. The exception is controller.timing.mode: thread, whose ticks keep to the wall clock, so that the
// plans of its thread are as old as they would be on a robot; such a run is not reproducible.
#pragma once

#include <Eigen/Core>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "control/controller.h"
#include "experiments/experiment_config.h"
#include "sim/simulator.h"

namespace tread {

enum class Outcome { kCompleted, kFell, kDiverged, kSolverFailed };
const char* Name(Outcome outcome);

// What a foot did over one tick.
struct FootRecord {
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  // [m] world, at the end of the tick
  Eigen::Vector3d force = Eigen::Vector3d::Zero();     // [N] on the robot, world axes, mean over the tick
  double slip = 0;       // [m] tangential path of its loaded contacts during the tick
  bool contact = false;  // carries force at the end
};

// One control tick: criteria are the largest over its steps, iterations and times the sum.
struct TickRecord {
  double t = 0;  // [s] at its end
  std::vector<FootRecord> feet;
  ContactCriteria ncp, rigid, own;
  SolveStatus status = SolveStatus::kConverged;  // the worst
  int iterations = 0, contacts = 0, limits = 0, fallbacks = 0, unconverged = 0, saturated = 0;
  double penetration = 0, anisotropy = 1, normal_force = 0;  // sum of normal forces with the ground [N]
  Eigen::VectorXd tau;                                       // applied, mean [N m]
  Eigen::VectorXd clamped;                                   // share of the steps, per joint
  Mechanics mechanics;
  StepTimes times_us;
  double control_us = 0;
};

// Joint torques of a run as they were applied, after delays and clamping: na numbers [N m] per simulation step.
using TorqueTape = std::vector<double>;

class ClosedLoop {
 public:
  // Throws std::invalid_argument "key = value: remedy" for whatever the config asks that cannot be had.
  explicit ClosedLoop(const ExperimentConfig& config);

  long ticks() const { return ticks_; }             // of the whole run
  double tick_duration() const { return period_; }  // [s]
  int steps_per_tick() const { return substeps_; }
  // Runs one tick and returns its record. False once the run has ended: completed, or an outcome before that.
  bool Tick();
  const TickRecord& record() const { return record_; }

  Outcome outcome() const { return outcome_; }
  const std::string& reason() const { return reason_; }
  double time() const { return simulator_->time(); }

  // Before the first tick. Record: torques are written to the tape (not owned), which allocates. Replay, open loop: the joints get the tape's
  // torques and no feedback, the controller is not asked, and the run ends with the tape at the latest. A tape replayed in the backend
  // that recorded it gives the same run bit for bit.
  void Record(TorqueTape* tape) { recorded_ = tape; }
  void Replay(const TorqueTape* tape);

  const Simulator& simulator() const { return *simulator_; }
  const Controller& controller() const { return *controller_; }
  const Robot* robot() const;  // the controlled one in the simulator; null without

 private:
  void Command();
  void CommandFromTape();
  void Accumulate(const StepReport& report);
  void RecordFeet(const StepReport& report);
  void CheckFall();
  void WaitForTheClock();
  void End(Outcome outcome, const std::string& reason);

  ExperimentConfig config_;
  std::unique_ptr<Simulator> simulator_;
  std::unique_ptr<Controller> controller_;
  std::vector<int> foot_of_geometry_;  // -1: none
  double period_ = 0;
  int substeps_ = 1;
  long ticks_ = 0, tick_ = 0;
  bool ended_ = false, real_time_ = false;
  std::chrono::steady_clock::time_point start_;  // of the first tick, where real_time_
  Outcome outcome_ = Outcome::kCompleted;
  std::string reason_;
  State truth_, observed_;  // of the controlled robot: as it is, and as the controller sees it
  Observer observer_;
  JointCommand command_;
  TickRecord record_;
  TorqueTape* recorded_ = nullptr;
  const TorqueTape* replayed_ = nullptr;
  std::size_t at_tape_ = 0;
};

}  // namespace tread
