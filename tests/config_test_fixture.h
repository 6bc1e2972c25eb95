// A configuration with every kind of key, and a fixture that loads it from files in a scratch folder.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "experiments/config_reader.h"

namespace tread {

enum class Shade { kDark, kLight };

struct LegConfig {
  std::string name = "leg";
  double mass = 1.0;
  Eigen::Vector3d offset = Eigen::Vector3d::Zero();
};

struct ContactConfig {
  double eps_abs = 1e-6;
  int max_iterations = 50;
};

struct TestConfig {
  std::string backend = "admm";
  std::string note;
  double dt = 1e-3;
  std::int64_t seed = 7;
  bool log = true;
  Shade shade = Shade::kLight;
  ContactConfig contact;
  std::vector<double> gains = {1.0, 0.1, 1.0 / 3.0};
  std::vector<std::string> tags = {"a", "no", "x: y"};
  std::vector<LegConfig> legs = {{"left", 1.0, {0, 0.1, 0}}, {"right", 2.0, {0, -0.1, 0}}};
  std::map<std::string, double> stiffness = {{"hip", 10.0}, {"knee", 20.0}};
  std::map<std::string, LegConfig> parts;
};

inline void Describe(ConfigVisitor& v, LegConfig* c) {
  v.Field("name", &c->name);
  v.Field("mass", &c->mass, Positive(), "[kg]");
  v.Field("offset", &c->offset, {}, "[m]");
}

inline void Describe(ConfigVisitor& v, ContactConfig* c) {
  v.Field("eps_abs", &c->eps_abs, Positive());
  v.Field("max_iterations", &c->max_iterations, AtLeast(1));
}

inline void Describe(ConfigVisitor& v, TestConfig* c) {
  v.Section("sim", [&] {
    v.Field("backend", &c->backend, {"admm", "lcp"});
    v.Field("dt", &c->dt, Between(1e-6, 1.0), "[s] time step");
    v.Section("contact", &c->contact, "contact solver");
  });
  v.Field("note", &c->note);
  v.Field("seed", &c->seed, NonNegative());
  v.Field("log", &c->log, "write a log");
  v.Enum("shade", &c->shade, {{"dark", Shade::kDark}, {"light", Shade::kLight}});
  v.Field("gains", &c->gains);
  v.Field("tags", &c->tags);
  v.List("legs", &c->legs);
  v.Map("stiffness", &c->stiffness, NonNegative());
  v.Map("parts", &c->parts);
  v.Check("seed", c->seed != 13, "must not be 13");
}

class ConfigTest : public ::testing::Test {
 protected:
  void SetUp() override {
    dir_ = std::filesystem::temp_directory_path() /
           ("tread_config_" + std::to_string(::getpid()) + "_" +
            ::testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(dir_);
  }
  void TearDown() override { std::filesystem::remove_all(dir_); }

  std::string File(const std::string& text, const std::string& name = "foo.yaml") const {
    std::ofstream(dir_ / name) << text;
    return (dir_ / name).string();
  }
  TestConfig Load(const std::string& text, const std::vector<std::string>& overrides = {}) const {
    return LoadConfig<TestConfig>(File(text), overrides);
  }
  std::string ErrorAt(const std::string& path, const std::vector<std::string>& overrides = {}) const {
    try {
      LoadConfig<TestConfig>(path, overrides);
    } catch (const ConfigError& e) {
      std::string what = e.what();
      EXPECT_EQ(what.find('\n'), std::string::npos);
      const std::string prefix = dir_.string() + "/";
      for (std::size_t at; (at = what.find(prefix)) != std::string::npos;) what.erase(at, prefix.size());
      return what;
    }
    return "(no error)";
  }
  std::string Error(const std::string& text, const std::vector<std::string>& overrides = {}) const {
    return ErrorAt(File(text), overrides);
  }

  std::filesystem::path dir_;
};

}  // namespace tread
