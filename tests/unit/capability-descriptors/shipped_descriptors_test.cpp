// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/descriptor_catalog.h"
#include "capability-descriptors/descriptor_json.h"
#include "capability-descriptors/lane_layout.h"
#include "runtime/base/file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <string_view>

namespace halyard::descriptors {
namespace {

DescriptorCatalog shipped() {
  return DescriptorCatalog::open({HALYARD_SHIPPED_DESCRIPTORS}).value();
}

double number_of(const std::string& id, const std::string& key) {
  const Descriptor descriptor = shipped().find(id).value();
  const Capability* const found = descriptor.capabilities.find(key);
  return found == nullptr ? -1 : found->number;
}

TEST(ShippedDescriptors, AllAreThere) {
  const auto catalog = shipped();
  for (const char* const name : {"906", "908", "90a", "942", "950", "1030", "1100", "1101", "1102",
                                 "1103", "1150", "1151", "1200", "1201"}) {
    EXPECT_NE(catalog.path_of(std::string("amd/gfx") + name), "") << name;
  }
  for (const char* const name :
       {"70", "72", "75", "80", "86", "87", "89", "90", "100", "103", "110", "120", "121"}) {
    EXPECT_NE(catalog.path_of(std::string("nvidia/sm_") + name), "") << name;
  }
  for (const char* const name : {"v2", "v3", "v4"})
    EXPECT_NE(catalog.path_of(std::string("cpu/x86_64-") + name), "") << name;
}

TEST(ShippedDescriptors, EachIsWrittenAsItIsRead) {
  const auto catalog = shipped();
  for (const std::string& id : catalog.ids()) {
    const std::string text = base::read_text_file(catalog.path_of(id), 1 << 24).value();
    const auto descriptor = parse_descriptor(text, id);
    ASSERT_TRUE(descriptor) << descriptor.error().message();
    EXPECT_EQ(write_descriptor(*descriptor), text) << id;
  }
}

TEST(ShippedDescriptors, LaneLayoutsCoverTheirMatrices) {
  const auto catalog = shipped();
  std::size_t operations = 0;
  for (const std::string& id : catalog.ids()) {
    const Descriptor descriptor = catalog.find(id).value();
    const auto fits = check_lane_layouts(descriptor);
    EXPECT_TRUE(fits) << fits.error().message();
    operations += descriptor.matrix_operations.size();
  }
  EXPECT_GT(operations, 300U);
}

TEST(ShippedDescriptors, NamesOfAllTogetherAreFoundAndUnambiguous) {
  const auto catalog = shipped();
  std::set<std::string> targets;
  for (const std::string& id : catalog.ids()) {
    const Descriptor descriptor = catalog.find(id).value();
    for (const std::string& target : descriptor.targets) {
      EXPECT_TRUE(targets.insert(target).second) << target;
      EXPECT_EQ(catalog.find_by_target(target).value().value().id, id);
    }
    for (const std::string& alias : descriptor.aliases)
      EXPECT_EQ(catalog.find(alias).value().id, id) << alias;
    for (const Product& product : descriptor.products) {
      EXPECT_EQ(catalog.find(product.name).value().id, id);
      for (const std::string& alias : product.aliases)
        EXPECT_EQ(catalog.find(alias).value().name, product.name) << alias;
    }
  }
  EXPECT_TRUE(catalog.problems().empty());
}

TEST(ShippedDescriptors, KnownFiguresAreThose) {
  EXPECT_EQ(number_of("amd/gfx942", "lds.bytes_per_workgroup"), 65536);
  EXPECT_EQ(number_of("amd/gfx950", "lds.bytes_per_workgroup"), 163840);
  EXPECT_EQ(number_of("amd/gfx1100", "vgpr.per_simd"), 1536);
  EXPECT_EQ(number_of("amd/gfx1102", "vgpr.per_simd"), 1024);
  EXPECT_EQ(number_of("nvidia/sm_90", "limit.shared_bytes"), 227 * 1024);
  // AMD states 1307.4 TFLOP/s for the MI300X and 122.8 for the RX 7900 XTX.
  EXPECT_NEAR(number_of("MI300X", "peak.matrix_f16"), 1307.4e12, 0.1e12);
  EXPECT_NEAR(number_of("Radeon RX 7900 XTX", "peak.matrix_f16"), 122.8e12, 0.1e12);
  EXPECT_EQ(number_of("amd/gfx1201", "cache.line_bytes"), -1);
}

TEST(ShippedDescriptors, MatrixOperationsAreInstructions) {
  const auto catalog = shipped();
  std::map<std::string, std::set<std::string>> sets;
  for (const std::string& id : catalog.ids()) {
    const Descriptor descriptor = catalog.find(id).value();
    if (descriptor.instruction_set.empty()) continue;
    std::set<std::string>& names = sets[descriptor.instruction_set];
    if (names.empty()) {
      const auto set = catalog.find_instruction_set(descriptor.instruction_set);
      ASSERT_TRUE(set) << set.error().message();
      for (const isa::Instruction& instruction : set->instructions)
        names.insert(instruction.name);
    }
    for (const MatrixOperation& operation : descriptor.matrix_operations)
      EXPECT_TRUE(names.contains(operation.instruction)) << id << ' ' << operation.instruction;
  }
  EXPECT_EQ(sets.size(), 9U);
}

// Names of scalar instructions in a note, and whether it says that there is none.
std::map<std::string, bool> instructions_in(const std::string& text) {
  std::map<std::string, bool> names;
  const std::regex name(R"(\b(S_[A-Z][A-Z0-9_]+)\b( does not exist)?)");
  for (std::sregex_iterator match(text.begin(), text.end(), name), end; match != end; ++match)
    names.emplace((*match)[1].str(), !(*match)[2].matched);
  return names;
}

TEST(ShippedDescriptors, NotesNameInstructionsAsTheInstructionSetDoes) {
  const auto catalog = shipped();
  std::size_t named = 0;
  for (const std::string& id : catalog.ids()) {
    const Descriptor descriptor = catalog.find(id).value();
    if (!id.starts_with("amd/")) continue;
    const auto set = catalog.find_instruction_set(descriptor.instruction_set);
    ASSERT_TRUE(set) << set.error().message();
    for (const Note& note : descriptor.notes) {
      for (const auto& [name, exists] : instructions_in(note.text)) {
        ++named;
        const bool found = std::any_of(set->instructions.begin(), set->instructions.end(),
                                       [&](const auto& each) { return each.name == name; });
        EXPECT_EQ(found, exists) << id << ": " << note.text;
      }
    }
  }
  EXPECT_GT(named, 20U);
}

TEST(ShippedDescriptors, ExampleOfTheReadmeIsADescriptor) {
  const std::string readme =
      base::read_text_file(HALYARD_SHIPPED_DESCRIPTORS "/../README.md", 1 << 20).value();
  const std::string_view mark = "```json\n";
  const std::size_t begin = readme.find(mark) + mark.size();
  const auto example =
      parse_descriptor(readme.substr(begin, readme.find("```", begin) - begin), "README.md");
  ASSERT_TRUE(example) << example.error().message();
  const auto fits = check_lane_layouts(*example);
  EXPECT_TRUE(fits) << fits.error().message();
  EXPECT_EQ(example->capabilities.find("vendor.acme.hammer_lanes")->number, 4);
}

// Two facts about one thing do not contradict each other.
TEST(ShippedDescriptors, FiguresAgreeWithOneAnother) {
  const auto catalog = shipped();
  for (const std::string& id : catalog.ids()) {
    const Descriptor descriptor = catalog.find(id).value();
    const CapabilitySet& all = descriptor.capabilities;
    const auto value = [&](CapabilityKey key) { return all.number(key).value_or(-1); };
    EXPECT_LE(value(CapabilityKey::kLimitSharedBytes), value(CapabilityKey::kLdsBytesPerUnit))
        << id;
    const auto per_simd = all.number(CapabilityKey::kSubgroupPerSimdMax);
    if (per_simd) {
      EXPECT_EQ(*per_simd * value(CapabilityKey::kSimdPerUnit),
                value(CapabilityKey::kSubgroupPerUnitMax))
          << id;
    }
    const auto registers = all.number(CapabilityKey::kVgprPerSimd);
    if (registers && !all.find("accvgpr.unified")) {
      EXPECT_EQ(*registers * value(CapabilityKey::kSubgroupSizeMin) * 4 *
                    value(CapabilityKey::kSimdPerUnit),
                value(CapabilityKey::kVgprBytesPerUnit))
          << id;
    }
  }
}

}  // namespace
}  // namespace halyard::descriptors
