// tread bench: the benchmarks, a program of their own beside this one.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "experiments/cli/commands.h"

namespace tread {
namespace {

void RunBench(const std::string& filter, bool json, bool markdown) {
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe");
  const std::string program = (self.parent_path() / "tread_bench").string();
  std::vector<std::string> words{program};
  if (!filter.empty()) words.push_back("--benchmark_filter=" + filter);
  if (json) words.push_back("--benchmark_format=json");
  if (markdown) words.push_back("--markdown");
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execv(program.c_str(), arguments.data());
  throw std::invalid_argument(program + ": " + std::strerror(errno) +
                              "; './tread bench' builds it, or 'cmake --build build --target tread_bench'");
}

}  // namespace

void AddBenchCommand(CLI::App* app) {
  auto filter = std::make_shared<std::string>();
  auto json = std::make_shared<bool>(false), markdown = std::make_shared<bool>(false);
  CLI::App* bench = app->add_subcommand("bench", "Run the benchmarks");
  bench->add_option("filter", *filter, "Regular expression on their names");
  bench->add_flag("--json", *json, "Google Benchmark's JSON")
      ->excludes(bench->add_flag("--markdown", *markdown, "As tables for a README: bench Solver"));
  bench->callback([filter, json, markdown] { RunBench(*filter, *json, *markdown); });
}

}  // namespace tread
