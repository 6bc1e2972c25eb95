// From contacts and joint limits to the contact problem of one step, by the structure of the scene.
//
//   G = J M^-1 J' = Y' Y,   Y = L^-T J',   M = L' L per system (robots/tree_factor.h)
//
// A block (contact: 3 rows t1, t2, n; limit: 1 row) touches one or two bodies, and each of these moves with the dofs on its chain to the
// root: J and Y are stored on these chains only, 3 x (6 + 3) for the foot of a quadruped. Two blocks couple through the
// dofs their chains share: the base's six for two feet of one robot, none for two fingers of a hand on a fixed palm.
//
// Targets c*_n and compliance R_n follow docs/math.md, equations (3) and (4): with gap phi, step dt, Baumgarte kb,
//   phi > 0: -phi/dt^2      phi <= 0: kb (-phi)/dt^2      new impact: at least -e (J v)_n / dt
//   k > 0: R_n = n / (dt (dt k + b)), kb = dt k / (dt k + b), n the points of the pair that touch or close within the step; restitution
//   is then left to the spring
// With `regularisation`, contacts get R and c* of MuJoCo or Drake instead (sim/stepping/regularisation.h).
// A joint limit is the same with phi the distance to the limit [rad].
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/contact/contact.h"
#include "sim/contact/contact_problem.h"
#include "sim/scene.h"
#include "sim/stepping/regularisation.h"

namespace tread {

struct TargetConfig {
  double baumgarte =
      0.01;  // kb of rigid contacts and of limits, 0 to 1; too high: bodies that overlap jump apart
  double impact_speed = 0.01;  // [m/s] slower approaches do not bounce
  double limit_margin = 0.01;  // [rad] or [m]: a limit nearer than this + dt |v| gets its row
  RegularisationConfig regularisation;
};

// One joint at one of its limits.
struct LimitRow {
  ContactId id = 0;
  int system = 0, dof = 0;  // dof within the system
  double sign = 1;          // +1 at the lower limit, -1 at the upper: sign (q - limit) = distance
  double distance = 0;      // [rad] or [m]
};

class Assembler {
 public:
  Assembler(const Scene& scene, const TargetConfig& config);  // keeps a reference to the scene

  // The scene's systems hold the terms at the start of the step, where the velocity is v and the state q. rebounds[i]: contact i may start an
  // impact (it did not carry force in the step before).
  void Assemble(std::span<const Contact> contacts, std::span<const char> rebounds, const State& state,
                const Eigen::VectorXd& v_free, double dt, ContactProblem* problem);

  void Reserve(int blocks);  // room for so many

  std::span<const LimitRow> limits() const { return limits_; }

  // v += dt M^-1 J' lambda; scratch has the size of v.
  void AddImpulses(const RowVector& lambda, double dt, Eigen::VectorXd* scratch, Eigen::VectorXd* v) const;

 private:
  // The part of a block's rows that acts on one system.
  struct Side {
    int system = -1, body = 0;
    std::span<const int> chain;  // dofs within the system
    int start = 0;               // of its columns in J_ and Y_: rows x chain.size(), column major
  };
  struct Block {
    int rows = 3;
    std::array<Side, 2> sides;
    int side_count = 0;
  };

  void AddContact(const Contact& contact);
  void AddLimits(const State& state, double dt);
  void AddLimit(std::size_t system, int joint, bool upper, double distance);
  Side* AddSide(Block* block, int system, int body, int rows);
  int Shared(const Side& a, const Side& b) const;
  void FindPairs();
  void DelassusBlock(const Block& a, const Block& b, double* out) const;
  void FillDelassus(BlockMatrix* G);
  void FillVectors(std::span<const Contact> contacts, std::span<const char> rebounds, const State& state,
                   const Eigen::VectorXd& v_free, double dt, ContactProblem* problem);
  double RowTimes(const Block& block, int row, const Eigen::VectorXd& v) const;  // (J v)_row

  const Scene& scene_;
  TargetConfig config_;
  std::vector<std::vector<int>>
      shared_;  // [system][body a * bodies + body b]: how many dofs both chains begin with
  std::vector<std::vector<int>> body_of_dof_;  // [system][dof]
  std::vector<Block> blocks_;
  std::vector<LimitRow> limits_;
  std::vector<double> J_, Y_;
  std::vector<int> sizes_, cursor_;
  std::vector<std::pair<int, int>> pairs_;
  std::vector<std::vector<int>> touching_;  // blocks per system, for large problems
};

}  // namespace tread
