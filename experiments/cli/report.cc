// tread report: report pages, made anew from the files in folders.
#include "experiments/report/report.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <stdexcept>

#include "experiments/cli/commands.h"

namespace tread {

void AddReportCommand(CLI::App* app) {
  const auto folders = std::make_shared<std::vector<std::string>>();
  CLI::App* report = app->add_subcommand("report", "(Re)make report.html in folders of runs");
  report->add_option("folder", *folders, "Folder that a command left behind")->required();
  report->callback([folders] {
    for (const std::string& folder : *folders) CheckReport(folder);  // all of them before anything is written
    for (const std::string& folder : *folders) std::printf("%s\n", WriteReport(folder).c_str());
  });
}

}  // namespace tread
