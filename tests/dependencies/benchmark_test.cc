// Google Benchmark times a loop of a known number of rounds and reports the counter it was given.
#include <benchmark/benchmark.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

// keeps what it is told instead of printing it
class Collector : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& report) override {
    runs.insert(runs.end(), report.begin(), report.end());
  }
  std::vector<Run> runs;
};

void CountRounds(benchmark::State& state) {
  int rounds = 0;
  for (auto _ : state) benchmark::DoNotOptimize(++rounds);
  state.counters["rounds"] = rounds;
}

TEST(GoogleBenchmark, RunsTheRoundsAskedForAndReportsCounters) {
  benchmark::RegisterBenchmark("count_rounds", CountRounds)->Iterations(1000);
  Collector collector;
  EXPECT_EQ(benchmark::RunSpecifiedBenchmarks(&collector, "count_rounds"), 1u);
  ASSERT_EQ(collector.runs.size(), 1u);
  EXPECT_EQ(collector.runs[0].iterations, 1000);
  EXPECT_EQ(static_cast<int>(collector.runs[0].counters.at("rounds")), 1000);
  EXPECT_GT(collector.runs[0].real_accumulated_time, 0.0);
}

}  // namespace
