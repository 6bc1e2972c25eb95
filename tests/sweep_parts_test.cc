// The parts of a sweep: order of runs, axes as typed, journals that were torn, cells and tables.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "experiments/report/sweep_page.h"
#include "experiments/sweep/sweep_results.h"
#include "experiments/sweep/sweep_statistics.h"

namespace tread {
namespace {

const char* const kConfig = "configs/ball_drop.yaml";

class Folder {
 public:
  Folder()
      : path_(std::filesystem::temp_directory_path() / ("tread-sweep-test-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string path() const { return path_.string(); }
  std::string Read(const std::string& name) const {
    std::ifstream in(path_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

 private:
  std::filesystem::path path_;
};

SweepPlan Plan(std::vector<std::string> axes, const std::string& seeds) {
  return MakeSweepPlan({kConfig, {}, std::move(axes), seeds});
}

TEST(SweepPlan, FirstAxisIsSlowestAndSeedsAreFastest) {
  const SweepPlan plan = Plan({"friction=0.1,0.2", "sim.dt=0.001,0.0005,0.0002"}, "4-5");
  ASSERT_EQ(plan.runs(), 12u);
  EXPECT_EQ(plan.Describe(0), "friction=0.1, sim.dt=0.001, seed 4");
  EXPECT_EQ(plan.Describe(1), "friction=0.1, sim.dt=0.001, seed 5");
  EXPECT_EQ(plan.Describe(2), "friction=0.1, sim.dt=0.0005, seed 4");
  EXPECT_EQ(plan.Describe(11), "friction=0.2, sim.dt=0.0002, seed 5");
  std::size_t owned = 0;
  for (std::size_t run = 0; run < 12; ++run) {
    for (std::size_t i = 0; i < 5; ++i) owned += SweepShard{i, 5}.Owns(run);
  }
  EXPECT_EQ(owned, 12u);
}

TEST(SweepPlan, CommasInBracketsAndQuotesStay) {
  const SweepPlan plan = Plan({"a=[1,2],[3,{b: 4,c: 5}]", "d='x,y',z"}, "1");
  EXPECT_EQ(plan.axes[0].values, (std::vector<std::string>{"[1,2]", "[3,{b: 4,c: 5}]"}));
  EXPECT_EQ(plan.axes[1].values, (std::vector<std::string>{"'x,y'", "z"}));
}

TEST(SweepPlan, SurvivesItsFile) {
  const Folder folder;
  const SweepPlan plan = Plan({"friction=0.1,0.2"}, "3");
  std::ofstream(folder.path() + "/plan.json") << WriteSweepPlan(plan);
  const SweepPlan read = ReadSweepPlan(folder.path() + "/plan.json");
  EXPECT_EQ(DifferenceOfPlans(read, plan), "");
  EXPECT_EQ(WriteSweepPlan(read), WriteSweepPlan(plan));
  EXPECT_NE(DifferenceOfPlans(read, Plan({"friction=0.1,0.2"}, "4")), "");
  EXPECT_NE(DifferenceOfPlans(read, Plan({"friction=0.1"}, "3")), "");
  EXPECT_NE(DifferenceOfPlans(read, MakeSweepPlan({kConfig, {"sim.dt=0.002"}, {"friction=0.1,0.2"}, "3"})),
            "");
}

TEST(SweepJournal, ATornLineIsARunNotMade) {
  const Folder folder;
  const SweepShard shard{1, 2};
  {
    SweepJournal journal(folder.path(), shard);
    journal.Append(1, {true, "{\"x\":0.1}"});
    journal.Append(3, {false, "killed \"by\"\nsomebody\xff"});
    EXPECT_THROW(SweepJournal(folder.path(), shard), std::invalid_argument);  // locked
    EXPECT_EQ(FindBusyJournal(folder.path(), {0, 2}), "");
    EXPECT_EQ(FindBusyJournal(folder.path(), {0, 3}), SweepJournal::Name(shard));
  }
  const std::string whole = folder.Read(SweepJournal::Name(shard));
  const std::string path = folder.path() + "/" + SweepJournal::Name(shard);
  for (const std::string& torn : std::vector<std::string>{"{\"run\":5,\"status\":\"done\",\"summary\":{}}",
                                                          "{\"run\":5,\"sta", std::string(2, '\0')}) {
    std::ofstream(path, std::ios::app | std::ios::binary) << torn;
    SweepRecords records = ReadSweepJournals(folder.path(), 8);
    ASSERT_EQ(records.size(), 2u) << torn;
    EXPECT_TRUE(records[1].done);
    EXPECT_FALSE(records[3].done);
    SweepJournal journal(folder.path(), shard);
    EXPECT_EQ(folder.Read(SweepJournal::Name(shard)), whole) << torn;
  }
  SweepJournal(folder.path(), {0, 1}).Append(3, {true, "{\"x\":2}"});  // made again by somebody else
  SweepRecords records = ReadSweepJournals(folder.path(), 8);
  EXPECT_TRUE(records[3].done);
  EXPECT_EQ(records[3].text, "{\"x\":2}");
  EXPECT_EQ(ReadSweepJournals(folder.path(), 2).size(), 1u);  // run 3 is not of a plan of 2
}

TEST(SweepTable, FlattensAndKeepsNumbersExactly) {
  const SweepPlan plan = Plan({"robot=none", "friction=1e-1,wide"}, "7-7");
  SweepRecords records;
  records[0] = {
      true,
      R"({"seed":7,"robot":"none","outcome":"fell, \"badly\"","a":{"b":0.1,"c":null,"d":true},"e_us":{"mean":3}})"};
  records[1] = {false, "killed"};
  const SweepTable table = MakeSweepTable(plan, records);
  EXPECT_EQ(SweepCsv(table),
            "run,robot,friction,seed,status,outcome,a.b,a.c,a.d,e_us.mean\n"
            "0,none,0.1,7,done,\"fell, \"\"badly\"\"\",0.1,,1,3\n"
            "1,none,wide,7,died,,,,,\n");
  records[0].text = R"({"x":0.30000000000000004,"y":1e-300,"z":12345678.125})";
  const SweepTable exact = MakeSweepTable(plan, records);
  EXPECT_EQ(std::stod(exact.Text(0, "x")), 0.1 + 0.2);
  EXPECT_EQ(std::stod(exact.Text(0, "y")), 1e-300);
  EXPECT_EQ(std::stod(exact.Text(0, "z")), 12345678.125);
}

TEST(SweepTable, KnowsWhatIsTiming) {
  for (const char* name : {"real_time_factor", "solver.solve_us.mean", "step_us.p99", "e_us"})
    EXPECT_TRUE(IsTimingColumn(name)) << name;
  for (const char* name : {"tracking.vx.rms_error", "outcome_time", "user", "a_useful.b", "bonus.x"})
    EXPECT_FALSE(IsTimingColumn(name)) << name;
}

TEST(SweepStatistics, MediansOfWhatCompletedAndSharesOfTheRest) {
  const SweepPlan plan = Plan({"sim.contact.eps_abs=1e-6,1e-1"}, "4");
  SweepRecords records;
  const auto summary = [](const char* outcome, double error, int us) {
    return SweepRecord{true, "{\"outcome\":\"" + std::string(outcome) +
                                 "\",\"tracking\":{\"vx\":{\"gait_rms_error\":" + std::to_string(error) +
                                 "}},\"solver\":{\"iterations\":{\"mean\":4},\"solve_us\":{\"mean\":" +
                                 std::to_string(us) + "}}}"};
  };
  records[0] = summary("completed", 0.5, 1);
  records[1] = summary("fell", 9, 2);
  records[2] = summary("completed", 0.25, 3);
  records[3] = {false, "killed"};
  const std::vector<SweepPoint> points = SummarisePoints(plan, MakeSweepTable(plan, records));
  ASSERT_EQ(points.size(), 2u);
  EXPECT_EQ(points[0].runs, 3);
  EXPECT_EQ(points[0].completed, 2);
  EXPECT_DOUBLE_EQ(points[0].error.median, 0.375);
  EXPECT_DOUBLE_EQ(points[0].solve_us.median, 2);
  // Wilson's interval for 1 of 3, as R's binom.confint gives it
  EXPECT_NEAR(points[0].lost.low, 0.0615, 5e-5);
  EXPECT_NEAR(points[0].lost.high, 0.7923, 5e-5);
  EXPECT_EQ(points[1].runs, 0);
  EXPECT_TRUE(std::isnan(points[1].error.median));
  if (!Page::Unavailable().empty()) return;
  const Folder folder;
  MakeSweepPage(plan, MakeSweepTable(plan, records)).Write(folder.path() + "/report.html");
  EXPECT_NE(folder.Read("report.html").find("Against sim.contact.eps_abs"), std::string::npos);
}

}  // namespace
}  // namespace tread
