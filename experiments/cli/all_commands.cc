// The commands of `tread`, in the order of its help.
#include "experiments/cli/commands.h"

void tread::AddCommands(CLI::App* app, int* exit_code) {
  AddRunCommand(app, exit_code);
  AddCompareCommand(app, exit_code);
  AddTuneCommand(app, exit_code);
  AddSolveCommand(app);
  AddReportCommand(app);
  AddSweepCommand(app, exit_code);
  AddListCommand(app);
  AddConfigCommand(app);
  AddBenchCommand(app);
  AddDoctorCommand(app);
}
