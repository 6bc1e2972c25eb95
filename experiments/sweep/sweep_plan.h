// What a sweep runs: the product of its axes (the first one slowest), each point with every seed. Run k is
//
//   point k / seeds, seed k % seeds,     and belongs to shard k % N of N.
//
// The plan is kept as plan.json in the sweep's folder, so that a sweep can be gone on with, and only as the sweep it was.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/experiment_config.h"
#include "experiments/option_lists.h"

namespace tread {

struct SweepRequest {
  std::string config;
  std::vector<std::string> sets;     // "KEY=VALUE", of all runs
  std::vector<std::string> axes;     // "KEY=V1,V2,..."; commas within brackets and quotes belong to a value
  std::optional<std::string> seeds;  // "N" for 1..N, or "A-B"; without: the configuration's own
};

using SweepAxis = KeyValues;

struct SweepPlan {
  std::string version;                                    // of tread
  std::string config;                                     // the file
  std::vector<std::pair<std::string, std::string>> keys;  // what the file and --set say, "sim.dt" -> "0.001"
  std::vector<SweepAxis> axes;
  std::vector<std::int64_t> seeds;

  std::size_t points() const;
  std::size_t runs() const { return points() * seeds.size(); }
  std::size_t PointOf(std::size_t run) const { return run / seeds.size(); }
  std::int64_t SeedOf(std::size_t run) const { return seeds[run % seeds.size()]; }
  std::vector<std::string> ValuesAt(std::size_t point) const;  // one per axis
  std::string Describe(std::size_t run) const;                 // "sim.dt=0.001, seed 4"
};

// Throws std::invalid_argument that names the option or the file.
SweepPlan MakeSweepPlan(const SweepRequest& request);

// The configuration of a point, without a tick log unless --set or an axis asks for one. What an axis has made wrong is reported as
// "--axis KEY=VALUE: ...".
ExperimentConfig LoadSweepPoint(const SweepRequest& request, const SweepPlan& plan, std::size_t point);

std::string WriteSweepPlan(const SweepPlan& plan);      // JSON
SweepPlan ReadSweepPlan(const std::string& plan_file);  // throws std::invalid_argument

// Empty for the same sweep; else the first thing that differs: "--axis sim.dt has 0.001,0.002 there".
std::string DifferenceOfPlans(const SweepPlan& there, const SweepPlan& here);

}  // namespace tread
