// The commands of the tread binary, one source file each. Add... functions declare options; the callback does the work.
#pragma once

namespace CLI {
class App;
}

namespace tread {

// Those of the program at hand: all of them (all_commands.cc), or run alone (run_alone.cc).
void AddCommands(CLI::App* app, int* exit_code);

void AddBenchCommand(CLI::App* app);
void AddCompareCommand(CLI::App* app, int* exit_code);
void AddConfigCommand(CLI::App* app);
void AddDoctorCommand(CLI::App* app);
void AddListCommand(CLI::App* app);
void AddReportCommand(CLI::App* app);
void AddRunCommand(CLI::App* app, int* exit_code);  // exit_code: 1 when the run itself failed
void AddSolveCommand(CLI::App* app);
void AddTuneCommand(CLI::App* app, int* exit_code);
void AddSweepCommand(CLI::App* app, int* exit_code);  // exit_code: 1 when runs are missing

}  // namespace tread
