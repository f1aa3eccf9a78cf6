// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/isa/xml_text.h"

#include <gtest/gtest.h>

namespace halyard::isa {
namespace {

std::string message_of(const std::string& text, const XmlLimits& limits = {}) {
  const base::Status checked = check_xml_text(text, "a.xml", limits);
  if (checked) return "accepted";
  EXPECT_EQ(checked.error().code(), base::ErrorCode::kCorruptData);
  return checked.error().message();
}

std::string repeated(std::string_view part, std::size_t count) {
  std::string text;
  text.reserve(part.size() * count);
  for (std::size_t i = 0; i < count; ++i)
    text += part;
  return text;
}

TEST(XmlText, WellFormedDocumentsAreAccepted) {
  for (const std::string text :
       {"<a/>", "<?xml version=\"1.0\" encoding='utf-8'?>\n<a b='>' c=\"</a>\"><b/>text</a>\n",
        "\xef\xbb\xbf<a><!-- <b> --><![CDATA[<c>]]></a >", "<a><b></b><b><c></c></b></a>"})
    EXPECT_EQ(message_of(text), "accepted") << text;
}

TEST(XmlText, DocumentTypeIsRefused) {
  EXPECT_EQ(message_of("<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>"),
            "a.xml: / has a document type or another declaration at byte 0, which is refused.");
  EXPECT_EQ(message_of("<a><b><!ENTITY b SYSTEM \"file:///etc/passwd\"></b></a>"),
            "a.xml: /a/b has a document type or another declaration at byte 6, which is refused.");
}

TEST(XmlText, TruncatedDocumentIsRefusedWithItsOpenElement) {
  EXPECT_EQ(message_of("<a><b/><b><c>text"),
            "a.xml: /a/b[2]/c is not closed where the text ends, at byte 17.");
  EXPECT_EQ(message_of("<a><b"), "a.xml: /a has a tag at byte 3 that does not end properly.");
  EXPECT_EQ(message_of("<a><!-- "), "a.xml: /a has a tag at byte 3 that does not end properly.");
  EXPECT_EQ(message_of("<a b=\"c>"), "a.xml: / has a tag at byte 0 that does not end properly.");
  EXPECT_EQ(message_of(""), "a.xml: / has no element.");
}

TEST(XmlText, TagsThatDoNotMatchAreRefused) {
  EXPECT_EQ(message_of("<a><b></a></b>"), "a.xml: /a/b is open where </a> stands, at byte 6.");
  EXPECT_EQ(message_of("<a/></a>"), "a.xml: / is open where </a> stands, at byte 4.");
  EXPECT_EQ(message_of("<a/><b/>"), "a.xml: / has a second root element, b.");
  EXPECT_EQ(message_of("<a/>text"), "a.xml: / has text outside the root element, at byte 4.");
  EXPECT_EQ(message_of("<a><></a>"), "a.xml: /a has a tag at byte 3 that does not end properly.");
}

TEST(XmlText, OtherEncodingsAreRefused) {
  EXPECT_EQ(message_of(std::string("\xff\xfe<\0a\0/\0>\0", 10)),
            "a.xml: The document is UTF-16 or UTF-32, not UTF-8.");
  EXPECT_EQ(message_of(std::string("<\0a\0/\0>\0", 8)),
            "a.xml: The document is UTF-16 or UTF-32, not UTF-8.");
  EXPECT_EQ(message_of("<a><b>gr\xfc"
                       "n</b></a>"),
            "a.xml: The document is not UTF-8 at byte 8, in /a/b.");
  EXPECT_EQ(message_of("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a/>"),
            "a.xml: / declares an encoding other than UTF-8.");
}

// XML allows none, and a terminal would act on them.
TEST(XmlText, ControlCharactersAreRefused) {
  EXPECT_EQ(message_of("<a>\x1b[31m</a>"), "a.xml: /a holds a control character at byte 3.");
  EXPECT_EQ(message_of("<a>\n\t<b>&#27;</b></a>"),
            "a.xml: /a/b holds a control character at byte 8.");
  EXPECT_EQ(message_of("<a b=\"&#x9B;\"/>"), "a.xml: / holds a control character at byte 6.");
  EXPECT_EQ(message_of("<a>\r\n\t&#10;&#13;&#9;&#x20;&#233;&#q;</a>"), "accepted");
}

TEST(XmlText, MillionLevelsAreRefusedWithoutRecursion) {
  constexpr std::size_t kLevels = 1'000'000;
  EXPECT_EQ(message_of("<Spec>" + repeated("<n>", kLevels)),
            "a.xml: /Spec/n/n/n/n/n/…/n/n/n/n/n/n nests elements more than 128 deep.");
  EXPECT_EQ(message_of("<Spec>" + repeated("<n>", 127) + repeated("</n>", 127) + "</Spec>"),
            "accepted");
}

TEST(XmlText, LimitsAreNamed) {
  XmlLimits limits;
  limits.size_bytes = 40;
  limits.text_bytes = 10;
  limits.elements = 3;
  limits.attributes = 2;
  EXPECT_EQ(message_of("<a>" + std::string(60, ' ') + "</a>", limits),
            "a.xml: The document has 67 bytes; the most is 40.");
  EXPECT_EQ(message_of("<a><b>" + std::string(11, 'x') + "</b></a>", limits),
            "a.xml: /a/b has a text of 11 bytes; the most is 10.");
  EXPECT_EQ(message_of("<a><b/><b/><b/></a>", limits), "a.xml: /a holds more than 3 elements.");
  EXPECT_EQ(message_of("<a b='' c='' d=''/>", limits), "a.xml: / holds more than 2 attributes.");
}

TEST(XmlText, GiganticTextIsRefused) {
  EXPECT_EQ(message_of("<a><b/><b>" + std::string(2'000'000, 'x') + "</b></a>"),
            "a.xml: /a/b[2] has a text of 2000000 bytes; the most is 1048576.");
}

TEST(XmlText, PathCountsSiblingsOfOneName) {
  const std::string text = "<a><b/><c/><b><d/><d>x</d></b></a>";
  EXPECT_EQ(xml_path_at(text, text.find('x')), "/a/b[2]/d[2]");
  EXPECT_EQ(xml_path_at(text, 0), "/");
  EXPECT_EQ(xml_path_at(text, text.size()), "/");
}

}  // namespace
}  // namespace halyard::isa
