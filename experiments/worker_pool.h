// Independent tasks in forked worker processes: one fork of this program per task, at most `jobs` at a time.
//
// A process per task keeps what one run does (a crash, memory, a library's hidden state) from every other. A fork costs about a
// millisecond, so a task should last longer than that. Workers ignore SIGINT, and end with this process, however it ends. Linux only.
// Not to be called while the program has other threads: a fork takes only one along.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace tread {

struct TaskResult {
  std::size_t task;
  bool died;           // by a signal, an exception, or by leaving the program
  std::string output;  // what work() returned, byte for byte; of a task that died: why, in one line
};

// Runs work(i) for every i of `tasks`, started in this order; done() is called in this process in order of completion. When one dies
// the others go on. Stops when done() returns false or a signal was caught (cli/interrupt.h; the caller has the guard): nothing new is
// started, running workers are killed, and the answer is false. Throws std::invalid_argument for jobs < 1, std::runtime_error where
// no process can be started.
bool RunTasks(const std::vector<std::size_t>& tasks, int jobs,
              const std::function<std::string(std::size_t)>& work,
              const std::function<bool(const TaskResult&)>& done);

}  // namespace tread
