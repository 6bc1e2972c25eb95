#include "experiments/sweep/slurm.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <stdexcept>

#include "experiments/cli/interrupt.h"
#include "experiments/sweep/whole_file.h"

namespace tread {
namespace {

namespace fs = std::filesystem;

std::string Quoted(const std::string& word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}

bool IsProgram(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (access((folder + "/" + name).c_str(), X_OK) == 0) return true;
  }
  return false;
}

struct Answer {
  bool succeeded;
  std::string output, complaint;  // the lines of both, together, when it failed
};

Answer Call(const std::vector<std::string>& words) {
  std::string command;
  for (const std::string& word : words) command += Quoted(word) + " ";
  std::FILE* pipe = popen((command + "2>&1").c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error(words[0] + ": cannot be started");
  std::string output;
  for (int c; (c = std::fgetc(pipe)) != EOF;) output += static_cast<char>(c);
  const int status = pclose(pipe);
  const bool succeeded = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  return {succeeded, output, succeeded ? "" : output};
}

std::string Trimmed(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

std::string Script(const SlurmArray& array) {
  std::string text = "#!/bin/sh\n# Made by tread sweep; every task of the array is a shard.\nexec";
  for (const std::string& word : array.command) text += " " + Quoted(word);
  return text + " --shard \"$SLURM_ARRAY_TASK_ID/" + std::to_string(array.size) + "\"\n";
}

}  // namespace

void RequireSlurm() {
  for (const char* name : {"sbatch", "squeue"}) {
    if (!IsProgram(name))
      throw std::invalid_argument(std::string("--launcher slurm: ") + name +
                                  " is not installed; Debian and Ubuntu have it in the package slurm-client "
                                  "(a whole Slurm in slurm-wlm)");
  }
}

std::string SubmitSlurmArray(const SlurmArray& array) {
  const std::string script = array.folder + "/sweep.sbatch";
  WriteWholeFile(script, Script(array));
  std::string log = fs::absolute(array.folder).string();
  for (std::size_t i = log.find('%'); i != std::string::npos; i = log.find('%', i + 2)) log.insert(i, "%");
  const Answer answer =
      Call({"sbatch", "--parsable", "--job-name=" + array.name, "--array=0-" + std::to_string(array.size - 1),
            "--ntasks=1", "--cpus-per-task=" + std::to_string(array.cpus),
            "--output=" + log + "/slurm-%a.log", "--chdir=" + fs::current_path().string(), script});
  if (!answer.succeeded)
    throw std::runtime_error("sbatch: " + Trimmed(answer.complaint) +
                             "; nothing was run, --resume tries again");
  // "JOB" or "JOB;CLUSTER", perhaps after lines of talk
  std::string line = Trimmed(answer.output);
  line = line.substr(line.rfind(' ') + 1);
  const std::string job = line.substr(0, line.find(';'));
  if (job.empty() || job.find_first_not_of("0123456789") != std::string::npos)
    throw std::runtime_error("sbatch: no job number in '" + Trimmed(answer.output) + "'");
  return job;
}

bool WaitForSlurmJob(const std::string& job, const std::function<bool(int, int)>& progress) {
  bool complained = false;
  for (;;) {
    const Answer answer = Call({"squeue", "--noheader", "--array", "--jobs=" + job, "--format=%T"});
    if (answer.succeeded) {
      int running = 0, waiting = 0;
      std::istringstream states(answer.output);
      for (std::string state; states >> state;) ++(state == "PENDING" ? waiting : running);
      if (running + waiting == 0) return true;
      if (!progress(running, waiting)) return false;
    } else if (answer.complaint.find("Invalid job id") != std::string::npos) {
      return true;  // ended, and forgotten
    } else if (!complained) {
      complained = true;  // a controller that restarts answers again later
      std::fprintf(stderr, "tread: squeue: %s; waiting\n", Trimmed(answer.complaint).c_str());
    }
    for (int i = 0; i < 20; ++i) {
      if (caught_signal != 0) return false;
      usleep(100000);
    }
  }
}

}  // namespace tread
