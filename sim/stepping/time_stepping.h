// Velocity-level time stepping around any contact solver.
//
//   v_free = v + dt M^-1 (tau - h),   M v+ = M v_free + dt J' lambda,   q+ = q (+) dt v+
//
// with lambda from the contact problem at (q, v) (sim/stepping/assembly.h). Semi-implicit Euler: first order, the energy of a free fall
// sinks by m (g dt)^2 / 2 per step, contacts neither stick out nor sink in by more than the solver's accuracy. The linear velocity of a
// floating base is stepped in world axes and its gyroscopic torque implicitly (robots/robot.h).
//
// Forces of the step before start the solver (by contact id), and so do the dual and the penalty of solvers that have them. A contact rebounds only if it carried no force in the step before: each
// touch bounces once, at the velocity it had before the step.
// Reference: Le Lidec et al. 2023, section II; Stewart and Trinkle 1996; Anitescu 2006.
#pragma once

#include <memory>
#include <string>

#include "sim/contact/contact_solver.h"
#include "sim/scene.h"
#include "sim/simulator.h"
#include "sim/stepping/assembly.h"

namespace tread {

struct SimConfig {
  std::string backend = "ncp_pgs";
  double dt = 0.001;  // [s]
  double margin =
      0.002;  // [m] a contact is looked at from this distance on, and earlier the faster it closes
  bool warm_start = true;  // forces of the step before as first guess
  TargetConfig target;
  ContactSolverConfig contact;
  std::string on_failure = "keep";  // keep | fallback:NAME | stop
};

// law: what the solver claims. Throws std::invalid_argument for an unknown fallback.
std::unique_ptr<Simulator> MakeTimeStepping(std::unique_ptr<Scene> scene, const SimConfig& config,
                                            std::unique_ptr<ContactSolver> solver, ContactLaw law);

}  // namespace tread
