#include "experiments/worker_pool.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <stdexcept>

#include "experiments/cli/interrupt.h"

namespace tread {
namespace {

// The last byte of a worker's output says how it went; without one the worker has died.
constexpr char kReturned = 'r', kThrew = 't';

bool WriteAll(int file, const std::string& text) {
  for (std::size_t written = 0; written < text.size();) {
    const ssize_t n = write(file, text.data() + written, text.size() - written);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    written += static_cast<std::size_t>(n);
  }
  return true;
}

// The life of a worker, from its fork to its end.
[[noreturn]] void Work(const std::function<std::string(std::size_t)>& work, std::size_t task, int output,
                       pid_t parent) {
  std::signal(SIGINT, SIG_IGN);  // Ctrl-C reaches all processes of a terminal; the parent ends us
  std::signal(SIGTERM,
              SIG_IGN);  // sent to the whole group, it must not look like a run that died; the parent ends us
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);  // the parent died before we could ask to be told
  std::string text;
  try {
    text = work(task) + kReturned;
  } catch (const std::exception& error) {
    text = std::string(error.what()) + kThrew;
  } catch (...) {
    text = std::string("unknown exception") + kThrew;
  }
  std::fflush(stdout);
  std::fflush(stderr);
  _exit(WriteAll(output, text) ? 0 : 1);  // no destructors: they belong to the parent
}

std::string HowItEnded(int status) {
  if (WIFSIGNALED(status)) {
    const int number = WTERMSIG(status);
    return "killed by signal " + std::to_string(number) + " (" + strsignal(number) + ")";
  }
  return "left the program with exit code " + std::to_string(WEXITSTATUS(status));
}

struct Worker {
  std::size_t task;
  pid_t process;
  int output;  // read end of its pipe
  std::string text;
};

// The workers alive. None outlives it.
class Workers {
 public:
  Workers() = default;
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;
  ~Workers() {
    for (const Worker& worker : alive_) kill(worker.process, SIGKILL);
    for (const Worker& worker : alive_) Reap(worker);
  }

  std::size_t count() const { return alive_.size(); }

  void Start(std::size_t task, const std::function<std::string(std::size_t)>& work) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
      throw std::runtime_error(std::string("no pipe to a worker: ") + std::strerror(errno));
    std::fflush(nullptr);  // or buffered text would be printed twice
    const pid_t parent = getpid(), process = fork();
    if (process == 0) Work(work, task, ends[1], parent);
    close(ends[1]);
    if (process < 0) {
      close(ends[0]);
      throw std::runtime_error(std::string("no worker process: ") + std::strerror(errno));
    }
    alive_.push_back({task, process, ends[0], ""});
  }

  // Takes in what has been written, for a fifth of a second at most; the results of the workers that have ended.
  std::vector<TaskResult> Wait() {
    std::vector<pollfd> files;
    for (const Worker& worker : alive_) files.push_back({worker.output, POLLIN, 0});
    std::vector<TaskResult> results;
    if (poll(files.data(), files.size(), 200) <= 0) return results;
    std::vector<Worker> still_alive;
    for (std::size_t i = 0; i < files.size(); ++i) {
      if (files[i].revents != 0 && ReachedEnd(&alive_[i]))
        results.push_back(Finish(&alive_[i]));
      else
        still_alive.push_back(std::move(alive_[i]));
    }
    alive_ = std::move(still_alive);
    return results;
  }

 private:
  static bool ReachedEnd(Worker* worker) {
    char bytes[65536];
    const ssize_t n = read(worker->output, bytes, sizeof bytes);
    if (n > 0) worker->text.append(bytes, static_cast<std::size_t>(n));
    return n == 0 || (n < 0 && errno != EINTR);
  }

  static int Reap(const Worker& worker) {
    close(worker.output);
    int status = 0;
    while (waitpid(worker.process, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
  }

  static TaskResult Finish(Worker* worker) {
    const int status = Reap(*worker);
    std::string& text = worker->text;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || text.empty() ||
        (text.back() != kReturned && text.back() != kThrew))
      return {worker->task, true, HowItEnded(status)};
    const bool threw = text.back() == kThrew;
    text.pop_back();
    return {worker->task, threw, std::move(text)};
  }

  std::vector<Worker> alive_;
};

}  // namespace

bool RunTasks(const std::vector<std::size_t>& tasks, int jobs,
              const std::function<std::string(std::size_t)>& work,
              const std::function<bool(const TaskResult&)>& done) {
  if (jobs < 1) throw std::invalid_argument("jobs: " + std::to_string(jobs) + ": must be at least 1");
  Workers workers;
  std::size_t started = 0;
  while (started < tasks.size() || workers.count() > 0) {
    if (caught_signal != 0) return false;
    while (started < tasks.size() && workers.count() < static_cast<std::size_t>(jobs))
      workers.Start(tasks[started++], work);
    for (const TaskResult& result : workers.Wait()) {
      if (!done(result)) return false;
    }
  }
  return true;
}

}  // namespace tread
