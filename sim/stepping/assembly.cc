#include "sim/stepping/assembly.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace tread {
namespace {

using Eigen::Vector3d;

// Dofs that both chains begin with: the only ones they can share, a chain being the way from the root.
int CommonPrefix(const std::vector<int>& a, const std::vector<int>& b) {
  const auto end = std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first;
  return static_cast<int>(end - a.begin());
}

// out (rows_a x rows_b) += sum of p_k q_k' over the first `shared` columns. Fixed sizes where they are known.
template <int A, int B>
void AddOuter(const double* p, const double* q, int shared, int rows_a, int rows_b, double* out) {
  const int na = A > 0 ? A : rows_a, nb = B > 0 ? B : rows_b;
  double sum[9] = {};
  for (int k = 0; k < shared; ++k, p += na, q += nb) {
    for (int c = 0; c < nb; ++c) {
      for (int r = 0; r < na; ++r) sum[c * na + r] += p[r] * q[c];
    }
  }
  for (int e = 0; e < na * nb; ++e) out[e] += sum[e];
}

// Contacts beyond this number look for their neighbours by system instead of trying every pair.
constexpr std::size_t kFewBlocks = 24;

}  // namespace

Assembler::Assembler(const Scene& scene, const TargetConfig& config) : scene_(scene), config_(config) {
  for (const auto& robot : scene.systems) {
    const std::vector<Body>& bodies = robot->bodies();
    std::vector<int>& shared = shared_.emplace_back();
    for (const Body& a : bodies) {
      for (const Body& b : bodies) shared.push_back(CommonPrefix(a.chain, b.chain));
    }
    std::vector<int>& owner = body_of_dof_.emplace_back(static_cast<std::size_t>(robot->nv()), 0);
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      if (!bodies[b].chain.empty())
        owner[static_cast<std::size_t>(bodies[b].chain.back())] = static_cast<int>(b);
    }
  }
  touching_.resize(scene.systems.size());
}

void Assembler::Reserve(int blocks) {
  const auto n = static_cast<std::size_t>(blocks);
  std::size_t longest = 0;
  for (const auto& robot : scene_.systems) {
    for (const Body& body : robot->bodies()) longest = std::max(longest, body.chain.size());
  }
  blocks_.reserve(n);
  limits_.reserve(n);
  sizes_.reserve(n);
  cursor_.reserve(n);
  pairs_.reserve(16 * n);
  J_.reserve(6 * longest * n);
  Y_.reserve(6 * longest * n);
  for (std::vector<int>& list : touching_) list.reserve(64);
}

Assembler::Side* Assembler::AddSide(Block* block, int system, int body, int rows) {
  Side& side = block->sides[static_cast<std::size_t>(block->side_count++)];
  side.system = system;
  side.body = body;
  side.chain =
      scene_.systems[static_cast<std::size_t>(system)]->bodies()[static_cast<std::size_t>(body)].chain;
  side.start = static_cast<int>(J_.size());
  J_.resize(J_.size() + static_cast<std::size_t>(rows) * side.chain.size());
  return &side;
}

void Assembler::AddContact(const Contact& contact) {
  Block& block = blocks_.emplace_back();
  block.rows = 3;
  // t . (linear + angular x p) = t . linear + (p x t) . angular
  Eigen::Matrix3d moments;
  for (int r = 0; r < 3; ++r) moments.col(r) = contact.point.cross(contact.frame.col(r));
  const auto add = [&](const BodyRef& ref, double sign) {
    const Side* side = AddSide(&block, ref.system, ref.body, 3);
    const Robot& robot = *scene_.systems[static_cast<std::size_t>(ref.system)];
    double* out = J_.data() + side->start;
    for (const int k : side->chain) {
      const double* j = robot.J_world().data() + 6 * k;
      for (int r = 0; r < 3; ++r) {
        const double *t = contact.frame.data() + 3 * r, *m = moments.data() + 3 * r;
        *out++ = sign * (t[0] * j[0] + t[1] * j[1] + t[2] * j[2] + m[0] * j[3] + m[1] * j[4] + m[2] * j[5]);
      }
    }
  };
  if (contact.body1.system >= 0) add(contact.body1, -1);
  add(contact.body2, 1);
}

void Assembler::AddLimits(const State& state, double dt) {
  limits_.clear();
  for (std::size_t s = 0; s < scene_.systems.size(); ++s) {
    const Robot& robot = *scene_.systems[s];
    const auto q = state.q.segment(scene_.q_offset[s] + robot.nq() - robot.na(), robot.na());
    const auto v = state.v.segment(scene_.v_offset[s] + robot.first_actuated(), robot.na());
    for (int i = 0; i < robot.na(); ++i) {
      const double reach = config_.limit_margin + dt * std::abs(v[i]);
      const double low = q[i] - robot.q_min()[i], high = robot.q_max()[i] - q[i];
      if (low <= reach) AddLimit(s, i, false, low);
      if (high <= reach) AddLimit(s, i, true, high);
    }
  }
}

void Assembler::AddLimit(std::size_t s, int joint, bool upper, double distance) {
  const int dof = scene_.systems[s]->first_actuated() + joint;
  const ContactId id = ContactId{1} << 63 | static_cast<ContactId>(s) << 32 |
                       static_cast<ContactId>(2 * dof + (upper ? 1 : 0));
  limits_.push_back({id, static_cast<int>(s), dof, upper ? -1.0 : 1.0, distance});
  Block& block = blocks_.emplace_back();
  block.rows = 1;
  const Side* side = AddSide(&block, static_cast<int>(s), body_of_dof_[s][static_cast<std::size_t>(dof)], 1);
  std::fill(J_.begin() + side->start, J_.end(), 0.0);
  J_.back() = limits_.back().sign;
}

int Assembler::Shared(const Side& a, const Side& b) const {
  if (a.system != b.system) return 0;
  const auto s = static_cast<std::size_t>(a.system);
  return shared_[s][static_cast<std::size_t>(a.body) * scene_.systems[s]->bodies().size() +
                    static_cast<std::size_t>(b.body)];
}

void Assembler::FindPairs() {
  pairs_.clear();
  const auto couple = [&](std::size_t i, std::size_t j) {
    for (int a = 0; a < blocks_[i].side_count; ++a) {
      for (int b = 0; b < blocks_[j].side_count; ++b) {
        if (Shared(blocks_[i].sides[static_cast<std::size_t>(a)],
                   blocks_[j].sides[static_cast<std::size_t>(b)]) > 0)
          return true;
      }
    }
    return false;
  };
  if (blocks_.size() <= kFewBlocks) {
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      for (std::size_t j = i + 1; j < blocks_.size(); ++j) {
        if (couple(i, j)) pairs_.emplace_back(static_cast<int>(i), static_cast<int>(j));
      }
    }
    return;
  }
  for (std::vector<int>& list : touching_) list.clear();
  for (std::size_t j = 0; j < blocks_.size(); ++j) {
    for (int side = 0; side < blocks_[j].side_count; ++side) {
      std::vector<int>& list =
          touching_[static_cast<std::size_t>(blocks_[j].sides[static_cast<std::size_t>(side)].system)];
      for (const int i : list) {
        if (i != static_cast<int>(j) && couple(static_cast<std::size_t>(i), j))
          pairs_.emplace_back(i, static_cast<int>(j));
      }
      list.push_back(static_cast<int>(j));
    }
  }
  std::sort(pairs_.begin(), pairs_.end());
  pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
}

void Assembler::Assemble(std::span<const Contact> contacts, std::span<const char> rebounds,
                         const State& state, const Eigen::VectorXd& v_free, double dt,
                         ContactProblem* problem) {
  blocks_.clear();
  J_.clear();
  for (const Contact& contact : contacts) AddContact(contact);
  AddLimits(state, dt);
  Y_ = J_;
  sizes_.clear();
  problem->types.clear();
  for (const Block& block : blocks_) {
    sizes_.push_back(block.rows);
    problem->types.push_back(block.rows == 3 ? BlockType::kCoulomb : BlockType::kLimit);
    for (int side = 0; side < block.side_count; ++side) {
      const Side& s = block.sides[static_cast<std::size_t>(side)];
      scene_.systems[static_cast<std::size_t>(s.system)]->factor().SolveLTChain(s.chain, Y_.data() + s.start,
                                                                                block.rows);
    }
  }
  FindPairs();
  problem->G.SetPattern(sizes_, pairs_);
  FillDelassus(&problem->G);
  FillVectors(contacts, rebounds, state, v_free, dt, problem);
}

// G_ij = sum over the systems both blocks touch of Y_i' Y_j on the dofs they share.
void Assembler::DelassusBlock(const Block& a, const Block& b, double* out) const {
  std::fill(out, out + a.rows * b.rows, 0.0);
  for (int sa = 0; sa < a.side_count; ++sa) {
    for (int sb = 0; sb < b.side_count; ++sb) {
      const Side &x = a.sides[static_cast<std::size_t>(sa)], &y = b.sides[static_cast<std::size_t>(sb)];
      const double *p = Y_.data() + x.start, *q = Y_.data() + y.start;
      const int shared = Shared(x, y);
      if (a.rows == 3 && b.rows == 3) {
        AddOuter<3, 3>(p, q, shared, 3, 3, out);
      } else {
        AddOuter<0, 0>(p, q, shared, a.rows, b.rows, out);
      }
    }
  }
}

void Assembler::FillDelassus(BlockMatrix* G) {
  const int n = static_cast<int>(blocks_.size());
  // Rows come in order, so the blocks below the diagonal of row j are met from left to right: cursor_[j] is the next.
  cursor_.resize(blocks_.size());
  for (int j = 0; j < n; ++j) cursor_[static_cast<std::size_t>(j)] = G->row_begin(j);
  for (int i = 0; i < n; ++i) {
    const Block& a = blocks_[static_cast<std::size_t>(i)];
    for (int slot = G->diagonal_slot(i); slot < G->row_end(i); ++slot) {
      const int j = G->column(slot);
      const Block& b = blocks_[static_cast<std::size_t>(j)];
      double* upper = G->block_data(slot);
      DelassusBlock(a, b, upper);
      if (i == j) continue;
      double* lower = G->block_data(cursor_[static_cast<std::size_t>(j)]++);
      for (int r = 0; r < a.rows; ++r) {
        for (int c = 0; c < b.rows; ++c) lower[c + r * b.rows] = upper[r + c * a.rows];
      }
    }
  }
}

double Assembler::RowTimes(const Block& block, int row, const Eigen::VectorXd& v) const {
  double sum = 0;
  for (int side = 0; side < block.side_count; ++side) {
    const Side& s = block.sides[static_cast<std::size_t>(side)];
    const double* x = v.data() + scene_.v_offset[static_cast<std::size_t>(s.system)];
    const double* j = J_.data() + s.start + row;
    for (const int k : s.chain) sum += *j * x[k], j += block.rows;
  }
  return sum;
}

void Assembler::FillVectors(std::span<const Contact> contacts, std::span<const char> rebounds,
                            const State& state, const Eigen::VectorXd& v_free, double dt,
                            ContactProblem* problem) {
  const int rows = problem->G.rows();
  problem->dt = dt;
  problem->g.resize(rows);
  problem->target.setZero(rows);
  problem->R.setZero(rows);
  problem->mu.setZero(static_cast<Eigen::Index>(blocks_.size()));
  int row = 0;
  for (const Block& block : blocks_) {
    for (int r = 0; r < block.rows; ++r) problem->g[row++] = RowTimes(block, r, v_free) / dt;
  }
  const auto target = [&](double gap, double kb) {
    return gap > 0 ? -gap / (dt * dt) : kb * -gap / (dt * dt);
  };
  // Contacts of one pair of shapes stand together; those that touch, or will within the step, share its stiffness.
  std::size_t pair_end = 0;
  int sharing = 0;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Contact& c = contacts[i];
    const auto same = [&](const Contact& o) {
      return o.geometry1 == c.geometry1 && o.geometry2 == c.geometry2;
    };
    const int n = problem->G.offset(static_cast<int>(i)) + 2;
    const Surface& surface = scene_.surfaces(c.material1, c.material2);
    problem->mu[static_cast<Eigen::Index>(i)] = c.mu;
    if (i == pair_end) {
      sharing = 0;
      for (; pair_end < contacts.size() && same(contacts[pair_end]); ++pair_end) {
        const double g_n = problem->g[problem->G.offset(static_cast<int>(pair_end)) + 2];
        if (contacts[pair_end].gap + std::min(0.0, dt * dt * g_n) <= 0) ++sharing;
      }
    }
    if (config_.regularisation.model != Regularisation::kNone) {
      const Eigen::Vector3d v(RowTimes(blocks_[i], 0, state.v), RowTimes(blocks_[i], 1, state.v),
                              RowTimes(blocks_[i], 2, state.v));
      const SoftContact soft =
          Soften(config_.regularisation, c.gap, v, problem->G.diagonal_data(static_cast<int>(i)),
                 surface.stiffness / std::max(1, sharing), surface.damping / std::max(1, sharing), dt);
      problem->R.segment<3>(n - 2) = soft.R;
      problem->target.segment<3>(n - 2) = soft.target;
      continue;
    }
    if (surface.compliant()) {
      const double stiff = dt * surface.stiffness + surface.damping;
      problem->R[n] = std::max(1, sharing) / (dt * stiff);
      problem->target[n] = target(c.gap, dt * surface.stiffness / stiff);
      continue;  // the spring decides how it comes back
    }
    problem->target[n] = target(c.gap, config_.baumgarte);
    if (surface.restitution > 0 && rebounds[i] && c.gap + dt * dt * problem->g[n] < 0) {
      const double before = RowTimes(blocks_[i], 2, state.v);
      if (before < -config_.impact_speed)
        problem->target[n] = std::max(problem->target[n], -surface.restitution * before / dt);
    }
  }
  for (std::size_t i = 0; i < limits_.size(); ++i) {
    problem->target[problem->G.offset(static_cast<int>(contacts.size() + i))] =
        target(limits_[i].distance, config_.baumgarte);
  }
}

void Assembler::AddImpulses(const RowVector& lambda, double dt, Eigen::VectorXd* scratch,
                            Eigen::VectorXd* v) const {
  if (blocks_.empty()) return;
  scratch->setZero();
  const double* l = lambda.data();
  for (const Block& block : blocks_) {
    for (int side = 0; side < block.side_count; ++side) {
      const Side& s = block.sides[static_cast<std::size_t>(side)];
      double* x = scratch->data() + scene_.v_offset[static_cast<std::size_t>(s.system)];
      const double* y = Y_.data() + s.start;
      for (const int k : s.chain) {
        for (int r = 0; r < block.rows; ++r) x[k] += *y++ * l[r];
      }
    }
    l += block.rows;
  }
  for (std::size_t s = 0; s < scene_.systems.size(); ++s)
    scene_.systems[s]->factor().SolveL(scratch->segment(scene_.v_offset[s], scene_.systems[s]->nv()));
  *v += dt * *scratch;
}

}  // namespace tread
