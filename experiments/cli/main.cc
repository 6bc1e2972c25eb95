// tread: the command line. Exit codes: 0 done, 1 the run itself failed, 2 bad usage or bad input.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

#include "experiments/cli/commands.h"

int main(int argc, char** argv) {
  CLI::App app{"Locomotion control against swappable contact solvers, judged from outside.", "tread"};
  app.set_version_flag("--version", TREAD_VERSION);
  app.require_subcommand(1);
  int exit_code = 0;
  tread::AddRunCommand(&app, &exit_code);
  tread::AddSolveCommand(&app);
  tread::AddListCommand(&app);
  tread::AddConfigCommand(&app);
  tread::AddBenchCommand(&app);
  tread::AddDoctorCommand(&app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& e) {
    return app.exit(e);
  } catch (const CLI::CallForAllHelp& e) {
    return app.exit(e);
  } catch (const CLI::CallForVersion& e) {
    return app.exit(e);
  } catch (const CLI::ParseError& e) {
    std::fprintf(stderr, "tread: %s; see 'tread --help'\n", e.what());
    return 2;
  } catch (const std::invalid_argument& e) {
    std::fprintf(stderr, "tread: %s\n", e.what());
    return 2;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "tread: %s\n", e.what());
    return 1;
  }
  return exit_code;
}
