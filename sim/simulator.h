// The one interface that controllers, logs and studies see; every backend stands behind it.
//
// A step takes the state from t to t + dt under one joint command. tau = clamp(tau_ff + kp (q* - q) + kd (v* - v)) is
// evaluated by the backend, at every step of its own, so that an implicit one may treat it implicitly.
// The report of a step is written by the judge and by clocks, never by the solver itself (sim/contact/criteria.h).
// A Simulator serves one thread; its Step does not allocate once the number of contacts has been seen before.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "robots/state.h"
#include "sim/contact/contact.h"
#include "sim/contact/contact_problem.h"
#include "sim/contact/contact_solver.h"
#include "sim/contact/criteria.h"

namespace tread {

class Scene;

// Wall-clock times of one step [us].
struct StepTimes {
  double dynamics = 0;  // mass matrix, bias forces, free velocity, energy
  double collision = 0;
  double assembly = 0;  // Jacobians, Delassus matrix, targets
  double solve = 0;
  double judge = 0;
  double integrate = 0;  // contact impulses, next state, report
  double total() const { return dynamics + collision + assembly + solve + judge + integrate; }
};

// Of the whole scene, at the end of the step.
struct Mechanics {
  double kinetic = 0, potential = 0;                           // [J]
  Eigen::Vector3d linear_momentum = Eigen::Vector3d::Zero();   // [kg m/s], world axes
  Eigen::Vector3d angular_momentum = Eigen::Vector3d::Zero();  // [kg m^2/s], about the world origin
  double energy() const { return kinetic + potential; }
};

struct StepReport {
  std::span<const Contact> contacts;  // valid until the next Step; those without force are there too
  ContactCriteria ncp;                // the judge, exact law, with the problem's compliance
  ContactCriteria rigid;              // the same without compliance: equal to ncp where R = 0
  ContactCriteria own;                // the law the backend claims
  SolveStatus status = SolveStatus::kConverged;
  int iterations = 0, substeps = 1;
  int fallbacks = 0;            // solves repeated with another solver (on_failure)
  int limits = 0;               // joint-limit rows in the problem
  int saturated = 0;            // joints whose torque was clamped
  Eigen::VectorXd tau_applied;  // after clamping, mean over the step [N m]
  Eigen::VectorXd clamped;      // per joint, share of the step in which its torque was clamped
  double penetration = 0;       // deepest, at the start of the step [m]
  double anisotropy = 1;        // largest lambda_max(G_TT) / min(G_xx, G_yy) over the contacts
  Mechanics mechanics;
  StepTimes times_us;
};

// Everything that decides the future of a simulation, in a form that only the backend that made it reads.
struct Snapshot {
  State state;
  std::int64_t step = 0;
  std::vector<std::uint64_t> words;
  std::vector<double> numbers;
};

class Simulator {
 public:
  virtual ~Simulator() = default;

  virtual void Reset(const State& state) = 0;  // time 0; forgets warm starts, anchors, contact history
  // Advances by dt(). A step that failed (status failed) leaves state and time as they were.
  virtual const StepReport& Step(const JointCommand& command) = 0;
  virtual const State& state() const = 0;
  virtual double time() const = 0;         // [s], steps x dt
  virtual double dt() const = 0;           // [s]
  virtual const Scene& scene() const = 0;  // its robots hold the terms of state()

  virtual Snapshot Save() const = 0;
  virtual void Restore(const Snapshot& snapshot) = 0;  // continues bit for bit

  // The contact problem of the last step and the forces found, for recording; null when a backend has none.
  virtual const ContactProblem* problem() const { return nullptr; }
};

}  // namespace tread
