// Every contact solver of the table at equal accuracy, and what an iteration costs next to a matrix-vector product.
//
//   Solver/NAME/{cold,warm}/EPS   330 problems of the walking Solo-12 (recorded_problems.h). The time of a problem is the least of the
//                                 passes, set-up and solve together; the solver object is kept, as a simulator keeps it. p50, p95: over problems.
//                                 Reading the clock is in it, some 30 ns.
//   SolverPile/NAME/N_bodies      one problem of a heap (about 10, 35, 100, 350, 1000 contacts), cold, to 1e-6 of its scale within 1000 iterations.
//   SolverSettling/NAME/N_bodies  fifty further steps of the same heap, warm, to 1e-6 absolute: mean solve time per step and contact.
//   SolverUnits                   one sweep, one ADMM iteration and the acceptance of a right guess, in products of a 12 x 12 matrix.
//
// Accuracy is absolute (N, m/s^2, N m/s^2) and judged from outside: the exact law for solvers that claim it, their own for the others.
// solved: share of problems that met it. Warm: forces, dual and penalty that the same solver found for the step before.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "experiments/benchmarks/recorded_problems.h"
#include "experiments/metrics.h"
#include "sim/contact/criteria.h"
#include "sim/contact/solver_table.h"

namespace tread {
namespace {

using Clock = std::chrono::steady_clock;

double Microseconds(Clock::duration d) {
  return std::chrono::duration<double, std::micro>(d).count();
}

bool Meets(ContactLaw law, const ContactProblem& problem, const RowVector& lambda, double eps,
           const ProblemScale& scale = {}) {
  RowVector sigma;
  ComputeSigma(problem, lambda, &sigma);
  const ContactCriteria c = Judge(law, problem, lambda, sigma);
  return c.eps_p <= eps * scale.force && c.eps_d <= eps * scale.velocity &&
         c.eps_c <= eps * scale.force * scale.velocity;
}

// "1.4 us", and the share that was solved where it is not all.
std::string Cell(double us, double solved) {
  char text[64];
  const bool long_time = us >= 1e3;
  std::snprintf(text, sizeof text, us < 9.95 || (long_time && us < 9950) ? "%.1f %s" : "%.0f %s",
                long_time ? us * 1e-3 : us, long_time ? "ms" : "us");
  std::string cell = text;
  if (solved >= 1) return cell;
  if (solved <= 0) return "unsolved after " + cell;
  std::snprintf(text, sizeof text, " (%.0f %% solved)", 100 * solved);
  return cell + text;
}

void Solo12(benchmark::State& state, const SolverEntry& entry, bool warm, double eps) {
  const std::vector<RecordedProblem>& problems = Solo12Problems();
  const auto solver = entry.make({.eps_abs = eps});
  std::vector<ContactSolution> guesses(problems.size());
  for (std::size_t i = 0; warm && i < problems.size(); ++i) solver->Solve(problems[i].before, &guesses[i]);
  std::vector<double> best(problems.size(), 1e300);
  Series iterations;
  double solved = 0;
  for (auto _ : state) {
    const bool first = iterations.empty();
    double sum = 0;
    for (std::size_t i = 0; i < problems.size(); ++i) {
      if (!first && best[i] > 1e3) {  // came to no end: once is enough
        sum += best[i];
        continue;
      }
      ContactSolution solution = guesses[i];
      const auto start = Clock::now();
      solver->Solve(problems[i].problem, &solution);
      const double us = Microseconds(Clock::now() - start);
      best[i] = std::min(best[i], us);
      sum += us;
      if (!first) continue;
      iterations.Add(solution.iterations);
      solved += Meets(entry.law, problems[i].problem, solution.lambda, eps);
    }
    state.SetIterationTime(sum * 1e-6 / static_cast<double>(problems.size()));
  }
  Series times;
  for (double us : best) times.Add(us);
  solved /= static_cast<double>(problems.size());
  state.counters["p50_us"] = times.percentile(0.5);
  state.counters["p95_us"] = times.percentile(0.95);
  state.counters["iterations"] = iterations.percentile(0.5);
  state.counters["iterations_max"] = iterations.max();
  state.counters["solved"] = solved;
  state.counters["problems"] = static_cast<double>(problems.size());
  state.SetLabel(Cell(times.percentile(0.5), solved));
}

// A solver that took long on one heap is spared the next: dense factors of thousands of rows.
void Pile(benchmark::State& state, const SolverEntry& entry, int bodies) {
  static std::map<std::string, double> last_us;
  if (last_us[entry.name] > 0.3e6) return state.SkipWithError("took more than 0.3 s on a smaller heap");
  const ContactProblem& problem = PileProblem(bodies);
  const ProblemScale scale = ComputeScale(problem);
  const auto solver = entry.make({.eps_abs = 1e-6, .max_iterations = 1000});
  solver->set_scale(scale);
  ContactSolution solution;
  double best = 1e300;
  for (auto _ : state) {
    solution = {};
    const auto start = Clock::now();
    solver->Solve(problem, &solution);
    const double us = Microseconds(Clock::now() - start);
    best = std::min(best, us);
    state.SetIterationTime(us * 1e-6);
  }
  last_us[entry.name] = best;
  const bool solved = Meets(entry.law, problem, solution.lambda, 1e-6, scale);
  state.counters["contacts"] = problem.block_count();
  state.counters["iterations"] = solution.iterations;
  state.counters["solved"] = solved;
  state.counters["best_us"] = best;
  state.SetLabel(Cell(best, solved));
}

// The least of the passes, each of them the same fifty steps.
void Settling(benchmark::State& state, const char* name, int bodies) {
  SettlingTimes best;
  best.solve_us = 1e300;
  for (auto _ : state) {
    const SettlingTimes times = SettlePile(bodies, name, 50);
    if (times.solve_us < best.solve_us) best = times;
    state.SetIterationTime(times.solve_us * 1e-6);
  }
  state.counters["contacts"] = best.contacts;
  state.counters["solve_us"] = best.solve_us;
  state.counters["us_per_contact"] = best.solve_us / best.contacts;
  state.counters["unconverged"] = best.unconverged;
  state.SetLabel(Cell(best.solve_us / best.contacts, 1 - best.unconverged));
}

// Per iteration: what a hundred further ones take.
double IterationNanoseconds(const char* name, const ContactProblem& problem) {
  double times[2];
  for (int which = 0; which < 2; ++which) {
    const auto solver = FindSolver(name)->make({.budget = which == 0 ? 10 : 110});
    ContactSolution solution;
    const auto start = Clock::now();
    solver->Solve(problem, &solution);
    times[which] = 1e3 * Microseconds(Clock::now() - start);
  }
  return (times[1] - times[0]) / 100;
}

double AcceptNanoseconds(const ContactProblem& problem) {
  const auto solver = FindSolver("ncp_pgs")->make({.eps_abs = 1e-6});
  ContactSolution solution;
  solver->Solve(problem, &solution);
  const auto start = Clock::now();
  for (int i = 0; i < 100; ++i) solver->Solve(problem, &solution);
  return 10 * Microseconds(Clock::now() - start);
}

double ProductNanoseconds() {
  static Eigen::Matrix<double, 12, 12> A = Eigen::Matrix<double, 12, 12>::Random();
  static Eigen::Matrix<double, 12, 1> x = Eigen::Matrix<double, 12, 1>::Random(), y;
  const auto start = Clock::now();
  for (int i = 0; i < 100; ++i) {
    benchmark::DoNotOptimize(x.data());
    y.noalias() = A * x;
    benchmark::ClobberMemory();
  }
  return 10 * Microseconds(Clock::now() - start);
}

void SolverUnits(benchmark::State& state) {
  const ContactProblem* problem = nullptr;  // four feet on the ground
  for (const RecordedProblem& r : Solo12Problems()) {
    if (r.problem.rows() == 12) problem = &r.problem;
  }
  Series product, sweep, admm, accept;
  for (auto _ : state) {
    product.Add(ProductNanoseconds());
    sweep.Add(IterationNanoseconds("ncp_pgs", *problem));
    if (FindSolver("ncp_admm")) admm.Add(IterationNanoseconds("ncp_admm", *problem));
    accept.Add(AcceptNanoseconds(*problem));
  }
  const double unit = product.percentile(0.5);
  state.counters["product_ns"] = unit;
  state.counters["sweep_over_product"] = sweep.percentile(0.5) / unit;
  if (!admm.empty()) state.counters["admm_over_product"] = admm.percentile(0.5) / unit;
  state.counters["accept_over_product"] = accept.percentile(0.5) / unit;
}
BENCHMARK(SolverUnits)->Iterations(200)->Unit(benchmark::kMicrosecond);

const bool kRegistered = [] {
  for (const SolverEntry& entry : SolverTable()) {
    for (bool warm : {false, true}) {
      for (const char* eps : {"1e-3", "1e-6", "1e-9"}) {
        const std::string name =
            std::string("Solver/") + entry.name + "/" + (warm ? "warm" : "cold") + "/" + eps;
        const double value = std::stod(eps);
        benchmark::RegisterBenchmark(
            name.c_str(), [&entry, warm, value](benchmark::State& s) { Solo12(s, entry, warm, value); })
            ->UseManualTime()
            ->Unit(benchmark::kMicrosecond)
            ->Iterations(10);
      }
    }
    for (int bodies : {5, 15, 45, 130, 380}) {
      const std::string name =
          std::string("SolverPile/") + entry.name + "/" + std::to_string(bodies) + "_bodies";
      benchmark::RegisterBenchmark(name.c_str(),
                                   [&entry, bodies](benchmark::State& s) { Pile(s, entry, bodies); })
          ->UseManualTime()
          ->Unit(benchmark::kMicrosecond)
          ->Iterations(3);
    }
  }
  for (const char* name : {"ncp_pgs", "ncp_bgs", "ncp_admm", "ccp_admm"}) {
    for (int bodies : {5, 15, 45, 130, 380}) {
      const std::string family =
          std::string("SolverSettling/") + name + "/" + std::to_string(bodies) + "_bodies";
      benchmark::RegisterBenchmark(family.c_str(),
                                   [name, bodies](benchmark::State& s) { Settling(s, name, bodies); })
          ->UseManualTime()
          ->Unit(benchmark::kMicrosecond)
          ->Iterations(3);
    }
  }
  return true;
}();

}  // namespace
}  // namespace tread
