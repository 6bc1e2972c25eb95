// Tasks in worker processes: all results, exact bytes, and the pool outlives its workers (and they not it).
#include "experiments/worker_pool.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <thread>

#include "experiments/cli/interrupt.h"

namespace tread {
namespace {

using Results = std::map<std::size_t, TaskResult>;

Results RunAll(const std::vector<std::size_t>& tasks, int jobs,
               const std::function<std::string(std::size_t)>& work) {
  Results results;
  EXPECT_TRUE(RunTasks(tasks, jobs, work, [&](const TaskResult& result) {
    EXPECT_TRUE(results.emplace(result.task, result).second) << "task " << result.task << " twice";
    return true;
  }));
  return results;
}

bool HasChildren() {
  return waitpid(-1, nullptr, WNOHANG) >= 0 || errno != ECHILD;
}

TEST(WorkerPool, RunsEveryTaskInProcessesOfTheirOwn) {
  for (int jobs : {1, 2, 5}) {
    const std::string parent = std::to_string(getpid());
    const Results results = RunAll({3, 0, 7, 4}, jobs, [](std::size_t i) {
      return std::to_string(i * i) + " " + std::to_string(getpid());
    });
    ASSERT_EQ(results.size(), 4u);
    for (const auto& [task, result] : results) {
      EXPECT_FALSE(result.died) << result.output;
      const std::string square = std::to_string(task * task) + " ";
      EXPECT_EQ(result.output.rfind(square, 0), 0u) << result.output;
      EXPECT_NE(result.output.substr(square.size()), parent);
    }
  }
  EXPECT_TRUE(RunAll({}, 2, [](std::size_t) { return std::string(); }).empty());
}

TEST(WorkerPool, PassesOnBytesOfAnyKindAndNumber) {
  const auto bytes = [](std::size_t size) {
    std::string text(size, '\0');
    for (std::size_t i = 0; i < size; ++i) text[i] = static_cast<char>(i * 7 + i / 256);
    return text;
  };
  const std::vector<std::size_t> sizes = {0, 1, 65535, 65536, 65537, 20000000};
  const Results results = RunAll(sizes, 3, bytes);
  for (std::size_t size : sizes) {
    EXPECT_FALSE(results.at(size).died);
    EXPECT_TRUE(results.at(size).output == bytes(size)) << size;
  }
}

TEST(WorkerPool, ADeadWorkerLosesItsTaskOnly) {
  const Results results = RunAll({0, 1, 2, 3, 4, 5, 6}, 2, [](std::size_t i) -> std::string {
    if (i == 1) kill(getpid(), SIGKILL);
    if (i == 2) throw std::runtime_error("no such\nluck");
    if (i == 3) std::abort();
    if (i == 4) _exit(0);
    if (i == 5) throw 1;
    return "fine";
  });
  ASSERT_EQ(results.size(), 7u);
  for (std::size_t i : {0, 6}) {
    EXPECT_FALSE(results.at(i).died);
    EXPECT_EQ(results.at(i).output, "fine");
  }
  for (std::size_t i = 1; i <= 5; ++i) EXPECT_TRUE(results.at(i).died) << i;
  EXPECT_NE(results.at(1).output.find("signal 9"), std::string::npos) << results.at(1).output;
  EXPECT_EQ(results.at(2).output, "no such\nluck");
  EXPECT_NE(results.at(3).output.find("signal 6"), std::string::npos) << results.at(3).output;
  EXPECT_NE(results.at(4).output.find("exit code 0"), std::string::npos) << results.at(4).output;
}

TEST(WorkerPool, ReportsInOrderOfCompletionAndRunsSideBySide) {
  std::vector<std::size_t> order;
  RunTasks(
      {300, 10, 100}, 3,
      [](std::size_t ms) {
        std::this_thread::sleep_for(std::chrono::milliseconds(ms));
        return std::string();
      },
      [&](const TaskResult& result) {
        order.push_back(result.task);
        return true;
      });
  EXPECT_EQ(order, (std::vector<std::size_t>{10, 100, 300}));
}

TEST(WorkerPool, StopsWhenAskedAndLeavesNobodyBehind) {
  const auto start = std::chrono::steady_clock::now();
  int seen = 0;
  EXPECT_FALSE(RunTasks(
      {0, 60, 60, 0}, 3,
      [](std::size_t s) {
        std::this_thread::sleep_for(std::chrono::seconds(s));
        return std::string();
      },
      [&](const TaskResult&) {
        ++seen;
        return false;
      }));
  EXPECT_EQ(seen, 1);
  EXPECT_FALSE(HasChildren());
  EXPECT_THROW(RunTasks(
                   {1}, 2, [](std::size_t) { return std::string(); },
                   [](const TaskResult&) -> bool { throw std::runtime_error("disk full"); }),
               std::runtime_error);
  EXPECT_FALSE(HasChildren());
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

TEST(WorkerPool, ACaughtSignalStopsIt) {
  InterruptGuard guard;
  int seen = 0;
  EXPECT_FALSE(RunTasks(
      {0, 60, 60}, 2,
      [](std::size_t s) {
        raise(SIGINT);  // workers do not mind
        std::this_thread::sleep_for(std::chrono::seconds(s));
        return std::string();
      },
      [&](const TaskResult& result) {
        EXPECT_FALSE(result.died) << result.output;
        ++seen;
        raise(SIGINT);
        return true;
      }));
  EXPECT_EQ(seen, 1);
  EXPECT_EQ(guard.signal(), SIGINT);
}

TEST(WorkerPool, WorkersEndWithTheirParent) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t parent = fork();
  ASSERT_GE(parent, 0);
  if (parent == 0) {
    close(ends[0]);
    RunTasks(
        {0, 1}, 2,
        [&](std::size_t) {
          if (write(ends[1], "x", 1) == 1) std::this_thread::sleep_for(std::chrono::seconds(60));
          return std::string();
        },
        [](const TaskResult&) { return true; });
    _exit(0);
  }
  close(ends[1]);
  char byte;
  for (int i = 0; i < 2; ++i) ASSERT_EQ(read(ends[0], &byte, 1), 1);  // both workers are at work
  kill(parent, SIGKILL);
  waitpid(parent, nullptr, 0);
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(read(ends[0], &byte, 1), 0);  // nobody holds the pipe any more
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
  close(ends[0]);
}

TEST(WorkerPool, RefusesLessThanOneJob) {
  EXPECT_THROW(RunTasks(
                   {0}, 0, [](std::size_t) { return std::string(); }, [](const TaskResult&) { return true; }),
               std::invalid_argument);
}

}  // namespace
}  // namespace tread
