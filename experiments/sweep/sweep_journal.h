// What has been run of a sweep: a file of JSON lines per shard, one line per finished run, on the disk before the next is waited for.
//
//   {"run": 12, "status": "done", "summary": {...}}      {"run": 13, "status": "died", "reason": "killed by signal 9 (Killed)"}
//
// A line that is not whole (the process or the machine died while writing it) counts as not written: its run is repeated. Where a run
// has several lines, one that is done counts.
#pragma once

#include <map>
#include <memory>
#include <string>

namespace tread {

struct SweepShard {
  std::size_t index = 0, count = 1;
  bool Owns(std::size_t run) const { return run % count == index; }
};

struct SweepRecord {
  bool done = false;
  std::string text;  // done: the summary, JSON; died: why
};
using SweepRecords = std::map<std::size_t, SweepRecord>;  // by run

// The journals of all shards in the folder, of a plan of so many runs. Says on stderr which lines could not be read.
SweepRecords ReadSweepJournals(const std::string& folder, std::size_t runs);

// Whether a process is writing to the journal of another count of shards: runs would be made twice. Empty, or the name of that journal.
std::string FindBusyJournal(const std::string& folder, const SweepShard& shard);

class SweepJournal {
 public:
  static std::string Name(const SweepShard& shard);  // journal.0-of-3.jsonl

  // Opens or makes the journal and locks it for the life of this object. Throws std::invalid_argument when another process has it,
  // std::runtime_error when it cannot be written.
  SweepJournal(const std::string& folder, const SweepShard& shard);
  ~SweepJournal();
  SweepJournal(const SweepJournal&) = delete;
  SweepJournal& operator=(const SweepJournal&) = delete;

  void Append(std::size_t run,
              const SweepRecord& record);  // one write, one fsync. Throws std::runtime_error.

 private:
  void CutTornLine();

  std::string path_;
  int file_ = -1;
};

}  // namespace tread
