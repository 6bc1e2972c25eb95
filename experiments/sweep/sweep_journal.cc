#include "experiments/sweep/sweep_journal.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <thread>
#include <vector>

namespace tread {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::vector<std::string> JournalsIn(const std::string& folder) {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("journal.") && name.ends_with(".jsonl")) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

// False where the line says nothing that can be used.
bool ReadLine(const std::string& line, std::size_t runs, SweepRecords* records) {
  const Json json = Json::parse(line, nullptr, false);
  if (!json.is_object() || !json.contains("run") || !json["run"].is_number_unsigned()) return false;
  const auto run = json["run"].get<std::size_t>();
  const bool done = json.contains("summary") && json["summary"].is_object();
  if (run >= runs || (!done && !json.contains("reason"))) return false;
  SweepRecord& record = (*records)[run];
  if (done) record = {true, json["summary"].dump()};
  if (!record.done) record.text = json["reason"].get<std::string>();
  return true;
}

void ReadJournal(const std::string& path, std::size_t runs, SweepRecords* records) {
  std::ifstream in(path, std::ios::binary);
  std::string line;
  for (std::size_t number = 1; std::getline(in, line); ++number) {
    if (in.eof()) break;  // no end of line: torn
    if (!ReadLine(line, runs, records))
      std::fprintf(stderr, "tread: %s:%zu: not a line of this sweep; left out\n", path.c_str(), number);
  }
  if (in.bad()) throw std::runtime_error(path + ": cannot be read: " + std::strerror(errno));
}

// A process that was killed a moment ago may still have workers that hold the lock.
bool LockWithin(int file, int tenths) {
  for (int i = 0;; ++i) {
    if (flock(file, LOCK_EX | LOCK_NB) == 0) return true;
    if (errno != EWOULDBLOCK && errno != EINTR) return true;  // a file system without locks
    if (i >= tenths) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
}

}  // namespace

SweepRecords ReadSweepJournals(const std::string& folder, std::size_t runs) {
  SweepRecords records;
  for (const std::string& name : JournalsIn(folder)) ReadJournal(folder + "/" + name, runs, &records);
  return records;
}

std::string FindBusyJournal(const std::string& folder, const SweepShard& shard) {
  const std::string same_count = "-of-" + std::to_string(shard.count) + ".jsonl";
  for (const std::string& name : JournalsIn(folder)) {
    if (name.ends_with(same_count)) continue;
    const int file = open((folder + "/" + name).c_str(), O_RDWR | O_CLOEXEC);
    if (file < 0) continue;
    const bool is_free = LockWithin(file, 20);
    close(file);
    if (!is_free) return name;
  }
  return "";
}

std::string SweepJournal::Name(const SweepShard& shard) {
  return "journal." + std::to_string(shard.index) + "-of-" + std::to_string(shard.count) + ".jsonl";
}

SweepJournal::SweepJournal(const std::string& folder, const SweepShard& shard)
    : path_(folder + "/" + Name(shard)) {
  file_ = open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file_ < 0) throw std::runtime_error(path_ + ": cannot be written: " + std::strerror(errno));
  if (!LockWithin(file_, 20)) {
    close(file_);
    throw std::invalid_argument(path_ + ": another tread is running this shard; wait for it, or end it");
  }
  CutTornLine();
}

SweepJournal::~SweepJournal() {
  close(file_);
}

void SweepJournal::CutTornLine() {
  std::ifstream in(path_, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const std::size_t whole = text.rfind('\n') + 1;  // npos + 1 = 0
  if (whole < text.size() && ftruncate(file_, static_cast<off_t>(whole)) != 0)
    throw std::runtime_error(path_ + ": cannot be written: " + std::strerror(errno));
}

void SweepJournal::Append(std::size_t run, const SweepRecord& record) {
  std::string line = "{\"run\":" + std::to_string(run);
  if (record.done) {
    line += ",\"status\":\"done\",\"summary\":" + record.text + "}\n";
  } else {
    line += ",\"status\":\"died\",\"reason\":" +
            Json(record.text).dump(-1, ' ', false, Json::error_handler_t::replace) + "}\n";
  }
  const ssize_t written = write(file_, line.data(), line.size());
  if (written != static_cast<ssize_t>(line.size()) || fsync(file_) != 0)
    throw std::runtime_error(path_ + ": cannot be written: " + std::strerror(errno) + "; is the disk full?");
}

}  // namespace tread
