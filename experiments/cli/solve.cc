// tread solve: contact problems from files, any solver, judged from outside.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <stdexcept>

#include "experiments/cli/commands.h"
#include "experiments/cli/option_overrides.h"
#include "experiments/config_reader.h"
#include "experiments/experiment_config.h"
#include "experiments/run_folder.h"
#include "robots/nearest.h"
#include "sim/contact/criteria.h"
#include "sim/contact/siconos_io.h"
#include "sim/contact/solver_table.h"

namespace tread {
namespace {

struct SolveOptions {
  std::vector<std::string> files, solvers = {"all"}, sets;
  std::optional<std::string> eps, max_iterations, repeat, solution;
  bool json = false;
};

// What --eps, --max-iterations, --repeat and --set say.
struct SolveSettings {
  double eps = 1e-6;  // of the judge; the solvers stop there too unless told otherwise
  int repeat = 1;
  ContactSolverConfig contact;
};

void Describe(ConfigVisitor& v, SolveSettings* c) {
  v.Field("eps", &c->eps, Positive(), "accuracy, relative to the problem's scale");
  v.Field("repeat", &c->repeat, AtLeast(1), "cold repeats");
  c->contact.eps_abs = c->eps;
  v.Section("sim", [&] { v.Section("contact", [&] { Describe(v, &c->contact); }); });
}

SolveSettings ReadSettings(const SolveOptions& options) {
  OptionOverrides overrides(options.sets);
  if (options.eps) overrides.Add("--eps", "eps", *options.eps);
  if (options.repeat) overrides.Add("--repeat", "repeat", *options.repeat);
  if (options.max_iterations)
    overrides.Add("--max-iterations", "sim.contact.max_iterations", *options.max_iterations);
  return overrides.Apply([](const std::vector<std::string>& texts) {
    ConfigReader reader(texts);
    SolveSettings settings;
    Describe(reader, &settings);
    reader.Finish();
    return settings;
  });
}

std::vector<const SolverEntry*> ChosenSolvers(const std::vector<std::string>& names) {
  std::vector<const SolverEntry*> chosen;
  for (const std::string& name : names) {
    if (name == "all") {
      for (const SolverEntry& entry : SolverTable()) chosen.push_back(&entry);
      continue;
    }
    const SolverEntry* entry = FindSolver(name);
    if (!entry) {
      std::vector<std::string> known{"all"};
      for (const SolverEntry& e : SolverTable()) known.push_back(e.name);
      throw std::invalid_argument("--solver " + (name.empty() ? "''" : name) + ": no such solver" +
                                  DidYouMean(name, known));
    }
    chosen.push_back(entry);
  }
  return chosen;
}

double Microseconds(std::chrono::steady_clock::duration d) {
  return std::chrono::duration<double, std::micro>(d).count();
}

// One problem, one solver: cold, timed, judged on velocities recomputed here.
nlohmann::ordered_json SolveOne(const SolveSettings& settings, const OutputFolder* solutions,
                                const std::string& path, const ContactProblem& problem,
                                const SolverEntry& entry) {
  using Clock = std::chrono::steady_clock;
  const ProblemScale scale = ComputeScale(problem);
  double setup_us = 1e300, solve_us = 1e300;
  ContactSolution solution;
  SolveStatus status = SolveStatus::kFailed;
  for (int k = 0; k < settings.repeat; ++k) {
    solution = {};
    const auto start = Clock::now();
    const auto solver = entry.make(settings.contact);
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
  const bool solved = exact.eps_p <= settings.eps * scale.force &&
                      exact.eps_d <= settings.eps * scale.velocity &&
                      exact.eps_c <= settings.eps * scale.force * scale.velocity;
  const std::string file = std::filesystem::path(path).filename().string();
  if (solutions != nullptr) {
    try {
      WriteSolution(solutions->path() + "/" + file + "." + entry.name + ".txt", solution.lambda);
    } catch (const std::invalid_argument& error) {
      throw std::runtime_error(error.what());  // a full disk, which is not the caller's input
    }
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

// Solutions go by the name of the file alone: two of a name would leave one.
void RefuseEqualNames(const std::vector<std::string>& files) {
  std::set<std::string> names;
  for (const std::string& path : files) {
    const std::string name = std::filesystem::path(path).filename().string();
    if (!names.insert(name).second)
      throw std::invalid_argument(path + ": another file is called " + name +
                                  " too, and --solution needs different names; solve them one by one");
  }
}

void RunSolve(const SolveOptions& options) {
  const auto solvers = ChosenSolvers(options.solvers);
  const SolveSettings settings = ReadSettings(options);
  // Every file is read before the first is solved: bad input leaves nothing half-written.
  std::vector<ProblemFile> problems;
  for (const std::string& path : options.files) problems.push_back(ReadSiconos(path));
  std::unique_ptr<OutputFolder> solutions;
  if (options.solution) {
    RefuseEqualNames(options.files);
    solutions = std::make_unique<OutputFolder>("--solution", *options.solution);
    solutions->Keep();
  }
  for (std::size_t k = 0; k < problems.size(); ++k) {
    if (problems[k].asymmetry > 1e-6) {
      std::fprintf(stderr, "%s: matrix symmetrised (relative asymmetry %.1e)\n", options.files[k].c_str(),
                   problems[k].asymmetry);
    }
    for (const SolverEntry* entry : solvers)
      Print(SolveOne(settings, solutions.get(), options.files[k], problems[k].problem, *entry), options.json);
  }
}

}  // namespace

void AddSolveCommand(CLI::App* app) {
  auto options = std::make_shared<SolveOptions>();
  CLI::App* solve = app->add_subcommand("solve", "Solve contact problems from files and judge the answers");
  solve->add_option("files", options->files, "Contact problem files (Siconos text)")->required();
  solve->add_option("--solver", options->solvers, "Solvers, or all")->delimiter(',');
  solve->add_option("--eps", options->eps, "Accuracy, relative to the problem's scale; 1e-6 by default");
  solve->add_option("--max-iterations", options->max_iterations, "Iteration cap; 10000 by default");
  solve->add_option("--repeat", options->repeat, "Cold repeats; the smallest time is reported");
  solve->add_option("--set", options->sets, "sim.contact.KEY=VALUE (step, relaxation, budget, ...)")
      ->allow_extra_args(false);
  solve->add_option("--solution", options->solution, "Folder for the forces, FILENAME.SOLVER.txt");
  solve->add_flag("--json", options->json, "One JSON line per problem and solver");
  solve->callback([options] { RunSolve(*options); });
}

}  // namespace tread
