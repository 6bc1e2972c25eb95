// tread config: the resolved configuration, every default written out.
#include <CLI/CLI.hpp>
#include <cstdio>

#include "experiments/cli/commands.h"
#include "experiments/experiment_config.h"

namespace tread {

void AddConfigCommand(CLI::App* app) {
  auto path = std::make_shared<std::string>();
  auto sets = std::make_shared<std::vector<std::string>>();
  CLI::App* config = app->add_subcommand("config", "Print the resolved configuration");
  config->add_option("config", *path, "Configuration file (YAML)")->required();
  config->add_option("--set", *sets, "KEY=VALUE, any key of the configuration")->allow_extra_args(false);
  config->callback(
      [path, sets] { std::printf("%s", WriteExperiment(LoadExperiment(*path, *sets)).c_str()); });
}

}  // namespace tread
