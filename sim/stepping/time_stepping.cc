#include "sim/stepping/time_stepping.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>

#include "sim/collision/detector.h"
#include "sim/contact/solver_table.h"

namespace tread {
namespace {

using Eigen::VectorXd;

// Microseconds since the last call.
class Stopwatch {
 public:
  double Lap() {
    const auto now = std::chrono::steady_clock::now();
    const double us = std::chrono::duration<double, std::micro>(now - last_).count();
    last_ = now;
    return us;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

// What a contact or limit leaves to the next step.
struct Memory {
  ContactId id = 0;
  Eigen::Vector3d lambda = Eigen::Vector3d::Zero();
  Eigen::Vector3d dual = Eigen::Vector3d::Zero();  // of solvers that keep one
};

class TimeStepping final : public Simulator {
 public:
  TimeStepping(std::unique_ptr<Scene> scene, const SimConfig& config, std::unique_ptr<ContactSolver> solver,
               ContactLaw law);

  void Reset(const State& state) override;
  const StepReport& Step(const JointCommand& command) override;
  const State& state() const override { return state_; }
  double time() const override { return static_cast<double>(step_) * config_.dt; }
  double dt() const override { return config_.dt; }
  const Scene& scene() const override { return *scene_; }
  Snapshot Save() const override;
  void Restore(const Snapshot& snapshot) override;
  const ContactProblem* problem() const override { return &problem_; }

 private:
  void ComputeFreeVelocity(const JointCommand& command);
  void StartSolution();
  bool Solve();
  void Judge();
  void JudgeRigid();
  void UpdateState();
  void RememberForces();
  void MeasureMechanics();
  ContactId BlockId(std::size_t block) const;
  const Memory* Recall(ContactId id) const;

  std::unique_ptr<Scene> scene_;
  SimConfig config_;
  std::unique_ptr<ContactSolver> solver_, fallback_;
  ContactLaw law_;
  Detector detector_;
  Assembler assembler_;

  State state_, next_;
  std::int64_t step_ = 0;
  std::vector<Contact> contacts_;
  std::vector<char> rebounds_;
  std::vector<Memory> memory_;  // sorted by id
  double rho_ = 0;              // what the solver left of its penalty; 0: it has none
  ContactProblem problem_;
  ContactSolution solution_;
  VectorXd tau_, v_free_, scratch_;
  RowVector sigma_, rigid_sigma_;
  StepReport report_;
};

TimeStepping::TimeStepping(std::unique_ptr<Scene> scene, const SimConfig& config,
                           std::unique_ptr<ContactSolver> solver, ContactLaw law)
    : scene_(std::move(scene)),
      config_(config),
      solver_(std::move(solver)),
      law_(law),
      detector_(*scene_),
      assembler_(*scene_, config.target) {
  const std::string prefix = "fallback:";
  if (config.on_failure.rfind(prefix, 0) == 0) {
    const SolverEntry* entry = FindSolver(config.on_failure.substr(prefix.size()));
    if (entry == nullptr)
      throw std::invalid_argument("sim.contact.on_failure = " + config.on_failure +
                                  ": no such contact solver");
    fallback_ = entry->make(config.contact);
  }
  tau_.resize(scene_->nv());
  v_free_.resize(scene_->nv());
  scratch_.resize(scene_->nv());
  const std::size_t most = 8 * scene_->geometries.size() + 64;
  contacts_.reserve(most);
  memory_.reserve(most);
  rebounds_.reserve(most);
  const int blocks = static_cast<int>(most) + scene_->na();
  problem_.Reserve(blocks);
  assembler_.Reserve(blocks);
  for (RowVector* x : {&solution_.lambda, &solution_.dual, &sigma_, &rigid_sigma_}) x->reserve(3 * blocks);
  report_.tau_applied.setZero(scene_->na());
  report_.clamped.setZero(scene_->na());
  Reset(scene_->initial);
}

void TimeStepping::Reset(const State& state) {
  if (state.q.size() != scene_->nq() || state.v.size() != scene_->nv())
    throw std::invalid_argument("Reset: the state does not fit the scene");
  state_ = next_ = state;
  step_ = 0;
  memory_.clear();
  rho_ = 0;
  detector_.set_memory({});
  scene_->ComputeTerms(state_);
}

void TimeStepping::ComputeFreeVelocity(const JointCommand& command) {
  tau_.setZero();
  report_.saturated = 0;
  for (std::size_t s = 0; s < scene_->systems.size(); ++s) {
    const Robot& robot = *scene_->systems[s];
    const int q = scene_->q_offset[s] + robot.nq() - robot.na(),
              v = scene_->v_offset[s] + robot.first_actuated();
    for (int i = 0; i < robot.na(); ++i) {
      const int a = scene_->a_offset[s] + i;
      const double wanted = command.tau[a] + command.kp[a] * (command.q[a] - state_.q[q + i]) +
                            command.kd[a] * (command.v[a] - state_.v[v + i]);
      const double limit = scene_->effort_limit()[a];
      const double given = std::clamp(wanted, -limit, limit);
      report_.clamped[a] = given != wanted ? 1 : 0;
      if (given != wanted) ++report_.saturated;
      tau_[v + i] = report_.tau_applied[a] = given;
    }
  }
  scene_->AddWrenches(time(), config_.dt, &tau_);
  for (std::size_t s = 0; s < scene_->systems.size(); ++s) {
    const int o = scene_->v_offset[s], n = scene_->systems[s]->nv();
    scene_->systems[s]->ComputeFreeAcceleration(config_.dt, tau_.segment(o, n), v_free_.segment(o, n));
  }
  v_free_ = state_.v + config_.dt * v_free_;
}

ContactId TimeStepping::BlockId(std::size_t block) const {
  return block < contacts_.size() ? contacts_[block].id : assembler_.limits()[block - contacts_.size()].id;
}

const Memory* TimeStepping::Recall(ContactId id) const {
  const auto found = std::lower_bound(memory_.begin(), memory_.end(), id,
                                      [](const Memory& m, ContactId wanted) { return m.id < wanted; });
  return found != memory_.end() && found->id == id ? &*found : nullptr;
}

void TimeStepping::StartSolution() {
  solution_.lambda.setZero(problem_.rows());
  solution_.rho = config_.warm_start ? rho_ : 0;
  solution_.dual.setZero(solution_.rho > 0 ? problem_.rows() : 0);
  if (!config_.warm_start) return;
  for (int i = 0; i < problem_.block_count(); ++i) {
    const Memory* memory = Recall(BlockId(static_cast<std::size_t>(i)));
    if (memory == nullptr) continue;
    const int size = problem_.G.size(i);
    solution_.lambda.segment(problem_.G.offset(i), size) = memory->lambda.head(size);
    if (rho_ > 0) solution_.dual.segment(problem_.G.offset(i), size) = memory->dual.head(size);
  }
}

// False when no usable forces came out.
bool TimeStepping::Solve() {
  StartSolution();
  report_.fallbacks = 0;
  report_.status = solver_->Solve(problem_, &solution_);
  report_.iterations = solution_.iterations;
  if (report_.status != SolveStatus::kConverged && fallback_) {
    rho_ = 0;  // belongs to the solver that gave up
    StartSolution();
    report_.status = fallback_->Solve(problem_, &solution_);
    report_.iterations += solution_.iterations;
    report_.fallbacks = 1;
  }
  return report_.status != SolveStatus::kFailed;
}

void TimeStepping::Judge() {
  ComputeSigma(problem_, solution_.lambda, &sigma_);
  report_.ncp = report_.own = tread::Judge(ContactLaw::kNcp, problem_, solution_.lambda, sigma_);
  if (law_ != ContactLaw::kNcp) report_.own = tread::Judge(law_, problem_, solution_.lambda, sigma_);
  report_.rigid = report_.ncp;
  JudgeRigid();

  report_.anisotropy = 1;
  report_.penetration = 0;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    Contact& c = contacts_[i];
    const int block = static_cast<int>(i), o = problem_.G.offset(block);
    c.force = solution_.lambda.segment<3>(o);
    c.velocity = config_.dt * (sigma_.segment<3>(o) - problem_.R.segment<3>(o).cwiseProduct(c.force) +
                               problem_.target.segment<3>(o));
    report_.penetration = std::max(report_.penetration, -c.gap);
    const double* G = problem_.G.diagonal_data(block);  // 3 x 3
    const double largest = 0.5 * (G[0] + G[4]) + std::hypot(0.5 * (G[0] - G[4]), G[1]);
    report_.anisotropy = std::max(report_.anisotropy, largest / std::max(1e-300, std::min(G[0], G[4])));
  }
}

// A compliant contact against the rigid law: no compliance, and a target that only forbids to close a gap.
void TimeStepping::JudgeRigid() {
  if (problem_.R.isZero(0)) return;
  rigid_sigma_ = sigma_ - problem_.R.cwiseProduct(solution_.lambda);
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const int n = problem_.G.offset(static_cast<int>(i)) + 2;
    if (problem_.R[n] == 0) continue;
    rigid_sigma_.segment<3>(n - 2) += problem_.target.segment<3>(n - 2);
    rigid_sigma_[n] += std::max(0.0, contacts_[i].gap) / (config_.dt * config_.dt);
  }
  report_.rigid = tread::Judge(ContactLaw::kNcp, problem_, solution_.lambda, rigid_sigma_);
}

void TimeStepping::UpdateState() {
  next_.v = v_free_;
  assembler_.AddImpulses(solution_.lambda, config_.dt, &scratch_, &next_.v);
  next_.q = state_.q;
  for (std::size_t s = 0; s < scene_->systems.size(); ++s) {
    const Robot& robot = *scene_->systems[s];
    robot.Integrate(config_.dt, next_.q.segment(scene_->q_offset[s], robot.nq()),
                    next_.v.segment(scene_->v_offset[s], robot.nv()));
  }
}

void TimeStepping::RememberForces() {
  memory_.clear();
  rho_ = solution_.rho;
  for (int i = 0; i < problem_.block_count(); ++i) {
    const int o = problem_.G.offset(i), size = problem_.G.size(i);
    if (solution_.lambda[o + size - 1] <= 0) continue;  // an open contact leaves nothing
    Memory& m = memory_.emplace_back();
    m.id = BlockId(static_cast<std::size_t>(i));
    m.lambda.head(size) = solution_.lambda.segment(o, size);
    if (rho_ > 0) m.dual.head(size) = solution_.dual.segment(o, size);
  }
  std::sort(memory_.begin(), memory_.end(), [](const Memory& a, const Memory& b) { return a.id < b.id; });
}

void TimeStepping::MeasureMechanics() {
  Mechanics& m = report_.mechanics;
  m = {};
  for (std::size_t s = 0; s < scene_->systems.size(); ++s) {
    const Robot& robot = *scene_->systems[s];
    m.kinetic += robot.KineticEnergy(state_.v.segment(scene_->v_offset[s], robot.nv()));
    m.potential += robot.PotentialEnergy();
    m.linear_momentum += robot.LinearMomentum();
    m.angular_momentum += robot.AngularMomentum();
  }
}

const StepReport& TimeStepping::Step(const JointCommand& command) {
  Stopwatch watch;
  StepTimes& times = report_.times_us;
  ComputeFreeVelocity(command);
  times.dynamics = watch.Lap();

  detector_.Detect(config_.margin, config_.dt, &contacts_);
  report_.contacts = contacts_;
  times.collision = watch.Lap();

  rebounds_.clear();
  for (const Contact& c : contacts_) rebounds_.push_back(Recall(c.id) == nullptr);
  assembler_.Assemble(contacts_, rebounds_, state_, v_free_, config_.dt, &problem_);
  report_.limits = static_cast<int>(assembler_.limits().size());
  times.assembly = watch.Lap();

  const bool solved = Solve();
  times.solve = watch.Lap();
  if (!solved) return report_;

  Judge();
  times.judge = watch.Lap();

  UpdateState();
  if (!next_.q.allFinite() || !next_.v.allFinite()) {
    report_.status = SolveStatus::kFailed;
    return report_;
  }
  RememberForces();
  std::swap(state_, next_);
  ++step_;
  times.integrate = watch.Lap();

  scene_->ComputeTerms(state_);
  MeasureMechanics();
  times.dynamics += watch.Lap();
  return report_;
}

Snapshot TimeStepping::Save() const {
  Snapshot snapshot{state_, step_, {}, {}};
  snapshot.words.push_back(memory_.size());
  snapshot.numbers.push_back(rho_);
  for (const Memory& m : memory_) {
    snapshot.words.push_back(m.id);
    snapshot.numbers.insert(snapshot.numbers.end(), m.lambda.data(), m.lambda.data() + 3);
    snapshot.numbers.insert(snapshot.numbers.end(), m.dual.data(), m.dual.data() + 3);
  }
  for (const Detector::PatchPoint& p : detector_.memory()) {
    snapshot.words.push_back(p.pair);
    snapshot.words.push_back(p.feature);
    snapshot.numbers.insert(snapshot.numbers.end(), p.place.data(), p.place.data() + 3);
  }
  return snapshot;
}

void TimeStepping::Restore(const Snapshot& snapshot) {
  Reset(snapshot.state);
  step_ = snapshot.step;
  const auto forces = static_cast<std::size_t>(snapshot.words.at(0));
  rho_ = snapshot.numbers.at(0);
  const double* number = snapshot.numbers.data() + 1;
  for (std::size_t i = 0; i < forces; ++i, number += 6)
    memory_.push_back({snapshot.words.at(1 + i), Eigen::Vector3d(number), Eigen::Vector3d(number + 3)});
  std::vector<Detector::PatchPoint> points;
  for (std::size_t i = 1 + forces; i + 1 < snapshot.words.size(); i += 2, number += 3) {
    points.push_back({snapshot.words[i], static_cast<std::uint32_t>(snapshot.words[i + 1]),
                      Eigen::Map<const Eigen::Vector3d>(number)});
  }
  detector_.set_memory(points);
}

}  // namespace

std::unique_ptr<Simulator> MakeTimeStepping(std::unique_ptr<Scene> scene, const SimConfig& config,
                                            std::unique_ptr<ContactSolver> solver, ContactLaw law) {
  return std::make_unique<TimeStepping>(std::move(scene), config, std::move(solver), law);
}

}  // namespace tread
