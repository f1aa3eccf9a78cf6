// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/descriptor_catalog.h"

#include "capability-descriptors/isa/instruction_set_json.h"
#include "runtime/base/file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace halyard::descriptors {
namespace {

constexpr const char* kShipped = HALYARD_DESCRIPTOR_FIXTURES "/shipped";
constexpr const char* kImported = HALYARD_DESCRIPTOR_FIXTURES "/imported";

DescriptorCatalog shipped() {
  return DescriptorCatalog::open({kShipped}).value();
}

TEST(DescriptorCatalog, FolderThatIsNotThereIsEmpty) {
  const auto catalog = DescriptorCatalog::open({"/no/such/folder", "/dev/null/none"}).value();
  EXPECT_TRUE(catalog.ids().empty());
  EXPECT_TRUE(catalog.instruction_set_ids().empty());
  EXPECT_EQ(catalog.find("acme/a1").error().code(), base::ErrorCode::kNotFound);
}

TEST(DescriptorCatalog, IdsAreListedInOrderWithoutReadingTheFiles) {
  const auto catalog = DescriptorCatalog::open({kShipped, kImported}).value();
  EXPECT_EQ(catalog.ids(), (std::vector<std::string>{"acme/a1", "acme/broken", "beta/b2"}));
  EXPECT_TRUE(catalog.problems().empty());
}

TEST(DescriptorCatalog, IdAliasAndProductAreFoundInAnySpelling) {
  const auto catalog = shipped();
  for (const char* const name : {"acme/a1", "Acme/A1", "a1", "ANVIL", "a-one", "A ONE"}) {
    const auto descriptor = catalog.find(name);
    ASSERT_TRUE(descriptor) << name;
    EXPECT_EQ(descriptor->id, "acme/a1");
    EXPECT_EQ(descriptor->kind, DescriptorKind::kArchitecture);
  }
  for (const char* const name : {"Acme Anvil 9", "acme-anvil-9", "anvil9"}) {
    EXPECT_EQ(catalog.find(name).value().kind, DescriptorKind::kProduct) << name;
  }
}

TEST(DescriptorCatalog, ProductStandsOverItsArchitecture) {
  const Descriptor product = shipped().find("Acme Anvil 9").value();
  EXPECT_EQ(product.id, "acme/a1");
  EXPECT_EQ(product.name, "Acme Anvil 9");
  EXPECT_EQ(product.capabilities.number(CapabilityKey::kComputeUnits), 9);
  EXPECT_EQ(product.capabilities.number(CapabilityKey::kLimitSharedBytes), 32768);
  EXPECT_FALSE(product.capabilities.has(CapabilityKey::kMatrixCooperative));
  ASSERT_EQ(product.products.size(), 1U);
  EXPECT_EQ(product.missing, std::vector<std::string>{"clock.max_hz"});
}

TEST(DescriptorCatalog, UnknownNameIsToldTheNearest) {
  const auto descriptor = shipped().find("acme/a2");
  ASSERT_FALSE(descriptor);
  EXPECT_EQ(descriptor.error().code(), base::ErrorCode::kNotFound);
  EXPECT_EQ(descriptor.error().message(),
            "There is no descriptor \"acme/a2\"; the nearest is \"acme/a1\".");
}

TEST(DescriptorCatalog, ImportedDescriptorStandsOverTheShippedOne) {
  const auto catalog = DescriptorCatalog::open({kShipped, kImported}).value();
  EXPECT_EQ(catalog.find("acme/a1").value().name, "Acme A1, corrected");
  EXPECT_EQ(catalog.find("beta/b2").value().name, "Beta 2");
  EXPECT_EQ(catalog.path_of("acme/a1"), std::string(kImported) + "/acme/a1.descriptor.json");
  EXPECT_EQ(catalog.path_of("acme/a2"), "");
}

TEST(DescriptorCatalog, BrokenFileIsPassedOverAndTold) {
  const auto catalog = DescriptorCatalog::open({kShipped, kImported}).value();
  EXPECT_EQ(catalog.find("acme/broken").error().code(), base::ErrorCode::kCorruptData);
  EXPECT_TRUE(catalog.find_by_pci_id("1bee:0002").value().has_value());
  EXPECT_FALSE(catalog.find_by_target("acmecode-b7").value().has_value());
  ASSERT_EQ(catalog.problems().size(), 1U);
  EXPECT_NE(catalog.problems()[0].message().find("broken.descriptor.json"), std::string::npos);
}

TEST(DescriptorCatalog, TargetIsFoundWithoutItsFeatures) {
  const auto catalog = shipped();
  EXPECT_EQ(catalog.find_by_target("acmecode-a1").value().value().id, "acme/a1");
  EXPECT_EQ(catalog.find_by_target("acmecode-a1:slow").value().value().id, "acme/a1");
  EXPECT_FALSE(catalog.find_by_target("a1").value().has_value());
}

TEST(DescriptorCatalog, PciIdGivesTheProductOrThoseThatShareIt) {
  const auto catalog = shipped();
  EXPECT_EQ(catalog.find_by_pci_id("1ace:0011").value().value().name, "Acme Anvil 9 Pro");
  const Descriptor shared = catalog.find_by_pci_id("1ace:0010").value().value();
  EXPECT_EQ(shared.kind, DescriptorKind::kArchitecture);
  ASSERT_EQ(shared.products.size(), 2U);
  EXPECT_EQ(shared.products[1].name, "Acme Hammer");
  EXPECT_FALSE(catalog.find_by_pci_id("1ace:0012").value().has_value());
}

TEST(DescriptorCatalog, DeviceIsFoundByTargetThenPciIdThenName) {
  const auto catalog = shipped();
  const auto name_of = [&](const DeviceIdentity& device) {
    const auto found = catalog.find_for_device(device).value();
    return found ? found->name : "none";
  };
  EXPECT_EQ(name_of({{"acmecode-a1"}, "", ""}), "Acme A1");
  EXPECT_EQ(name_of({{"acmecode-a1"}, "1ace:0009", ""}), "Acme Anvil 9");
  EXPECT_EQ(name_of({{"acmecode-a1"}, "1ace:0010", "ACME Hammer (rev 2)"}), "Acme Hammer");
  EXPECT_EQ(name_of({{"spirv-1.5", "acmecode-a1"}, "", ""}), "Acme A1");
  EXPECT_EQ(name_of({{"spirv-1.5"}, "", ""}), "none");
  EXPECT_EQ(name_of({{}, "1ace:0009", ""}), "Acme Anvil 9");
  EXPECT_EQ(name_of({{}, "", "Acme Anvil 9 Pro (driver 3)"}), "Acme Anvil 9 Pro");
  EXPECT_EQ(name_of({{}, "", "Acme Anvil 9X"}), "none");
  EXPECT_EQ(name_of({{}, "", ""}), "none");
}

TEST(DescriptorCatalog, ReportIsFoundByItsNameAndNeverForADevice) {
  const auto catalog = shipped();
  EXPECT_EQ(catalog.find("beta/b2").value().kind, DescriptorKind::kReport);
  EXPECT_EQ(catalog.find_by_pci_id("1bee:0002").value().value().kind, DescriptorKind::kReport);
  EXPECT_EQ(catalog.find_by_pci_id("1ace:0011").value().value().name, "Acme Anvil 9 Pro");
  EXPECT_FALSE(catalog.find_by_target("spirv-1.5").value().has_value());
  EXPECT_FALSE(catalog.find_for_device({{"spirv-1.5"}, "1bee:0002", "Beta 2"}).value().has_value());
}

class InstructionSetFileTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "halyard_descriptors_XXXXXX";
    ASSERT_NE(mkdtemp(folder_.data()), nullptr);
    ASSERT_TRUE(base::make_private_directories(folder_ + "/acme"));
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void store(const std::string& name, const std::string& id) const {
    isa::InstructionSet set;
    set.id = id;
    set.architecture = "Acme 1";
    set.basis = "derived";
    set.instructions.emplace_back().name = "JUMP";
    ASSERT_TRUE(base::write_file_atomic(folder_ + "/acme/" + name + ".instruction_set.json",
                                        isa::write_instruction_set(set)));
  }

  std::string folder_;
};

TEST_F(InstructionSetFileTest, InstructionSetIsReadByItsId) {
  store("i1", "acme/i1");
  const auto catalog = DescriptorCatalog::open({folder_}).value();
  EXPECT_EQ(catalog.instruction_set_ids(), std::vector<std::string>{"acme/i1"});
  EXPECT_EQ(catalog.find_instruction_set("acme/i1").value().architecture, "Acme 1");
  const auto missing = catalog.find_instruction_set("acme/i2");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().message(),
            "There is no instruction set \"acme/i2\"; the nearest is \"acme/i1\".");
}

TEST_F(InstructionSetFileTest, CorrectionsAreAppliedToWhatIsRead) {
  store("i1", "acme/i1");
  ASSERT_TRUE(base::write_file_atomic(folder_ + "/acme/corrections.json", R"({
    "format": "halyard.isa_corrections/1",
    "corrections": [{
      "id": "no-jump", "architectures": ["acme/i1"], "what": "There is no JUMP.",
      "why": "It was planned.", "source": "A1 sheet",
      "operations": [{"do": "remove_instructions", "names": ["JUMP"]}]}]})"));
  const auto catalog = DescriptorCatalog::open({folder_}).value();
  EXPECT_EQ(catalog.corrections().value().size(), 1U);
  const isa::InstructionSet set = catalog.find_instruction_set("acme/i1").value();
  EXPECT_TRUE(set.instructions.empty());
  EXPECT_EQ(set.corrections, std::vector<std::string>{"no-jump"});
}

TEST_F(InstructionSetFileTest, InstructionSetInAnothersFileIsRefused) {
  store("i1", "acme/i9");
  const auto set = DescriptorCatalog::open({folder_}).value().find_instruction_set("acme/i1");
  ASSERT_FALSE(set);
  EXPECT_EQ(set.error().code(), base::ErrorCode::kCorruptData);
  EXPECT_EQ(set.error().message(), folder_ +
                                       "/acme/i1.instruction_set.json: /id is \"acme/i9\", "
                                       "not \"acme/i1\" as the file's name.");
}

}  // namespace
}  // namespace halyard::descriptors
