// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/emulator_backend.h"

#include "runtime/core/backend_set.h"
#include "tests/unit/backends/emulator/backend/emulator_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <array>
#include <filesystem>
#include <string>
#include <utility>

namespace halyard::emulator {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::array<core::NamedBackendFactory, 1> kBackends = {
    {{"emulator", &create_emulator_backend}}};

core::BackendSet backends(const base::Configuration& configuration = emulator_configuration()) {
  return {kBackends, base::make_ref<core::BackendSettings>(configuration)};
}

TEST(EmulatorBackend, ListsADeviceForEachProcessor) {
  core::BackendSet set = backends();
  std::vector<std::string> ids;
  for (const auto& device : set.devices()) {
    ids.push_back(device->info().id);
    EXPECT_EQ(device->info().kind, core::DeviceKind::kEmulator);
    EXPECT_EQ(device->info().vendor, "AMD");
    EXPECT_THAT(device->info().targets,
                ElementsAre("amdgcn-" + device->info().id.substr(device->info().id.find(':') + 1)));
  }
  EXPECT_THAT(ids, ElementsAre("emulator:gfx1100", "emulator:gfx1201", "emulator:gfx942"));
}

TEST(EmulatorBackend, IsNeverPickedByDefault) {
  core::BackendSet set = backends();
  EXPECT_FALSE(set.device("default"));
  EXPECT_TRUE(set.device("emulator:gfx942"));
}

TEST(EmulatorBackend, FactsOfTheDescriptorStandUnderThoseOfTheInterpreter) {
  core::BackendSet set = backends();
  for (const char* const id : {"emulator:gfx1100", "emulator:gfx1201", "emulator:gfx942"}) {
    const auto device = *set.device(id);
    EXPECT_EQ(device->descriptor_id(), "amd/" + std::string(id).substr(9));
    // Where both say something, they say the same.
    EXPECT_TRUE(device->disagreements().empty())
        << id << ": " << device->disagreements().front().key;
    EXPECT_TRUE(device->capabilities().has(core::CapabilityKey::kMatrixF16));
    EXPECT_EQ(device->capabilities().find("matrix.f16")->origin,
              core::CapabilityOrigin::kDocumented);
    EXPECT_EQ(device->capabilities().find("subgroup.size")->origin,
              core::CapabilityOrigin::kDriver);
  }
}

TEST(EmulatorBackend, DriverNamesItsVersionAndTables) {
  core::BackendSet set = backends();
  const auto first = (*set.device("emulator:gfx1100"))->info();
  const auto other = (*set.device("emulator:gfx942"))->info();
  EXPECT_THAT(first.driver, HasSubstr("amd/rdna3"));
  EXPECT_NE(first.driver_id, other.driver_id);
  core::BackendSet again = backends();
  EXPECT_EQ((*again.device("emulator:gfx1100"))->info().driver_id, first.driver_id);
}

TEST(EmulatorBackend, WithoutInstructionSetsThereIsNoDevice) {
  base::Configuration configuration;
  configuration.data_directory.value = "/nowhere";
  core::BackendSet set = backends(configuration);
  const auto device = set.device("emulator");
  ASSERT_FALSE(device);
  EXPECT_THAT(device.error().message(), HasSubstr("/nowhere"));
}

TEST(EmulatorBackend, MissingInstructionSetTakesAwayItsOwnDeviceOnly) {
  namespace fs = std::filesystem;
  base::Configuration configuration = emulator_configuration();
  const fs::path shipped = fs::path(*configuration.data_directory.value) / "descriptors/amd";
  const fs::path data = fs::path(::testing::TempDir()) / ("no-rdna4-" + std::to_string(::getpid()));
  for (const char* folder : {"contracts", "kernels"})
    fs::create_directories(data / folder);
  fs::create_directories(data / "descriptors/amd");
  for (const fs::directory_entry& entry : fs::directory_iterator(shipped)) {
    if (entry.path().filename() != "rdna4.instruction_set.json")
      fs::create_symlink(entry.path(), data / "descriptors/amd" / entry.path().filename());
  }
  configuration.data_directory.value = data.string();
  core::BackendSet set = backends(configuration);
  std::vector<std::string> ids;
  for (const auto& device : set.devices())
    ids.push_back(device->info().id);
  EXPECT_THAT(ids, ElementsAre("emulator:gfx1100", "emulator:gfx942"));
  EXPECT_THAT(set.reports().front().notes, Contains(HasSubstr("No device for gfx1201: ")));
  fs::remove_all(data);
}

TEST(EmulatorBackend, NotesSayHowLaunchesAreExecuted) {
  core::BackendSet set = backends();
  EXPECT_THAT(set.reports().front().notes,
              ElementsAre("Looks at bounds only, with 2 threads; a launch has 1000000 instructions "
                          "at most."));
}

}  // namespace
}  // namespace halyard::emulator
