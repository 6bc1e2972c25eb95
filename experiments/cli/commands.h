// The commands of the tread binary, one source file each. Add... functions declare options; the callback does the work.
#pragma once

namespace CLI {
class App;
}

namespace tread {

void AddSolveCommand(CLI::App* app);
void AddListCommand(CLI::App* app);

}  // namespace tread
