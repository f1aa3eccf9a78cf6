// SPDX-License-Identifier: Apache-2.0
#include "runtime/inspection/file_report.h"

#include "tests/unit/runtime/inspection/catalog_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace halyard::services {
namespace {

using ::testing::HasSubstr;
using FileReportTest = testing::CatalogTest;

constexpr const char* kSmallXml = R"(<Spec>
  <Document><ReleaseDate>2026-01-02</ReleaseDate><SchemaVersion>1.1.1</SchemaVersion></Document>
  <ISA>
    <Architecture><ArchitectureName>AMD RDNA 4</ArchitectureName></Architecture>
    <Encodings>
      <Encoding Order="1">
        <EncodingName>ENC_VOP1</EncodingName>
        <BitCount>32</BitCount>
        <EncodingIdentifierMask Radix="2">11111110000000011111111000000000</EncodingIdentifierMask>
        <EncodingIdentifiers>
          <EncodingIdentifier Radix="2">01111110000000000000001000000000</EncodingIdentifier>
        </EncodingIdentifiers>
        <EncodingConditions/>
        <MicrocodeFormat>
          <BitMap>
            <Field IsConditional="false">
              <FieldName>OP</FieldName>
              <BitLayout RangeCount="1">
                <Range Order="0"><BitCount>8</BitCount><BitOffset>9</BitOffset></Range>
              </BitLayout>
            </Field>
          </BitMap>
        </MicrocodeFormat>
      </Encoding>
    </Encodings>
    <Instructions>
      <Instruction>
        <InstructionName>V_ADD_F32</InstructionName>
        <InstructionEncodings>
          <InstructionEncoding>
            <EncodingName>ENC_VOP9</EncodingName>
            <EncodingCondition>default</EncodingCondition>
            <Opcode Radix="10">3</Opcode>
            <Operands/>
          </InstructionEncoding>
        </InstructionEncodings>
      </Instruction>
    </Instructions>
    <DataFormats/>
    <OperandTypes/>
  </ISA>
</Spec>
)";

TEST_F(FileReportTest, CheckCountsAndNamesWhatIsNotResolvedAndStoresNothing) {
  const auto report = check_file(write("small.xml", kSmallXml));
  ASSERT_TRUE(report) << report.error().message();
  EXPECT_THAT(*report, HasSubstr(R"("format":"halyard.descriptor_check/1")"));
  EXPECT_THAT(*report, HasSubstr(R"("id":"amd/rdna4")"));
  EXPECT_THAT(*report, HasSubstr(R"("instructions":1)"));
  EXPECT_THAT(*report, HasSubstr("ENC_VOP9"));
  EXPECT_FALSE(std::filesystem::exists(path("imported")));
}

TEST_F(FileReportTest, ImportSaysWhereTheDocumentLiesAndTheCatalogHasIt) {
  const auto report = import_file(catalog(), write("small.xml", kSmallXml));
  ASSERT_TRUE(report) << report.error().message();
  EXPECT_THAT(*report, HasSubstr(R"("format":"halyard.descriptor_import/1")"));
  EXPECT_THAT(*report, HasSubstr(path("imported/amd/rdna4.instruction_set.json")));
  EXPECT_THAT(*report, HasSubstr(R"("replaced":false)"));
  const Subject subject = catalog().find("rdna4").value();
  EXPECT_EQ(std::get<isa::InstructionSet>(subject).instructions.size(), 1U);
  EXPECT_THAT(import_file(catalog(), path("small.xml")).value(), HasSubstr(R"("replaced":true)"));
}

TEST_F(FileReportTest, DocumentsOfOursAreImported) {
  ASSERT_TRUE(import_file(catalog(), write("a1.json", descriptor_text("Mine"))));
  EXPECT_EQ(catalog().find_descriptor("acme/a1").value().name, "Mine");
  const auto report = import_file(catalog(), write("i1.json", instruction_set_text("V_SUB")));
  ASSERT_TRUE(report) << report.error().message();
  const Subject set = catalog().find("acme/i1").value();
  EXPECT_EQ(std::get<isa::InstructionSet>(set).instructions[0].name, "V_SUB");
}

TEST_F(FileReportTest, TargetOfAnotherDescriptorIsRefused) {
  std::string text = descriptor_text("Other");
  text.replace(text.find("acme/a1"), 7, "beta/a1");
  const auto report = import_file(catalog(), write("a1.json", text));
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code(), base::ErrorCode::kInvalidArgument);
  EXPECT_EQ(report.error().message(), "Target \"acmecode-a1\" of beta/a1 is one of acme/a1.");
  EXPECT_FALSE(std::filesystem::exists(path("imported/beta")));
}

TEST_F(FileReportTest, FileThatCannotBeReadLeavesTheEarlierImport) {
  ASSERT_TRUE(import_file(catalog(), write("small.xml", kSmallXml)));
  const std::string before = read("imported/amd/rdna4.instruction_set.json");
  std::string half = kSmallXml;
  half.resize(half.size() / 2);
  const auto report = import_file(catalog(), write("half.xml", half));
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code(), base::ErrorCode::kCorruptData);
  EXPECT_THAT(report.error().message(), HasSubstr("half.xml"));
  EXPECT_FALSE(before.empty());
  EXPECT_EQ(read("imported/amd/rdna4.instruction_set.json"), before);
}

TEST_F(FileReportTest, LayoutThatDoesNotCoverItsMatrixIsRefused) {
  std::string text = descriptor_text("A1");
  text.insert(text.rfind('}'), R"(, "matrix_operations": [
    {"instruction": "MUL", "m": 2, "n": 2, "k": 2, "a_type": "f16", "b_type": "f16",
     "c_type": "f32", "lanes": 2, "d": {"items": 2, "row": "lane", "column": "2 * item"},
     "origin": "documented", "source": "Data sheet"}])");
  const auto report = check_file(write("a1.json", text));
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code(), base::ErrorCode::kCorruptData);
  EXPECT_THAT(
      report.error().message(),
      HasSubstr("the layout of D of MUL f16 f16 f32 of 2 lanes does not fit: Item 1 of lane "
                "0 lies in column 2, outside 0 to 1."));
}

TEST_F(FileReportTest, MissingAndSenselessFilesAreNamed) {
  EXPECT_EQ(check_file(path("none.xml")).error().code(), base::ErrorCode::kNotFound);
  EXPECT_THAT(check_file(write("x.bin", "\x01\x02")).error().message(), HasSubstr("x.bin"));
}

}  // namespace
}  // namespace halyard::services
