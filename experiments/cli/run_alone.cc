// The only command of `tread-run`.
#include "experiments/cli/commands.h"

void tread::AddCommands(CLI::App* app, int* exit_code) {
  AddRunCommand(app, exit_code);
}
