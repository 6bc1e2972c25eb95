// Our solvers against Pinocchio's on the same problems in the same run, cold, at equal judged accuracy (1e-9 N, m/s^2, N m/s^2).
//
//   Peers/NAME    the 330 problems of recorded_problems.h; p50_us is the median over problems of the least time of the passes, set-up and solve.
//                 library_us: the library alone (bare_solvers.h), at the loosest tolerance that meets the judge on that problem, searched beforehand
//                 on a ladder of four steps a decade. adapter_us: the line of the solver table, which has to find its tolerance by itself.
//                 adapter_over_library: of their medians. ours_us: the fastest of our solvers of the exact law on these problems.
//                 library_over_ours: what the peers are judged by. Problems that the library does not solve are left out of both, and counted.
//
// Passes of all three alternate, so that a busy machine slows them alike; each is called three times in a row.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

#include "experiments/benchmarks/bare_solvers.h"
#include "experiments/benchmarks/recorded_problems.h"
#include "experiments/metrics.h"
#include "sim/contact/criteria.h"
#include "sim/contact/solver_table.h"

namespace tread {
namespace {

constexpr double kEps = 1e-9;
constexpr const char* kOurs = "ncp_bgs";
constexpr int kInARow = 3;  // the first call pays for the caches that the one before it filled

bool Meets(const ContactProblem& problem, const RowVector& lambda) {
  RowVector sigma;
  ComputeSigma(problem, lambda, &sigma);
  return Judge(ContactLaw::kNcp, problem, lambda, sigma).worst() <= kEps;
}

// 0 when there is none.
double LoosestTolerance(const ContactProblem& problem, BareSolver* library) {
  RowVector lambda;
  for (int quarter = 8; quarter >= -32; --quarter) {
    const double tolerance = kEps * std::pow(10, 0.25 * quarter);
    library->Call(tolerance, &lambda);
    if (Meets(problem, lambda)) return tolerance;
  }
  return 0;
}

double TimeCold(ContactSolver* solver, const ContactProblem& problem, ContactSolution* solution) {
  *solution = {};
  const auto start = std::chrono::steady_clock::now();
  solver->Solve(problem, solution);
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
}

struct Contest {
  const ContactProblem* problem;
  std::unique_ptr<BareSolver> library;
  double tolerance;
  double library_us = 1e300, adapter_us = 1e300, ours_us = 1e300;
};

void Peers(benchmark::State& state, const char* name) {
  std::vector<Contest> contests;
  int unsolved = 0;
  for (const RecordedProblem& r : Solo12Problems()) {
    auto library = MakeBareSolver(name, r.problem);
    const double tolerance = LoosestTolerance(r.problem, library.get());
    if (tolerance > 0) {
      contests.push_back({&r.problem, std::move(library), tolerance});
    } else {
      ++unsolved;
    }
  }
  const auto adapter = FindSolver(name)->make({.eps_abs = kEps}),
             ours = FindSolver(kOurs)->make({.eps_abs = kEps});
  ContactSolution solution;
  RowVector lambda;
  bool ours_solves = true;
  for (auto _ : state) {
    for (Contest& c : contests) {
      for (int k = 0; k < kInARow; ++k)
        c.library_us = std::min(c.library_us, c.library->Call(c.tolerance, &lambda));
      for (int k = 0; k < kInARow; ++k)
        c.adapter_us = std::min(c.adapter_us, TimeCold(adapter.get(), *c.problem, &solution));
      for (int k = 0; k < kInARow; ++k)
        c.ours_us = std::min(c.ours_us, TimeCold(ours.get(), *c.problem, &solution));
      ours_solves = ours_solves && Meets(*c.problem, solution.lambda);
    }
  }
  Series library, adapted, own, tolerances;
  for (const Contest& c : contests) {
    library.Add(c.library_us), adapted.Add(c.adapter_us), own.Add(c.ours_us);
    tolerances.Add(c.tolerance);
  }
  if (!ours_solves) return state.SkipWithError("ours left a problem unsolved");
  state.counters["problems"] = static_cast<double>(contests.size());
  state.counters["unsolved"] = unsolved;
  state.counters["library_us"] = library.percentile(0.5);
  state.counters["adapter_us"] = adapted.percentile(0.5);
  state.counters["ours_us"] = own.percentile(0.5);
  state.counters["adapter_over_library"] = adapted.percentile(0.5) / library.percentile(0.5);
  state.counters["library_over_ours"] = library.percentile(0.5) / own.percentile(0.5);
  state.counters["tolerance_p50"] = tolerances.percentile(0.5);
}
BENCHMARK_CAPTURE(Peers, pinocchio_pgs, "pinocchio_pgs")->Iterations(20)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Peers, pinocchio_admm, "pinocchio_admm")->Iterations(20)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tread
