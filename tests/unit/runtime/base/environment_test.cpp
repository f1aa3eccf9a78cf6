// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/environment.h"

#include "runtime/base/file.h"

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <map>

namespace halyard::base {
namespace {

constexpr std::array<std::string_view, 2> kBackends = {"cpu", "vulkan"};

class EnvironmentTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "halyard_environment_XXXXXX";
    ASSERT_NE(mkdtemp(folder_.data()), nullptr);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  Result<Configuration> read() const {
    return read_configuration(kBackends, [this](const char* name) -> std::optional<std::string> {
      const auto found = variables_.find(name);
      if (found == variables_.end()) return std::nullopt;
      return found->second;
    });
  }
  std::string message() const {
    const Result<Configuration> configuration = read();
    return configuration ? "no error" : configuration.error().message();
  }
  std::string write_config(std::string_view text) {
    const std::string path = folder_ + "/config.json";
    EXPECT_TRUE(write_file_atomic(path, text));
    variables_["HALYARD_CONFIG"] = path;
    return path;
  }

  std::string folder_;
  std::map<std::string, std::string> variables_;
};

TEST_F(EnvironmentTest, WithoutHomeThereAreNoPathsAndNoError) {
  const Result<Configuration> configuration = read();
  ASSERT_TRUE(configuration);
  EXPECT_FALSE(configuration->store_url.value);
  EXPECT_FALSE(configuration->cache_directory.value);
  EXPECT_FALSE(configuration->config_file.value);
  EXPECT_FALSE(configuration->data_directory.value);
  EXPECT_FALSE(configuration->imported_descriptors);
  EXPECT_FALSE(configuration->trust_file.value);
  EXPECT_FALSE(configuration->policy_file.value);
  EXPECT_EQ(configuration->log_level.value, LogLevel::kWarning);
  EXPECT_EQ(configuration->cpu_threads.value, 0U);
  EXPECT_TRUE(configuration->allows_backend("vulkan"));
}

TEST_F(EnvironmentTest, HomeGivesTheDefaultPaths) {
  variables_["HOME"] = folder_;
  const Configuration configuration = read().value();
  EXPECT_EQ(configuration.store_url.value, folder_ + "/.local/share/halyard/store.sqlite");
  EXPECT_EQ(configuration.cache_directory.value, folder_ + "/.cache/halyard");
  EXPECT_EQ(configuration.imported_descriptors, folder_ + "/.local/share/halyard/descriptors");
  EXPECT_EQ(configuration.config_file.value, folder_ + "/.config/halyard/config.json");
  EXPECT_EQ(configuration.trust_file.value, folder_ + "/.config/halyard/trust.json");
  EXPECT_EQ(configuration.policy_file.value, folder_ + "/.config/halyard/policy.json");
  EXPECT_FALSE(configuration.lock_file.value);
  EXPECT_EQ(configuration.store_url.origin, SettingOrigin::kDefault);
}

TEST_F(EnvironmentTest, XdgDirectoriesWinOverHomeUnlessRelative) {
  variables_ = {{"HOME", folder_}, {"XDG_DATA_HOME", "/d"}, {"XDG_CACHE_HOME", "relative"}};
  const Configuration configuration = read().value();
  EXPECT_EQ(configuration.store_url.value, "/d/halyard/store.sqlite");
  EXPECT_EQ(configuration.imported_descriptors, "/d/halyard/descriptors");
  EXPECT_EQ(configuration.cache_directory.value, folder_ + "/.cache/halyard");
}

TEST_F(EnvironmentTest, FileInTheUsersDirectoryIsRead) {
  std::filesystem::create_directories(folder_ + "/halyard");
  ASSERT_TRUE(write_file_atomic(folder_ + "/halyard/config.json", R"({"cpu_threads": 3})"));
  variables_["XDG_CONFIG_HOME"] = folder_;
  const Configuration configuration = read().value();
  EXPECT_EQ(configuration.cpu_threads.value, 3U);
  EXPECT_EQ(configuration.cpu_threads.origin, SettingOrigin::kFile);
}

TEST_F(EnvironmentTest, EnvironmentWinsOverTheFile) {
  write_config(R"({"store": "/file.sqlite", "log": "debug", "backends": ["cpu"],
                   "data_dir": "/data", "cache_dir": "/cache", "cpu_threads": 2})");
  variables_["HALYARD_STORE"] = "memory:";
  variables_["HALYARD_LOG"] = "";
  const Configuration configuration = read().value();
  EXPECT_EQ(configuration.store_url.value, "memory:");
  EXPECT_EQ(configuration.store_url.origin, SettingOrigin::kEnvironment);
  EXPECT_EQ(configuration.log_level.value, LogLevel::kDebug);
  EXPECT_EQ(configuration.log_level.origin, SettingOrigin::kFile);
  EXPECT_EQ(configuration.data_directory.value, "/data");
  EXPECT_EQ(configuration.cache_directory.value, "/cache");
  EXPECT_TRUE(configuration.allows_backend("cpu"));
  EXPECT_FALSE(configuration.allows_backend("vulkan"));
}

TEST_F(EnvironmentTest, CallerWithoutBackendsTakesAnyBackendName) {
  const auto lookup = [](const char* name) -> std::optional<std::string> {
    if (std::string_view(name) == "HALYARD_BACKENDS") return "cpu,cuba";
    return std::nullopt;
  };
  const Result<Configuration> configuration = read_configuration({}, lookup);
  ASSERT_TRUE(configuration) << configuration.error().message();
  EXPECT_TRUE(configuration->allows_backend("cuba"));
}

TEST_F(EnvironmentTest, WrongVariableNamesItsValueAndWhatIsAllowed) {
  variables_ = {{"HALYARD_LOG", "loud"}};
  EXPECT_EQ(message(),
            "The variable HALYARD_LOG is \"loud\", not one of off, error, warning, info, debug.");
  variables_ = {{"HALYARD_BACKENDS", "cpu,cuba"}};
  EXPECT_EQ(message(),
            "The variable HALYARD_BACKENDS is \"cpu,cuba\", not a list of cpu, vulkan with commas "
            "between.");
  variables_ = {{"HALYARD_BACKENDS", "cpu,"}};
  EXPECT_NE(message(), "no error");
  for (const char* const count : {"-1", "4097", "2x", "99999999999"}) {
    variables_ = {{"HALYARD_CPU_THREADS", count}};
    EXPECT_EQ(message(), std::string("The variable HALYARD_CPU_THREADS is \"") + count +
                             "\", not a whole number from 0 to 4096.");
  }
}

TEST_F(EnvironmentTest, EmulatorHasABudgetAndNoOrderOfItsOwnUnlessTold) {
  Configuration configuration = read().value();
  EXPECT_EQ(configuration.emulator_mode.value, EmulatorMode::kBounds);
  EXPECT_EQ(configuration.emulator_budget.value, 20'000'000'000U);
  EXPECT_FALSE(configuration.emulator_schedule.value);
  variables_ = {{"HALYARD_EMULATOR_MODE", "full"},
                {"HALYARD_EMULATOR_THREADS", "2"},
                {"HALYARD_EMULATOR_BUDGET", "0"},
                {"HALYARD_EMULATOR_SCHEDULE", "7"}};
  configuration = read().value();
  EXPECT_EQ(configuration.emulator_mode.value, EmulatorMode::kFull);
  EXPECT_EQ(configuration.emulator_threads.value, 2U);
  EXPECT_EQ(configuration.emulator_budget.value, 0U);
  EXPECT_EQ(configuration.emulator_schedule.value, 7U);
}

TEST_F(EnvironmentTest, WrongSettingOfTheEmulatorSaysWhatIsAllowed) {
  variables_ = {{"HALYARD_EMULATOR_MODE", "fast"}};
  EXPECT_EQ(message(), "The variable HALYARD_EMULATOR_MODE is \"fast\", not one of bounds, full.");
  for (const char* const name : {"HALYARD_EMULATOR_BUDGET", "HALYARD_EMULATOR_SCHEDULE"}) {
    variables_ = {{name, "1e9"}};
    EXPECT_EQ(message(), std::string("The variable ") + name +
                             " is \"1e9\", not a whole number from 0 to 9223372036854775807.");
  }
}

TEST_F(EnvironmentTest, WrongFileNamesItsPathAndKey) {
  const std::string path = write_config(R"({"log": "loud"})");
  EXPECT_EQ(message(), path + ": /log is \"loud\", not one of off, error, warning, info, debug.");
  write_config(R"({"stor": "x"})");
  EXPECT_EQ(message(), path + ": /stor is an unknown key; the nearest is \"store\".");
  write_config(R"({"store": true})");
  EXPECT_EQ(message(), path + ": /store is a boolean, not a string.");
  write_config("{");
  EXPECT_EQ(message(), path + ":1:2: the document ends too early.");
}

TEST_F(EnvironmentTest, OnlyANamedFileMustExist) {
  variables_ = {{"HOME", folder_}};
  EXPECT_EQ(message(), "no error");
  variables_ = {{"HALYARD_CONFIG", folder_ + "/absent.json"}};
  EXPECT_EQ(message(), "Cannot open " + folder_ + "/absent.json: No such file or directory.");
}

TEST_F(EnvironmentTest, EveryVariableHasALineWithItsOrigin) {
  variables_ = {{"HALYARD_BACKENDS", "cpu,vulkan"}};
  const std::vector<SettingLine> lines = setting_lines(read().value());
  ASSERT_EQ(lines.size(), environment_variables().size());
  for (const SettingLine& line : lines) {
    const bool is_set = line.variable.name == "HALYARD_BACKENDS";
    EXPECT_EQ(setting_origin_name(line.origin), is_set ? "environment" : "default");
    EXPECT_FALSE(line.variable.meaning.empty());
    EXPECT_FALSE(line.value.empty());
    EXPECT_EQ(line.value == "cpu,vulkan", is_set);
  }
}

TEST(ProcessEnvironment, UnsetVariableGivesNothing) {
  EXPECT_EQ(process_environment("HALYARD_NEVER_SET"), std::nullopt);
}

}  // namespace
}  // namespace halyard::base
