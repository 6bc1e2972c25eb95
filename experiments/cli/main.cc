// tread: the command line. Exit codes: 0 done, 1 the run itself failed, 2 bad usage or bad input.
#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <stdexcept>

#include "experiments/cli/commands.h"
#include "robots/nearest.h"

namespace tread {
namespace {

// One line on stderr, whatever a file name or value had in it.
int Complain(std::string text, int exit_code) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  std::fprintf(stderr, "tread: %s\n", text.c_str());
  return exit_code;
}

std::string UnknownOption(const std::string& word, const CLI::App& app) {
  std::vector<std::string> known;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  }
  const std::string name = word.substr(0, word.find('='));
  return name + ": no such option" + DidYouMean(name, known);
}

// What the parser did not understand, by the word that was typed.
std::string BadUsage(const CLI::App& app, const CLI::ParseError& error, const char* first_word) {
  const std::vector<CLI::App*> used = app.get_subcommands();
  if (used.empty()) {
    std::vector<std::string> commands;
    for (const CLI::App* command : app.get_subcommands({})) commands.push_back(command->get_name());
    if (first_word == nullptr) return "no command" + DidYouMean("", commands) + "; see 'tread --help'";
    const std::string word = first_word;
    return (word[0] == '-'
                ? UnknownOption(word, app)
                : (word.empty() ? "''" : word) + ": no such command" + DidYouMean(word, commands)) +
           "; see 'tread --help'";
  }
  const CLI::App& command = *used.front();
  const std::string prefix = command.get_name() + ": ",
                    help = "; see 'tread " + command.get_name() + " --help'";
  if (error.get_exit_code() != static_cast<int>(CLI::ExitCodes::ExtrasError))
    return prefix + error.what() + help;
  const std::vector<std::string> words = command.remaining();
  for (const std::string& word : words) {
    if (word.size() > 1 && word[0] == '-') return prefix + UnknownOption(word, command) + help;
  }
  return prefix +
         (words.empty() ? std::string(error.what()) : "'" + words[0] + "' is one argument too many") + help;
}

int Main(int argc, char** argv) {
  CLI::App app{"Locomotion control against swappable contact solvers, judged from outside.", "tread"};
  app.set_version_flag("--version", TREAD_VERSION);
  app.require_subcommand(1);
  int exit_code = 0;
  AddCommands(&app, &exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& e) {
    return app.exit(e);
  } catch (const CLI::CallForAllHelp& e) {
    return app.exit(e);
  } catch (const CLI::CallForVersion& e) {
    return app.exit(e);
  } catch (const CLI::ParseError& e) {
    return Complain(BadUsage(app, e, argc > 1 ? argv[1] : nullptr), 2);
  } catch (const std::invalid_argument& e) {
    return Complain(e.what(), 2);
  } catch (const std::bad_alloc&) {
    return Complain("out of memory; a shorter run.duration or fewer bodies need less", 1);
  } catch (const std::exception& e) {
    return Complain(e.what(), 1);
  }
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
    return Complain(std::string("standard output cannot be written: ") + std::strerror(errno), 1);
  return exit_code;
}

}  // namespace
}  // namespace tread

int main(int argc, char** argv) {
  return tread::Main(argc, argv);
}
