// tread doctor: what this program was built with, and what works. The launcher adds what is installed.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <nlohmann/json.hpp>

#include "experiments/cli/commands.h"
#include "robots/robot_table.h"
#include "sim/backends.h"

namespace tread {
namespace {

// "" when the robot loads.
std::string TryRobot(const std::string& name) {
  try {
    MakeRobot(name);
    return "";
  } catch (const std::exception& error) {
    return error.what();
  }
}

void RunDoctor(bool json) {
  nlohmann::ordered_json report;
  report["version"] = TREAD_VERSION;
  report["compiler"] = __VERSION__;
  for (const RobotEntry& entry : RobotTable()) report["robots"][entry.name] = TryRobot(entry.name);
  for (const BackendEntry& entry : BackendTable()) report["backends"][entry.name] = entry.reason;
  if (json) {
    std::printf("%s\n", report.dump(1).c_str());
    return;
  }
  std::printf("program          tread %s, compiled with g++ or clang %s\n", TREAD_VERSION, __VERSION__);
  for (const char* kind : {"robots", "backends"}) {
    std::string fine;
    for (const auto& [name, problem] : report[kind].items()) {
      if (problem.get<std::string>().empty()) {
        fine += " " + name;
      } else {
        std::printf("%-16s %s: %s\n", kind, name.c_str(), problem.get<std::string>().c_str());
      }
    }
    std::printf("%-16s work:%s\n", kind, fine.c_str());
  }
}

}  // namespace

void AddDoctorCommand(CLI::App* app) {
  auto json = std::make_shared<bool>(false);
  CLI::App* doctor = app->add_subcommand("doctor", "What is there and what works");
  doctor->add_flag("--json", *json, "As JSON");
  doctor->callback([json] { RunDoctor(*json); });
}

}  // namespace tread
