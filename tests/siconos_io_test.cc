#include "sim/contact/siconos_io.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "sim/contact/criteria.h"
#include "sim/contact/ncp_pgs.h"

namespace tread {
namespace {

namespace fs = std::filesystem;

std::string Write(const std::string& name, const std::string& text) {
  const fs::path path = fs::path(testing::TempDir()) / name;
  std::ofstream(path) << text;
  return path.string();
}

std::string Error(const std::string& path) {
  try {
    ReadSiconos(path);
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "";
}

TEST(SiconosFile, ReordersNormalLast) {
  const auto file =
      ReadSiconos(Write("one.dat", "3\n1\n0\n3\n3\n3 3\n15 -1 -2\n-1 4 .5\n-2 .5 6\n-10 1 2\n0.3\n"));
  EXPECT_EQ(file.problem.G.ToDense(), (Eigen::Matrix3d() << 4, .5, -1, .5, 6, -2, -1, -2, 15).finished());
  EXPECT_EQ(file.problem.g, Eigen::Vector3d(1, 2, -10));
  EXPECT_EQ(file.problem.mu[0], 0.3);
}

TEST(SiconosFile, RoundTripKeepsEveryBit) {
  const auto a =
      ReadSiconos(Write("a.dat", "3\n1\n0\n3\n3\n3 3\n1.1 0 0\n0 2.3 0.7\n0 0.7 3.3\n-0.1 1 2\n0.7\n"));
  const std::string path = (fs::path(testing::TempDir()) / "b.dat").string();
  WriteSiconos(path, a.problem);
  const auto b = ReadSiconos(path);
  EXPECT_EQ(a.problem.G.ToDense(), b.problem.G.ToDense());
  EXPECT_EQ(a.problem.g, b.problem.g);
}

TEST(SiconosFile, BadInputNamesFileLineAndRemedy) {
  EXPECT_NE(Error("no/such.dat").find("no/such.dat: cannot be opened"), std::string::npos);
  EXPECT_NE(Error(Write("t.dat", "3\n1\n0\n3\n3\n3 3\n15 -1\n"))
                .find("t.dat:8: the file ends where matrix entry (0, 2)"),
            std::string::npos);
  EXPECT_NE(Error(Write("n.dat", "3\n1\n0\n3\n3\n3 3\nnan 0 0\n")).find("n.dat:7:"), std::string::npos);
  EXPECT_NE(Error(Write("w.dat", "3\n1\n0\n3\n3\n3 3\nx 0 0\n")).find("'x': expected a number"),
            std::string::npos);
  EXPECT_NE(Error(Write("d.dat", "2\n1\n")).find("dimension = 2: expected 3"), std::string::npos);
  EXPECT_NE(
      Error(Write("s.dat", "3\n1\n0\n3\n3\n3 3\n1 .5 0\n0 1 0\n0 0 1\n-1 0 0\n.3\n")).find("asymmetric"),
      std::string::npos);
  EXPECT_NE(
      Error(Write("m.dat", "3\n1\n0\n3\n3\n3 3\n1 0 0\n0 1 0\n0 0 1\n-1 0 0\n-.3\n")).find("must be >= 0"),
      std::string::npos);
}

TEST(SiconosFile, RecordedProblemsAreReadAndRoversSolved) {
  const char* env = std::getenv("TREAD_DATA");
  const fs::path folder = fs::path(env ? env : "../shared/data") / "contact_problems";
  if (!fs::is_directory(folder)) GTEST_SKIP() << "no contact problems in " << folder << "; set TREAD_DATA";
  int read = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".dat") continue;
    const ContactProblem problem = ReadSiconos(entry.path().string()).problem;
    ++read;
    if (entry.path().filename().string().rfind("Rover", 0) != 0) continue;
    ContactSolution solution;
    EXPECT_EQ(MakeNcpPgs({})->Solve(problem, &solution), SolveStatus::kConverged) << entry.path();
  }
  EXPECT_EQ(read, 17);
}

}  // namespace
}  // namespace tread
