// Configuration files: every complaint says where, which key, which value and what to do, in one line; what is written
// reads back to the same bytes.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>

#include "experiments/config_reader.h"
#include "experiments/config_writer.h"
#include "robots/nearest.h"
#include "tests/config_test_fixture.h"

namespace tread {
namespace {

TEST_F(ConfigTest, RefusesValues) {
  EXPECT_EQ(Error("sim:\n  contact:\n    eps_abs: -1\n"),
            "foo.yaml:3: sim.contact.eps_abs = -1: must be > 0");
  EXPECT_EQ(Error("sim: {dt: abc}"), "foo.yaml:1: sim.dt = abc: expected a number ([s] time step)");
  EXPECT_EQ(Error("sim: {dt: '0.1'}"), "foo.yaml:1: sim.dt = '0.1': expected a number ([s] time step)");
  EXPECT_EQ(Error("sim: {dt: 2}"), "foo.yaml:1: sim.dt = 2: must be >= 1e-06 and <= 1 ([s] time step)");
  EXPECT_EQ(Error("sim: {dt: }"), "foo.yaml:1: sim.dt = (nothing): expected a number ([s] time step)");
  EXPECT_EQ(Error("sim: {dt: [1]}"), "foo.yaml:1: sim.dt = [...]: expected a number ([s] time step)");
  EXPECT_EQ(Error("sim: 3"), "foo.yaml:1: sim = 3: expected a section of 'key: value' lines");
  EXPECT_EQ(Error("sim:\n  backend: adm"),
            "foo.yaml:2: sim.backend = adm: must be one of admm, lcp; did you mean 'admm'?");
  EXPECT_EQ(Error("shade: grey"), "foo.yaml:1: shade = grey: must be one of dark, light");
  EXPECT_EQ(Error("gains: 3"), "foo.yaml:1: gains = 3: expected a list of numbers, such as [0.5, 1]");
  EXPECT_EQ(Error("gains:\n- 1\n- x"), "foo.yaml:3: gains.1 = x: expected a number");
  EXPECT_EQ(Error("legs:\n- name: a\n  offset: [1, 2]"),
            "foo.yaml:3: legs.0.offset = [...]: expected a list of 3 numbers in brackets, got 2 ([m])");
  EXPECT_EQ(Error("note: ~"), "foo.yaml:1: note = (nothing): expected a string; write '' for an empty one");
  EXPECT_EQ(Error("stiffness:\n  hip: -2"), "foo.yaml:2: stiffness.hip = -2: must be >= 0");
  EXPECT_EQ(Error("seed: 13"), "foo.yaml:1: seed = 13: must not be 13");
}

TEST_F(ConfigTest, NumbersAreFinite) {
  for (const char* text : {"nan", ".nan", ".NaN", "inf", ".inf", "-.inf", "+.inf", "-inf"}) {
    EXPECT_EQ(Error(std::string("gains: [") + text + "]"),
              "foo.yaml:1: gains.0 = " + std::string(text) + ": must be finite");
  }
  EXPECT_NE(Error("gains: [1e999]").find("beyond the range of a double"), std::string::npos);
  TestConfig config;
  config.dt = std::nan("");
  EXPECT_THROW(WriteConfig(config), std::invalid_argument);
}

TEST_F(ConfigTest, NumberForms) {
  const TestConfig config = Load("gains: [1e-6, 1.0e-6, +2, .5, -3., 1E3]");
  EXPECT_EQ(config.gains, (std::vector<double>{1e-6, 1e-6, 2.0, 0.5, -3.0, 1000.0}));
  for (const char* text : {"0x10", "1_000", "1 2", "1,5", "--1", "+-1", "1e", "''"}) {
    EXPECT_NE(Error(std::string("sim:\n  dt: ") + text).find("expected a number"), std::string::npos) << text;
  }
}

TEST_F(ConfigTest, IntegersHaveDigitsOnly) {
  for (const char* text : {"1.5", "1e3", "010", "0x1", "x", "true", "'3'"}) {
    EXPECT_EQ(Error(std::string("seed: ") + text),
              "foo.yaml:1: seed = " + std::string(text) + ": expected an integer, such as 0 or 1000");
  }
  EXPECT_EQ(
      Error("sim: {contact: {max_iterations: 3000000000}}"),
      "foo.yaml:1: sim.contact.max_iterations = 3000000000: must be between -2147483648 and 2147483647");
  EXPECT_EQ(Load("seed: 9223372036854775807").seed, INT64_MAX);
}

TEST_F(ConfigTest, BooleansAreTrueAndFalseOnly) {
  EXPECT_FALSE(Load("log: false").log);
  for (const char* text : {"yes", "no", "on", "off", "1", "0", "True", "'true'"}) {
    EXPECT_EQ(Error(std::string("log: ") + text),
              "foo.yaml:1: log = " + std::string(text) + ": expected true or false (write a log)");
  }
}

TEST_F(ConfigTest, RefusesUnknownKeys) {
  EXPECT_EQ(
      Error("seed: 1\nsim:\n  bakend: lcp"),
      "foo.yaml:3: sim.bakend: unknown key; did you mean 'backend'? (valid here: backend, dt, contact)");
  EXPECT_EQ(Error("sim: {qqqqqq: 1}"),
            "foo.yaml:1: sim.qqqqqq: unknown key (valid here: backend, dt, contact)");
  EXPECT_NE(Error("dt: 1").find("did you mean 'sim.dt'?"), std::string::npos);
  EXPECT_EQ(Error("legs:\n- name: a\n- mas: 1"),
            "foo.yaml:3: legs.1.mas: unknown key; did you mean 'mass'? (valid here: name, mass, offset)");
}

TEST_F(ConfigTest, RefusesFiles) {
  EXPECT_EQ(ErrorAt((dir_ / "none.yaml").string()), "none.yaml: no such file; check the path");
  std::filesystem::create_directory(dir_ / "d");
  EXPECT_EQ(ErrorAt((dir_ / "d").string()), "d: is a folder; name a file in it");
  const std::string closed = File("seed: 1", "closed.yaml");
  std::filesystem::permissions(closed, std::filesystem::perms::none);
  if (::geteuid() != 0) {
    EXPECT_EQ(ErrorAt(closed), "closed.yaml: cannot be read; check its permissions");
  }
  for (const char* text : {"", "\n", "# nothing\n"}) {
    EXPECT_EQ(Error(text), "foo.yaml: empty file; write at least one key, or {} for all defaults");
  }
  EXPECT_EQ(Error("{}"), "(no error)");
  EXPECT_EQ(Error("sim:\n\tdt: 1"), "foo.yaml:2: tab in the indentation; use spaces");
  EXPECT_EQ(Error("seed: 1\nseed: 2"),
            "foo.yaml:2: seed: duplicate key, first given at foo.yaml:1; remove one");
  EXPECT_EQ(Error("seed: 1\ngains: [1, 2\n").substr(0, 11), "foo.yaml:3:");
  EXPECT_NE(Error("gains: [1, 2\n").find("YAML syntax error"), std::string::npos);
  EXPECT_EQ(Error("- 1"),
            "foo.yaml:1: expected keys at the top of the file, such as 'key: value'; found [...]");
  EXPECT_NE(Error("seed: 1\n---\nseed: 2").find("more than one YAML document"), std::string::npos);
  EXPECT_NE(Error("a: &a [*a]").find("foo.yaml:1"), std::string::npos);
}

TEST_F(ConfigTest, Extends) {
  std::filesystem::create_directory(dir_ / "base");
  File("extends: root.yaml\nsim:\n  backend: lcp\n  dt: 0.5\ngains: [1, 2, 3]\n", "base/mid.yaml");
  File("seed: 3\nsim:\n  contact: {eps_abs: 0.25}\n", "base/root.yaml");
  const std::string text = "extends: base/mid.yaml\nsim:\n  dt: 0.125\ngains: [9]\n";
  const TestConfig config = Load(text);
  EXPECT_EQ(config.backend, "lcp");
  EXPECT_EQ(config.dt, 0.125);
  EXPECT_EQ(config.contact.eps_abs, 0.25);
  EXPECT_EQ(config.seed, 3);
  EXPECT_EQ(config.gains, std::vector<double>{9.0});

  const ConfigReader reader(File(text), {"sim.contact.max_iterations=3"});
  EXPECT_EQ(reader.Source("sim.dt"), (dir_ / "foo.yaml:3").string());
  EXPECT_EQ(reader.Source("sim.backend"), (dir_ / "base/mid.yaml:3").string());
  EXPECT_EQ(reader.Source("sim.contact.eps_abs"), (dir_ / "base/root.yaml:3").string());
  EXPECT_EQ(reader.Source("sim.contact.max_iterations"), "--set sim.contact.max_iterations=3");
  EXPECT_EQ(reader.Source("log"), "default");

  File("log: maybe\n", "base/root.yaml");
  EXPECT_EQ(Error(text), "base/root.yaml:1: log = maybe: expected true or false (write a log)");
  File("extends: ../foo.yaml\n", "base/root.yaml");
  EXPECT_EQ(
      Error(text),
      "base/root.yaml:1: extends = ../foo.yaml: foo.yaml: extends itself, directly or through others; break "
      "the cycle");
  EXPECT_EQ(Error("seed: 1\nextends: gone.yaml"),
            "foo.yaml:2: extends = gone.yaml: gone.yaml: no such file; check the path");
  EXPECT_EQ(Error("extends: [a]"),
            "foo.yaml:1: extends = [...]: expected the path of one file, relative to this one");
}

TEST_F(ConfigTest, Overrides) {
  const TestConfig config =
      Load("sim: {dt: 0.5}\nlegs: [{name: a}, {name: b}]\n",
           {"sim.dt=0.25", "sim.contact.eps_abs=1e-3", "legs.1.mass=4", "gains.2=8", "stiffness.hip=5",
            "note=", "tags=[p, q]", "legs.0.offset.1=-2", "sim.dt=0.75"});
  EXPECT_EQ(config.dt, 0.75);
  EXPECT_EQ(config.contact.eps_abs, 1e-3);
  EXPECT_EQ(config.legs[1].name, "b");
  EXPECT_EQ(config.legs[1].mass, 4.0);
  EXPECT_EQ(config.legs[0].offset, Eigen::Vector3d(0, -2, 0));
  EXPECT_EQ(config.gains, (std::vector<double>{1.0, 0.1, 8.0}));
  EXPECT_EQ(config.stiffness, (std::map<std::string, double>{{"hip", 5.0}, {"knee", 20.0}}));
  EXPECT_EQ(config.tags, (std::vector<std::string>{"p", "q"}));
  EXPECT_EQ(Load("{}", {"legs.1.mass=9"}).legs[1].name, "right");
  EXPECT_EQ(Load("{}", {"note=a=b"}).note, "a=b");

  EXPECT_EQ(Error("{}", {"sim.dt=abc"}), "--set sim.dt=abc: sim.dt = abc: expected a number ([s] time step)");
  EXPECT_TRUE(Error("{}", {"sym.dt=1"})
                  .starts_with("--set sym.dt=1: sym.dt: unknown key; did you mean 'sim.dt'? (valid here: "));
  EXPECT_NE(Error("{}", {"dt=1"}).find("dt: unknown key; did you mean 'sim.dt'?"), std::string::npos);
  EXPECT_NE(Error("{}", {"sim.contact.eps_asb=1"}).find("did you mean 'sim.contact.eps_abs'?"),
            std::string::npos);
  EXPECT_NE(Error("{}", {"stiffness.hup=1"}).find("did you mean 'stiffness.hip'?"), std::string::npos);
  EXPECT_NE(Error("stiffness: {hip: 1}", {"stiffness.hup=1"}).find("did you mean 'stiffness.hip'?"),
            std::string::npos);
  EXPECT_NE(Error("{}", {"gains.3=1"}).find("gains.3: unknown key"), std::string::npos);
  EXPECT_EQ(Error("gains: [1]", {"gains.1=1"}),
            "--set gains.1=1: gains.1: no element '1' in the list at foo.yaml:1; it has 1, counted from 0");
  EXPECT_NE(Error("{}", {"seed"}).find("--set seed: expected KEY=VALUE"), std::string::npos);
  EXPECT_NE(Error("{}", {"a..b=1"}).find("empty part in the key"), std::string::npos);
  EXPECT_NE(Error("{}", {"gains=[1"}).find("--set gains=[1: YAML syntax error in the value"),
            std::string::npos);
  EXPECT_NE(Error("sim: {dt: 1}", {"sim.dt.x=1"}).find("--set sim.dt.x=1: sim.dt = "), std::string::npos);
}

TEST_F(ConfigTest, RoundTrip) {
  TestConfig config;
  config.dt = 0.1 + 0.2;
  config.shade = Shade::kDark;
  config.note = "a \"quoted\" \\ line\nand\ta tab, caf\xc3\xa9 # no comment";
  config.gains = {-0.0, 2.5e-308, 1.7976931348623157e308, 123456789.0, 1e22};
  config.tags = {"",    "null", "~",         "yes", "1.5", "-",  "a b",
                 "- a", "{}",   "path/to.x", "'",   "*a",  "!b", " pad "};
  config.legs.push_back({"null", 3.5, {1e-9, 2, 3}});
  config.stiffness = {{"odd name: #1", 1.0}, {"1", 2.0}, {"true", 3.0}};
  config.parts["x.y"].name = "z";
  const std::string text = WriteConfig(config);
  const TestConfig back = Load(text);
  EXPECT_EQ(WriteConfig(back), text);
  EXPECT_EQ(back.note, config.note);
  EXPECT_EQ(back.tags, config.tags);
  EXPECT_EQ(back.gains, config.gains);
  EXPECT_EQ(back.dt, config.dt);
  EXPECT_EQ(back.stiffness, config.stiffness);
  EXPECT_EQ(back.shade, Shade::kDark);

  config = TestConfig{};
  config.legs.clear();
  config.gains.clear();
  config.stiffness.clear();
  const std::string bare = WriteConfig(config);
  EXPECT_EQ(WriteConfig(Load(bare)), bare);
}

TEST_F(ConfigTest, WrittenForm) {
  TestConfig config;
  config.parts["arm"] = {};
  EXPECT_EQ(WriteConfig(config),
            "sim:\n"
            "  backend: admm\n"
            "  dt: 0.001  # [s] time step\n"
            "  contact:  # contact solver\n"
            "    eps_abs: 1e-06\n"
            "    max_iterations: 50\n"
            "note: \"\"\n"
            "seed: 7\n"
            "log: true  # write a log\n"
            "shade: light\n"
            "gains: [1, 0.1, 0.3333333333333333]\n"
            "tags: [a, \"no\", \"x: y\"]\n"
            "legs:\n"
            "  - name: left\n"
            "    mass: 1  # [kg]\n"
            "    offset: [0, 0.1, 0]  # [m]\n"
            "  - name: right\n"
            "    mass: 2  # [kg]\n"
            "    offset: [0, -0.1, 0]  # [m]\n"
            "stiffness:\n"
            "  hip: 10\n"
            "  knee: 20\n"
            "parts:\n"
            "  arm:\n"
            "    name: leg\n"
            "    mass: 1  # [kg]\n"
            "    offset: [0, 0, 0]  # [m]\n");
}

TEST(NearestTest, FindsMisspellings) {
  EXPECT_EQ(Nearest("bakend", {"dt", "backend"}), "backend");
  EXPECT_EQ(Nearest("td", {"dt", "x"}), "dt");
  EXPECT_EQ(Nearest("Seed", {"need", "seed"}), "seed");
  EXPECT_EQ(Nearest("gravity", {"dt", "seed"}), "");
}

}  // namespace
}  // namespace tread
