// tread solve: contact problems from files, any solver, judged from outside.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "experiments/cli/commands.h"
#include "sim/contact/criteria.h"
#include "sim/contact/siconos_io.h"
#include "sim/contact/solver_table.h"

namespace tread {
namespace {

struct SolveOptions {
  std::vector<std::string> files, solvers = {"all"}, sets;
  double eps = 1e-6;
  int max_iterations = 10000, repeat = 1;
  std::string solution_dir;
  bool json = false;
};

std::vector<const SolverEntry*> ChosenSolvers(const std::vector<std::string>& names) {
  std::vector<const SolverEntry*> chosen;
  for (const std::string& name : names) {
    if (name == "all") {
      for (const SolverEntry& entry : SolverTable()) chosen.push_back(&entry);
      continue;
    }
    const SolverEntry* entry = FindSolver(name);
    if (!entry) {
      std::string known;
      for (const SolverEntry& e : SolverTable()) known += std::string(known.empty() ? "" : ", ") + e.name;
      throw std::invalid_argument("--solver " + name + ": unknown; one of all, " + known);
    }
    chosen.push_back(entry);
  }
  return chosen;
}

double ParsePositive(const std::string& set, const std::string& text) {
  std::size_t end = 0;
  double value = 0;
  try {
    value = std::stod(text, &end);
  } catch (const std::exception&) {
    end = std::string::npos;
  }
  if (end != text.size() || !(value > 0))
    throw std::invalid_argument("--set " + set + ": expected a number > 0");
  return value;
}

ContactSolverConfig MakeConfig(const SolveOptions& options) {
  ContactSolverConfig config;
  config.eps_abs = options.eps;
  config.max_iterations = options.max_iterations;
  const std::string prefix = "sim.contact.";
  for (const std::string& set : options.sets) {
    const std::size_t equals = set.find('=');
    if (set.rfind(prefix, 0) != 0 || equals == std::string::npos) {
      throw std::invalid_argument("--set " + set + ": expected sim.contact.KEY=VALUE");
    }
    const std::string key = set.substr(prefix.size(), equals - prefix.size()), value = set.substr(equals + 1);
    if (key == "step") {
      if (value != "safe" && value != "paper")
        throw std::invalid_argument("--set " + set + ": expected safe or paper");
      config.paper_step = value == "paper";
    } else if (key == "relaxation") {
      config.relaxation = ParsePositive(set, value);
      if (config.relaxation >= 2)
        throw std::invalid_argument("--set " + set + ": expected a number between 0 and 2");
    } else if (key == "budget") {
      config.budget = static_cast<int>(ParsePositive(set, value));
    } else {
      throw std::invalid_argument("--set " + set + ": unknown key; one of step, relaxation, budget");
    }
  }
  return config;
}

double Microseconds(std::chrono::steady_clock::duration d) {
  return std::chrono::duration<double, std::micro>(d).count();
}

// One problem, one solver: cold, timed, judged on velocities recomputed here.
nlohmann::ordered_json SolveOne(const SolveOptions& options, const std::string& path,
                                const ContactProblem& problem, const SolverEntry& entry) {
  using Clock = std::chrono::steady_clock;
  const ContactSolverConfig config = MakeConfig(options);
  const ProblemScale scale = ComputeScale(problem);
  double setup_us = 1e300, solve_us = 1e300;
  ContactSolution solution;
  SolveStatus status = SolveStatus::kFailed;
  for (int k = 0; k < options.repeat; ++k) {
    solution = {};
    const auto start = Clock::now();
    const auto solver = entry.make(config);
    solver->set_scale(scale);
    const auto ready = Clock::now();
    status = solver->Solve(problem, &solution);
    setup_us = std::min(setup_us, Microseconds(ready - start));
    solve_us = std::min(solve_us, Microseconds(Clock::now() - ready));
  }
  RowVector sigma;
  ComputeSigma(problem, solution.lambda, &sigma);
  const ContactCriteria exact = Judge(ContactLaw::kNcp, problem, solution.lambda, sigma);
  const ContactCriteria own = Judge(entry.law, problem, solution.lambda, sigma);
  const bool solved = exact.eps_p <= options.eps * scale.force &&
                      exact.eps_d <= options.eps * scale.velocity &&
                      exact.eps_c <= options.eps * scale.force * scale.velocity;
  const std::string file = std::filesystem::path(path).filename().string();
  if (!options.solution_dir.empty()) {
    WriteSolution((std::filesystem::path(options.solution_dir) / (file + "." + entry.name + ".txt")).string(),
                  solution.lambda);
  }
  return {{"file", file},
          {"solver", entry.name},
          {"law", Name(entry.law)},
          {"nc", problem.block_count()},
          {"status", Name(status)},
          {"iterations", solution.iterations},
          {"eps_p", exact.eps_p},
          {"eps_d", exact.eps_d},
          {"eps_c", exact.eps_c},
          {"own_eps", own.worst()},
          {"force_scale", scale.force},
          {"velocity_scale", scale.velocity},
          {"solved", solved},
          {"setup_us", setup_us},
          {"solve_us", solve_us}};
}

void Print(const nlohmann::ordered_json& row, bool json) {
  if (json) {
    std::printf("%s\n", row.dump().c_str());
    return;
  }
  std::printf("%-36s %-10s %4d contacts  %-14s %6d it  eps_p %.1e  eps_d %.1e  eps_c %.1e  %-8s %.1f us\n",
              row["file"].get<std::string>().c_str(), row["solver"].get<std::string>().c_str(),
              row["nc"].get<int>(), row["status"].get<std::string>().c_str(), row["iterations"].get<int>(),
              row["eps_p"].get<double>(), row["eps_d"].get<double>(), row["eps_c"].get<double>(),
              row["solved"].get<bool>() ? "solved" : "unsolved", row["solve_us"].get<double>());
}

void RunSolve(const SolveOptions& options) {
  const auto solvers = ChosenSolvers(options.solvers);
  MakeConfig(options);
  // Every file is read before the first is solved: bad input leaves nothing half-written.
  std::vector<ProblemFile> problems;
  for (const std::string& path : options.files) problems.push_back(ReadSiconos(path));
  if (!options.solution_dir.empty()) {
    std::error_code error;
    std::filesystem::create_directories(options.solution_dir, error);
    if (error) throw std::invalid_argument("--solution " + options.solution_dir + ": " + error.message());
  }
  for (std::size_t k = 0; k < problems.size(); ++k) {
    if (problems[k].asymmetry > 1e-6) {
      std::fprintf(stderr, "%s: matrix symmetrised (relative asymmetry %.1e)\n", options.files[k].c_str(),
                   problems[k].asymmetry);
    }
    for (const SolverEntry* entry : solvers)
      Print(SolveOne(options, options.files[k], problems[k].problem, *entry), options.json);
  }
}

}  // namespace

void AddSolveCommand(CLI::App* app) {
  auto options = std::make_shared<SolveOptions>();
  CLI::App* solve = app->add_subcommand("solve", "Solve contact problems from files and judge the answers");
  solve->add_option("files", options->files, "Contact problem files (Siconos text)")->required();
  solve->add_option("--solver", options->solvers, "Solvers, or all")->delimiter(',');
  solve->add_option("--eps", options->eps, "Accuracy, relative to the problem's scale")
      ->check(CLI::PositiveNumber);
  solve->add_option("--max-iterations", options->max_iterations, "Iteration cap")->check(CLI::PositiveNumber);
  solve->add_option("--repeat", options->repeat, "Cold repeats; the smallest time is reported")
      ->check(CLI::PositiveNumber);
  solve->add_option("--set", options->sets, "sim.contact.KEY=VALUE (step, relaxation, budget)")
      ->allow_extra_args(false);
  solve->add_option("--solution", options->solution_dir, "Folder for the forces, FILENAME.SOLVER.txt");
  solve->add_flag("--json", options->json, "One JSON line per problem and solver");
  solve->callback([options] { RunSolve(*options); });
}

}  // namespace tread
