#include "sim/contact/siconos_io.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

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

std::string Slurp(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string Temporary(const std::string& name) {
  return (fs::path(testing::TempDir()) / name).string();
}

// A 2 kg point mass on the ground at the end of its rail: a contact and a limit, both with compliance.
ContactProblem ContactAndLimit() {
  ContactProblem p;
  const int sizes[] = {1, 3};
  p.G.SetDensePattern(sizes);
  p.G.Block(0, 0)(0, 0) = 0.5;
  p.G.Block(1, 1) = 0.5 * Eigen::Matrix3d::Identity();
  p.G.Block(0, 1) = 0.5 * Eigen::RowVector3d(-0.6, 0, 0.8);
  p.G.Block(1, 0) = 0.5 * Eigen::Vector3d(-0.6, 0, 0.8);
  p.types = {BlockType::kLimit, BlockType::kCoulomb};
  p.g = Eigen::Vector4d(-12.7, 8.1, 0.2, -9.81);
  p.target = Eigen::Vector4d(0.11, 0, 0, 0.3);
  p.R = Eigen::Vector4d(0.01, 0.002, 0.002, 0.05);
  p.mu = Eigen::Vector2d(0, 0.37);
  p.dt = 0.0013;
  return p;
}

TEST(SiconosFile, RoundTripKeepsEveryBitAndTheTimeStep) {
  const auto a = ReadSiconos(
      Write("a.dat", "3\n1\n0\n3\n3\n3 3\n1.1 0 0\n0 2.3 0.7\n0 0.7 3.3\n-0.1 1 2\n0.7\n# dt = 0.0013\n"));
  EXPECT_EQ(a.dt, 0.0013);
  EXPECT_EQ(a.problem.dt, 0);
  WriteSiconos(Temporary("b.dat"), a);
  const auto b = ReadSiconos(Temporary("b.dat"));
  EXPECT_EQ(a.problem.G.ToDense(), b.problem.G.ToDense());
  EXPECT_EQ(a.problem.g, b.problem.g);
  EXPECT_EQ(a.problem.mu, b.problem.mu);
  EXPECT_EQ(b.dt, 0.0013);
  WriteSiconos(Temporary("c.dat"), b);
  EXPECT_EQ(Slurp(Temporary("b.dat")), Slurp(Temporary("c.dat")));
}

TEST(SiconosFile, HoldsVelocitiesAndImpulses) {
  const ContactProblem p = ContactAndLimit();
  WriteSiconos(Temporary("units.dat"), p);
  const auto file = ReadSiconos(Temporary("units.dat"));
  EXPECT_EQ(file.dt, p.dt);
  EXPECT_EQ(file.problem.g[5], (p.g[3] - p.target[3]) * p.dt);
  EXPECT_EQ(file.problem.G.Block(1, 1)(2, 2), 0.5 + 0.05);
  const ContactProblem forces = InForces(file);
  EXPECT_NEAR(forces.g[5], -9.81 - 0.3, 1e-14);
  EXPECT_EQ(forces.dt, p.dt);

  ContactProblem unknown = p;
  unknown.dt = 0;
  WriteSiconos(Temporary("asis.dat"), unknown);
  EXPECT_EQ(ReadSiconos(Temporary("asis.dat")).problem.g[5], p.g[3] - p.target[3]);
}

TEST(SiconosFile, LimitsComeBackAsContactsWithTheSameNormalForce) {
  const ContactProblem p = ContactAndLimit();
  WriteSiconos(Temporary("limit.dat"), p);
  const auto file = ReadSiconos(Temporary("limit.dat"));
  ContactSolverConfig config;
  config.eps_abs = 1e-12;
  ContactSolution own, read;
  ASSERT_EQ(MakeNcpPgs(config)->Solve(p, &own), SolveStatus::kConverged);
  ASSERT_EQ(MakeNcpPgs(config)->Solve(file.problem, &read), SolveStatus::kConverged);
  EXPECT_GT(own.lambda[0], 0.1);
  EXPECT_GT(own.lambda[3], 0.1);
  EXPECT_NEAR(read.lambda[2], own.lambda[0] * p.dt, 1e-9);  // impulses in the file
  EXPECT_EQ(read.lambda.head<2>().norm(), 0);
  EXPECT_LT((read.lambda.tail<3>() - own.lambda.tail<3>() * p.dt).norm(), 1e-9);
}

TEST(SiconosFile, WhatCannotBeReadAgainIsNotWritten) {
  const auto refusal = [](const ContactProblem& p, const std::string& path) {
    try {
      WriteSiconos(path, p);
    } catch (const std::invalid_argument& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  ContactProblem p = ContactAndLimit();
  EXPECT_NE(refusal(p, "no/such/folder/x.dat").find("cannot be written"), std::string::npos);
  p.g[2] = std::nan("");
  EXPECT_NE(refusal(p, Temporary("x.dat")).find("q of row 2 is nan"), std::string::npos);
  p = ContactAndLimit();
  p.types[0] = BlockType::kEquality;
  EXPECT_NE(refusal(p, Temporary("x.dat")).find("block 0 is an equality"), std::string::npos);
  EXPECT_NE(refusal(ContactProblem(), Temporary("x.dat")).find("no contacts"), std::string::npos);
  EXPECT_FALSE(fs::exists(Temporary("x.dat")));
}

TEST(SiconosFile, BadInputNamesFileLineAndRemedy) {
  const std::string head = "3\n1\n0\n3\n3\n3 3\n", matrix = head + "1 0 0\n0 1 0\n0 0 1\n";
  const std::pair<std::string, const char*> cases[] = {
      {head + "15 -1 0 0 0 0 0\n\n", ":9: the file ends where matrix entry (2, 1)"},
      {head + "15 -1\n", ":6: the file is too short for 9 matrix entries; it is truncated"},
      {"3\n100000\n0\n300000\n300000\n300000 300000\n1 0 0", "90000000000 matrix entries; it is truncated"},
      {"3\n100000\n1\n300000\n300000\n1000000000\n", ":6: number of blocks = 1e+09: expected a whole number"},
      {head + "nan 0 0 0 1 0 0 0 1\n", ":7: matrix entry (0, 0) = nan: expected a finite number"},
      {head + "x 0 0 0 1 0 0 0 1\n", ":7: matrix entry (0, 0) = 'x': expected a number"},
      {"2\n1\n", ":1: dimension = 2: expected 3"},
      {head + "1 .5 0\n0 1 0\n0 0 1\n-1 0 0\n.3\n",
       ":9: matrix entries (0, 1) = 0.5 and (1, 0) = 0: asymmetric by 0.5 of the largest entry; at most "
       "0.01"},
      {head + "1 0 0\n0 0 0\n0 0 1\n-1 0 0\n.3\n",
       ":9: contact 0: the diagonal of the matrix must be positive"},
      {matrix + "-1 0 0\n-.3\n", ":11: mu[0] = -0.300000: must be >= 0"},
      {matrix + "-1 0 0\n", ":11: the file ends where mu[0] should stand; it is truncated"},
      {matrix + "-1 0 0\n.3\n7 8\n", ":12: '7' after the last coefficient: expected the end"},
      {matrix + "-1 0 0\n.3\n1\n8 9\n", ":13: '8 9' after the last coefficient: expected the end"},
      {matrix + "-1 0 0\n.3\n# dt = soon\n", ":12: dt = soon: expected a time in seconds, >= 0"},
  };
  for (const auto& [text, expected] : cases) {
    const std::string error = Error(Write("bad.dat", text));
    EXPECT_NE(error.find(std::string("bad.dat") + (expected[0] == ':' ? "" : ":")), std::string::npos)
        << error;
    EXPECT_NE(error.find(expected), std::string::npos) << error << "\n" << text;
  }
  EXPECT_NE(Error("no/such.dat").find("no/such.dat: cannot be opened (No such file"), std::string::npos);
  EXPECT_NE(Error(testing::TempDir()).find("is a folder; give the path"), std::string::npos);
  const std::string locked = Write("locked.dat", matrix);
  fs::permissions(locked, fs::perms::none);
  if (!std::ifstream(locked)) {  // root may read everything
    EXPECT_NE(Error(locked).find("cannot be opened (Permission denied)"), std::string::npos);
  }
  fs::remove(locked);
}

TEST(SiconosFile, FlagAndCommentsMayFollowTheCoefficients) {
  const auto file = ReadSiconos(
      Write("flag.dat", "3\n1\n0\n3\n3\n3 3\n1 0 0\n0 1 0\n0 0 1\n-1 0 0\n.3\n1\n# dt = 1e-3\n# note\n"));
  EXPECT_EQ(file.dt, 1e-3);
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
