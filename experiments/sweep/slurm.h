// A sweep as an array job of Slurm: sbatch queues one task per shard, squeue says when all have ended. Which partition, account or time limit
// is Slurm's own affair: SBATCH_PARTITION, SBATCH_ACCOUNT, SBATCH_TIMELIMIT, ... in the environment.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace tread {

// Throws std::invalid_argument where a command of Slurm is missing.
void RequireSlurm();

struct SlurmArray {
  std::string folder;                // for the script and the tasks' output (slurm-I.log)
  std::string name;                  // of the job
  std::vector<std::string> command;  // task I of N calls it with "--shard I/N" at its end
  std::size_t size = 4;
  int cpus = 1;  // per task
};

// The job's number. Throws std::runtime_error with what sbatch said.
std::string SubmitSlurmArray(const SlurmArray& array);

// Until no task is queued or running any more; calls progress(running, waiting) every two seconds or so. False when progress() was.
bool WaitForSlurmJob(const std::string& job, const std::function<bool(int running, int waiting)>& progress);

}  // namespace tread
