// The search methods on closed forms, the expressions they minimise, and the journal.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "experiments/tune/cma_es.h"
#include "experiments/tune/journal.h"
#include "experiments/tune/minimise.h"
#include "experiments/tune/objective.h"
#include "experiments/tune/plan.h"

namespace tread {
namespace {

using Function = std::function<double(const Point&)>;
constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

struct Found {
  Point best;
  double value = kInfinite;
  std::vector<Point> points;  // all, in order
  SearchEnd end = SearchEnd::kStopped;
};

Found Search(const std::string& method, const Point& start, std::size_t budget, const Function& f,
             std::uint64_t seed = 1) {
  Found found;
  const auto evaluate = [&](const std::vector<Point>& points, std::vector<double>* values) {
    for (const Point& x : points) {
      if (found.points.size() == budget) return false;
      found.points.push_back(x);
      values->push_back(f(x));
      if (values->back() < found.value) {
        found.value = values->back();
        found.best = x;
      }
    }
    return true;
  };
  found.end = Minimise(*FindSearchMethod(method), start, seed, evaluate);
  return found;
}

// An ellipsoid with axes 1 to 100, aslant, least at `at`.
double Ellipsoid(const Point& x, double at) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double y = x[i] - at + 0.5 * (i > 0 ? x[i - 1] - at : 0);
    sum += std::pow(
               10, 2 * static_cast<double>(i) / static_cast<double>(std::max<std::size_t>(1, x.size() - 1))) *
           y * y;
  }
  return sum;
}

// On [-2, 2]^2, least at (1, 1): in the cube at (0.75, 0.75).
double Rosenbrock(const Point& u) {
  const double x = 4 * u[0] - 2, y = 4 * u[1] - 2;
  return 100 * std::pow(y - x * x, 2) + std::pow(1 - x, 2);
}

TEST(CmaEsSearch, FindsLeastOfEllipsoid) {
  for (const std::size_t n : {1u, 2u, 5u}) {
    const Found found =
        Search("cmaes", Point(n, 0.9), 300 * n, [](const Point& x) { return Ellipsoid(x, 0.3); });
    for (const double x : found.best) EXPECT_NEAR(x, 0.3, 1e-3) << n << " dimensions";
  }
}

TEST(CmaEsSearch, FindsLeastOfRosenbrock) {
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    const Found found = Search("cmaes", {0.2, 0.6}, 1200, Rosenbrock, seed);
    EXPECT_EQ(found.end, SearchEnd::kConverged);
    EXPECT_NEAR(found.best[0], 0.75, 2e-3) << "seed " << seed;
    EXPECT_NEAR(found.best[1], 0.75, 2e-3) << "seed " << seed;
  }
}

TEST(CmaEsSearch, LeastAtAFaceStaysInTheCube) {
  const Found found = Search("cmaes", {0.5, 0.5}, 600, [](const Point& x) { return x[0] - x[1]; });
  for (const Point& x : found.points) {
    for (const double c : x) EXPECT_TRUE(c >= 0 && c <= 1) << c;
  }
  EXPECT_LT(found.best[0], 1e-2);
  EXPECT_GT(found.best[1], 1 - 1e-2);
}

TEST(CmaEsSearch, InfiniteValuesAreTheWorst) {
  const auto half = [](const Point& x) { return x[0] < 0.5 ? kInfinite : Ellipsoid(x, 0.6); };
  const Found found = Search("cmaes", {0.2, 0.2}, 600, half);
  EXPECT_NEAR(found.best[0], 0.6, 1e-2);
  EXPECT_NEAR(found.best[1], 0.6, 1e-2);
}

TEST(CmaEsSearch, NormalNumbersAreNormal) {
  CmaEs search({0.5}, 0.01, 7);
  double sum = 0, squares = 0, n = 0;
  for (int i = 0; i < 5000; ++i) {
    for (const auto& x : search.Ask()) {
      const double z = (x[0] - 0.5) / 0.01;
      sum += z;
      squares += z * z;
      ++n;
    }
  }
  EXPECT_NEAR(sum / n, 0, 4 / std::sqrt(n));  // four standard errors
  EXPECT_NEAR(squares / n, 1, 4 * std::sqrt(2.0) / std::sqrt(n));
}

TEST(EveryMethod, FindsLeastOfABowlAndRepeatsItself) {
  for (const SearchMethod& method : SearchMethods()) {
    const auto bowl = [](const Point& x) { return std::pow(x[0] - 0.7, 2) + std::pow(x[1] - 0.2, 2); };
    const Found found = Search(method.name, {0.4, 0.5}, 1000, bowl),
                again = Search(method.name, {0.4, 0.5}, 1000, bowl);
    EXPECT_NEAR(found.best[0], 0.7, 0.03) << method.name;
    EXPECT_NEAR(found.best[1], 0.2, 0.03) << method.name;
    EXPECT_EQ(found.points, again.points) << method.name;
    // a smaller budget is a part of the same search
    const Found shorter = Search(method.name, {0.4, 0.5}, 17, bowl);
    ASSERT_EQ(shorter.points.size(), 17u) << method.name;
    EXPECT_TRUE(std::equal(shorter.points.begin(), shorter.points.end(), found.points.begin()))
        << method.name;
  }
}

TEST(TuneAxis, LogarithmicAxisIsEvenInTheLogarithm) {
  TuneAxis axis;
  axis.low = 1e-6;
  axis.high = 1e-2;
  axis.log = true;
  EXPECT_NEAR(axis.FromUnit(0.5), 1e-4, 1e-16);
  EXPECT_EQ(axis.FromUnit(0), 1e-6);
  EXPECT_EQ(axis.FromUnit(1), 1e-2);
  EXPECT_NEAR(axis.ToUnit(1e-3), 0.75, 1e-12);
  EXPECT_EQ(axis.ToUnit(0), 0);  // outside: the nearest bound
  const Found found = Search("cmaes", {axis.ToUnit(5e-3)}, 300, [&](const Point& u) {
    return std::pow(std::log10(axis.FromUnit(u[0])) + 5, 2);
  });
  EXPECT_NEAR(std::log10(axis.FromUnit(found.best[0])), -5, 1e-3);
}

TEST(TuneAxis, IntegersAreWholeAndReachBothBounds) {
  TuneAxis axis;
  axis.low = 2;
  axis.high = 5;
  axis.integer = true;
  EXPECT_EQ(axis.FromUnit(0), 2);
  EXPECT_EQ(axis.FromUnit(0.49), 3);
  EXPECT_EQ(axis.FromUnit(0.51), 4);
  EXPECT_EQ(axis.FromUnit(1), 5);
}

TEST(Seeds, CountAndRange) {
  EXPECT_EQ(ParseSeeds("--seeds", "8").text(), "1-8");
  EXPECT_EQ(ParseSeeds("--seeds", "11-50").size(), 40u);
  EXPECT_EQ(ParseSeeds("--seeds", "3-5").seeds(), (std::vector<std::int64_t>{3, 4, 5}));
  for (const char* wrong : {"", "0", "-3", "5-4", "1-", "x", "1-2-3", "1.5"})
    EXPECT_THROW(ParseSeeds("--seeds", wrong), std::invalid_argument) << wrong;
}

const std::vector<std::string> kKnown = {"a", "b.c", "cost_of_transport", "solver.solve_us.mean",
                                         "real_time_factor"};

// The value over runs that all complete; each is given as (a, b.c).
double Value(const std::string& text, const std::vector<std::pair<double, double>>& runs) {
  const Objective objective(text, kKnown, false);
  std::vector<RunScalars> scalars;
  for (const auto& [a, b] : runs) {
    RunScalars run;
    for (const std::string& entry : objective.entries()) run.values.push_back(entry == "a" ? a : b);
    scalars.push_back(run);
  }
  return objective.Value(scalars);
}

TEST(ObjectiveExpression, Arithmetic) {
  const std::vector<std::pair<double, double>> runs = {{1, 10}, {3, 30}};  // means 2 and 20
  EXPECT_EQ(Value("1 + 2 * 3", runs), 7);
  EXPECT_EQ(Value("(1 + 2) * 3", runs), 9);
  EXPECT_EQ(Value("8 - 4 - 2", runs), 2);
  EXPECT_EQ(Value("8 / 4 / 2", runs), 1);
  EXPECT_EQ(Value("-2 * -a", runs), 4);
  EXPECT_EQ(Value("2--3", runs), 5);
  EXPECT_EQ(Value("1e-1 + .5", runs), 0.6);
  EXPECT_EQ(Value("b.c / a", runs), 10);
  EXPECT_EQ(Value("max(a, 1, b.c) + min(a, 1) + abs(-3) + sqrt(16) + log(1)", runs), 20 + 1 + 3 + 4);
}

TEST(ObjectiveExpression, OverTheSeeds) {
  const std::vector<std::pair<double, double>> runs = {{1, 1}, {2, 1}, {9, 2}};
  EXPECT_EQ(Value("a", runs), 4);
  EXPECT_EQ(Value("median(a)", runs), 2);
  EXPECT_EQ(Value("p95(a)", runs), 9);
  EXPECT_EQ(Value("mean(a * a)", runs), (1 + 4 + 81) / 3.0);  // not 16
  EXPECT_EQ(Value("median(a / b.c) + a", runs), 2 + 4);
}

TEST(ObjectiveExpression, FallsAndMissingEntries) {
  const Objective objective("fell + cost_of_transport", kKnown, false);
  EXPECT_EQ(objective.entries(), std::vector<std::string>{"cost_of_transport"});
  EXPECT_EQ(objective.Value({{false, {2}}, {true, {kNan}}}), 0.5 + 2);  // the run that has none is left out
  EXPECT_EQ(objective.Value({{true, {kNan}}, {true, {kNan}}}), kInfinite);
  EXPECT_EQ(Value("log(0)", {{1, 1}}), kInfinite);  // not the best of all
  EXPECT_EQ(Value("sqrt(0 - a)", {{1, 1}}), kInfinite);
  EXPECT_EQ(Value("max(1, sqrt(-1))", {{1, 1}}), kInfinite);
}

TEST(ObjectiveExpression, ErrorsNameTheCharacter) {
  const auto says = [](const std::string& text, const std::string& expected) {
    try {
      Objective objective(text, kKnown, false);
      ADD_FAILURE() << text << " was accepted";
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string(error.what()).find(expected), std::string::npos) << text << ": " << error.what();
    }
  };
  says("", "character 1: it ends here");
  says("a +", "character 4: it ends here");
  says("a b.c", "character 3: unexpected 'b'");
  says("(a", "character 3: expected ')'");
  says("a)", "character 2: unexpected ')'");
  says("1 + cost_of_transprt",
       "character 5: cost_of_transprt: no such number in summary.json; did you mean 'cost_of_transport'?");
  says("sqr(a)", "character 1: sqr: no such function; did you mean 'sqrt'?");
  says("abs(a, a)", "character 1: abs takes one value");
  says("min(a)", "character 1: min takes two or more values");
  says("median(p95(a))", "character 8: p95 inside of");
  says("a + solver.solve_us.mean", "character 5: solver.solve_us.mean is wall-clock time");
  says("real_time_factor", "--allow-timing");
  says("1e999", "character 1: not a number");
  says(std::string(1000, '('), "nested too deeply");
  says(std::string(20000, '1'), "longer than");
  EXPECT_NO_THROW(Objective("real_time_factor", kKnown, true));
}

TEST(ScalarEntries, AreTheNumbersOfASummary) {
  const auto json = nlohmann::ordered_json::parse(
      R"({"backend": "x", "tracking": {"vx": {"rms_error": 0.5}}, "cost_of_transport": null, "allocations_per_tick": null})");
  const auto entries = ScalarEntries(json);
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[0].first, "tracking.vx.rms_error");
  EXPECT_EQ(entries[0].second, 0.5);
  EXPECT_EQ(entries[1].first, "cost_of_transport");
  EXPECT_TRUE(std::isnan(entries[1].second));
}

class JournalTest : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::remove(path_); }
  void TearDown() override { std::filesystem::remove(path_); }
  std::string Text() const {
    std::ostringstream text;
    text << std::ifstream(path_).rdbuf();
    return text.str();
  }
  void Add(const std::string& text) const { std::ofstream(path_, std::ios::app) << text; }
  std::unique_ptr<Journal> Open() const { return std::make_unique<Journal>(path_, keys_, entries_); }

  const std::string path_ = testing::TempDir() + "tread_journal_test.csv";
  const std::vector<std::string> keys_ = {"k"}, entries_ = {"e"};
};

TEST_F(JournalTest, ReadsBackWhatWasWritten) {
  Open()->Append({0, 0, {0.1}, 1.0 / 3, 2, {kNan}});
  Open()->Append({1, 1, {1e-300}, kInfinite, 0, {-0.0}});
  const auto journal = Open();
  ASSERT_EQ(journal->found().size(), 2u);
  EXPECT_EQ(journal->found()[0].values[0], 0.1);
  EXPECT_EQ(journal->found()[0].objective, 1.0 / 3);
  EXPECT_EQ(journal->found()[0].falls, 2);
  EXPECT_TRUE(std::isnan(journal->found()[0].means[0]));
  EXPECT_EQ(journal->found()[1].objective, kInfinite);
}

TEST_F(JournalTest, DropsATornLastLine) {
  Open()->Append({0, 0, {1}, 2, 0, {3}});
  const std::string whole = Text();
  Add("1,1,0.5,0.2");
  EXPECT_EQ(Open()->found().size(), 1u);
  EXPECT_EQ(Text(), whole);
}

TEST_F(JournalTest, RefusesWhatItDidNotWrite) {
  Open()->Append({0, 0, {1}, 2, 0, {3}});
  Add("2,1,1,2,0,3\n");  // evaluation 1 is missing
  EXPECT_THROW(Open(), std::invalid_argument);
  std::filesystem::remove(path_);
  Add("index,something\n");
  EXPECT_THROW(Open(), std::invalid_argument);
}

}  // namespace
}  // namespace tread
