// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/descriptor_json.h"

#include "runtime/base/file.h"

#include <gtest/gtest.h>

#include <string>

namespace halyard::descriptors {
namespace {

std::string fixture() {
  return base::read_text_file(HALYARD_DESCRIPTOR_FIXTURES "/shipped/acme/a1.descriptor.json",
                              1 << 20)
      .value();
}

// The fixture with `from` replaced by `to`.
std::string with(const std::string& from, const std::string& to) {
  std::string text = fixture();
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string refusal(const std::string& text) {
  const auto descriptor = parse_descriptor(text, "d.json");
  if (descriptor) return "accepted";
  EXPECT_EQ(descriptor.error().code(), base::ErrorCode::kCorruptData);
  return descriptor.error().message();
}

TEST(DescriptorJson, EveryPartIsRead) {
  const Descriptor descriptor = parse_descriptor(fixture(), "d.json").value();
  EXPECT_EQ(descriptor.id, "acme/a1");
  EXPECT_EQ(descriptor.kind, DescriptorKind::kArchitecture);
  EXPECT_EQ(descriptor.aliases.size(), 2U);
  EXPECT_EQ(descriptor.sources[0].date, "2026-08");
  const Capability* const shared = descriptor.capabilities.find("limit.shared_bytes");
  ASSERT_NE(shared, nullptr);
  EXPECT_EQ(shared->number, 32768);
  EXPECT_EQ(shared->origin, CapabilityOrigin::kDocumented);
  EXPECT_EQ(shared->source, "A1 sheet");
  EXPECT_EQ(descriptor.capabilities.find("vendor.acme.lanes")->unit, "lane");
  EXPECT_EQ(descriptor.capabilities.find("target.xnack")->text, "unsupported");
  EXPECT_EQ(descriptor.matrix_operations[0].blocks, 1U);
  EXPECT_EQ(descriptor.matrix_operations[0].cycles, 2);
  EXPECT_EQ(descriptor.matrix_operations[0].b.column, "lane");
  EXPECT_TRUE(descriptor.matrix_operations[1].sparse);
  EXPECT_EQ(descriptor.matrix_operations[1].cycles, std::nullopt);
  EXPECT_FALSE(descriptor.products[0].capabilities.has(CapabilityKey::kMatrixCooperative));
  EXPECT_EQ(descriptor.products[1].pci_ids[1], "1ace:0011");
  EXPECT_EQ(descriptor.notes[0].topic, "launch");
  EXPECT_EQ(descriptor.missing[0], "clock.max_hz");
}

TEST(DescriptorJson, WhatIsReadIsWrittenAsItWas) {
  EXPECT_EQ(write_descriptor(parse_descriptor(fixture(), "d.json").value()), fixture());
}

TEST(DescriptorJson, AliasOfAKeyCountsAsTheKey) {
  const auto descriptor =
      parse_descriptor(with("\"limit.shared_bytes\"", "\"lds.bytes_per_workgroup\""), "d.json");
  ASSERT_TRUE(descriptor) << descriptor.error().message();
  EXPECT_EQ(write_descriptor(*descriptor), fixture());
  EXPECT_EQ(refusal(with("\"matrix.cooperative\": {\"value\": true",
                         R"("lds.bytes_per_workgroup": {"value": 1, "unit": "byte", )"
                         R"("origin": "driver"}, "matrix.cooperative": {"value": true)")),
            "d.json: /capabilities/lds.bytes_per_workgroup says \"limit.shared_bytes\" again.");
}

TEST(DescriptorJson, UnknownKeyIsToldTheNearest) {
  EXPECT_EQ(refusal(with("\"limit.shared_bytes\"", "\"limit.shard_bytes\"")),
            "d.json: /capabilities/limit.shard_bytes is neither a known key nor "
            "vendor.<name>.<key>; the nearest is \"limit.shared_bytes\".");
  EXPECT_EQ(refusal(with("vendor.acme.lanes", "vendor.acme")),
            "d.json: /capabilities/vendor.acme is neither a known key nor vendor.<name>.<key>.");
}

TEST(DescriptorJson, KindAndUnitOfAKnownKeyAreChecked) {
  EXPECT_EQ(refusal(with("\"value\": 32768, \"unit\": \"byte\"", "\"value\": true")),
            "d.json: /capabilities/limit.shared_bytes/value is a flag; the key has a number.");
  EXPECT_EQ(refusal(with("\"unit\": \"byte\"", "\"unit\": \"KiB\"")),
            "d.json: /capabilities/limit.shared_bytes/unit is \"KiB\"; the key has \"byte\".");
  EXPECT_EQ(refusal(with("\"value\": true,", "\"value\": true, \"unit\": \"\",")),
            "d.json: /capabilities/matrix.cooperative/unit stands beside a value that is no "
            "number.");
  EXPECT_EQ(refusal(with("\"unsupported\"", "\"no\"")),
            "d.json: /capabilities/target.xnack/value is \"no\", not one of \"on\", \"off\", "
            "\"any\", \"unsupported\".");
}

TEST(DescriptorJson, ValueOfADocumentNamesAListedSource) {
  EXPECT_EQ(refusal(with("\"documented\", \"source\": \"A1 sheet\"", "\"documented\"")),
            "d.json: /capabilities/limit.shared_bytes/source is missing.");
  EXPECT_EQ(
      refusal(with("\"computed\", \"source\": \"sum\"", "\"computed\", \"source\": \"a sum\"")),
      "d.json: /capabilities/peak.vector_f32/source is \"a sum\", which /sources does not "
      "list.");
}

TEST(DescriptorJson, WhatTheSchemaRefusesIsRefusedWithItsPlace) {
  EXPECT_EQ(refusal("{"), "d.json:1:2: the document ends too early.");
  EXPECT_EQ(refusal(with("descriptor/1", "descriptor/2")),
            "d.json: /format is \"halyard.descriptor/2\", not \"halyard.descriptor/1\".");
  EXPECT_EQ(refusal(with("\"acme/a1\"", "\"a1\"")),
            "d.json: /id is \"a1\", not \"<vendor>/<name>\" of lower-case letters, digits and . _ "
            "-, at most 64 bytes each.");
  EXPECT_EQ(refusal(with("2026-11-30", "November")),
            "d.json: /version is \"November\", no date as \"2026-11-30\".");
  EXPECT_EQ(refusal(with("\"A one\"", "\"anvil\"")), "d.json: /aliases holds \"anvil\" twice.");
  EXPECT_EQ(refusal(with("1ace:0009", "1ACE:9")),
            "d.json: /products/0/pci_ids holds \"1ACE:9\", not as \"1002:744c\".");
  EXPECT_EQ(refusal(with("\"m\": 4", "\"m\": 0")),
            "d.json: /matrix_operations/0/m is 0, outside 1 to 1024.");
  EXPECT_EQ(refusal(with("\"vendor\":", "\"vender\":")),
            "d.json: /vender is an unknown key; the nearest is \"vendor\".");
  EXPECT_EQ(refusal(with("\"missing\": [\"clock.max_hz\"", "\"missing\": [\"limit.shared_bytes\"")),
            "d.json: /missing holds \"limit.shared_bytes\", which /capabilities says.");
}

TEST(DescriptorJson, NumberBelowZeroIsRefused) {
  EXPECT_EQ(refusal(with("\"value\": 32768", "\"value\": -1")),
            "d.json: /capabilities/limit.shared_bytes/value is -1, below 0.");
  EXPECT_EQ(refusal(with("\"cycles\": 2", "\"cycles\": -0.5")),
            "d.json: /matrix_operations/0/cycles is -0.5, below 0.");
}

// Each would be printed to a terminal.
TEST(DescriptorJson, ControlCharacterIsRefused) {
  EXPECT_EQ(refusal(with("\"anvil\"", "\"an\\u001b[2Jvil\"")),
            "d.json: /aliases holds a control character.");
  EXPECT_EQ(refusal(with("\"vendor\": \"Acme\"", "\"vendor\": \"Ac\\nme\"")),
            "d.json: /vendor holds a control character.");
}

TEST(DescriptorJson, PortableCodeIsNoTargetOfAnArchitecture) {
  EXPECT_EQ(refusal(with("\"acmecode-a1\"", "\"spirv-1.5\"")),
            "d.json: /targets holds \"spirv-1.5\", portable code, which describes no device.");
}

TEST(DescriptorJson, OnlyAReportMayLackADate) {
  EXPECT_EQ(refusal(with("\"version\": \"2026-11-30\",", "")), "d.json: /version is missing.");
  const std::string report =
      R"({"format": "halyard.descriptor/1", "id": "a/b", "kind": "report", "name": "B", )"
      R"("vendor": "A", "capabilities": {}})";
  const auto descriptor = parse_descriptor(report, "d.json");
  ASSERT_TRUE(descriptor) << descriptor.error().message();
  EXPECT_EQ(descriptor->version, "");
  EXPECT_EQ(write_descriptor(*descriptor).find("version"), std::string::npos);
}

TEST(DescriptorJson, SomethingSaidTwiceIsRefused) {
  EXPECT_EQ(refusal(with("\"title\": \"sum\"", "\"title\": \"A1 sheet\"")),
            "d.json: /sources/1/title is \"A1 sheet\", as that of another source.");
  EXPECT_EQ(refusal(with("\"Acme Anvil 9 Pro\"", "\"Acme Anvil 9\"")),
            "d.json: /products/1/name is \"Acme Anvil 9\", as that of another product.");
  EXPECT_EQ(
      refusal(with("\"MUL4S\", \"m\": 4, \"n\": 4, \"k\": 4, \"blocks\": 2, \"a_type\": \"i8\", "
                   "\"b_type\": \"i8\", \"c_type\": \"i32\"",
                   "\"MUL4\", \"m\": 4, \"n\": 4, \"k\": 4, \"blocks\": 2, \"a_type\": \"f16\", "
                   "\"b_type\": \"f16\", \"c_type\": \"f32\"")),
      "d.json: /matrix_operations/1 is \"MUL4 f16 f16 f32 of 4 lanes\" again.");
}

TEST(DescriptorJson, LayoutThatIsNoExpressionIsRefused) {
  EXPECT_NE(refusal(with("\"row\": \"lane\"", "\"row\": \"lane +\"")).find("/a cannot be read:"),
            std::string::npos);
  EXPECT_NE(refusal(with("\"row\": \"lane\"", "\"row\": \"thread\"")).find("\"thread\""),
            std::string::npos);
  EXPECT_EQ(refusal(with("\"row\": \"lane\", \"column\": \"item\"", "\"row\": \"lane\"")),
            "d.json: /matrix_operations/0/a has not both a row and a column.");
}

}  // namespace
}  // namespace halyard::descriptors
