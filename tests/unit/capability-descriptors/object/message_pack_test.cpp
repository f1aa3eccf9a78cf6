// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/object/message_pack.h"

#include <gtest/gtest.h>

#include <boost/json/serialize.hpp>
#include <string>

namespace halyard::object {
namespace {

using namespace std::string_literals;

std::string read(const std::string& bytes) {
  const auto value = parse_message_pack(bytes, "note");
  return value ? boost::json::serialize(*value) : value.error().message();
}

TEST(MessagePack, EveryKindOfNumberIsRead) {
  EXPECT_EQ(read("\x7f"s), "127");
  EXPECT_EQ(read("\xff"s), "-1");
  EXPECT_EQ(read("\xcc\xff"s), "255");
  EXPECT_EQ(read("\xcd\x01\x02"s), "258");
  EXPECT_EQ(read("\xce\x01\x02\x03\x04"s), "16909060");
  EXPECT_EQ(read("\xcf\xff\xff\xff\xff\xff\xff\xff\xff"s), "18446744073709551615");
  EXPECT_EQ(read("\xd0\x80"s), "-128");
  EXPECT_EQ(read("\xd1\xff\xfe"s), "-2");
  EXPECT_EQ(read("\xd2\xff\xff\xff\xfd"s), "-3");
  EXPECT_EQ(read("\xd3\x80\0\0\0\0\0\0\0"s), "-9223372036854775808");
  EXPECT_EQ(read("\xca\x3f\xc0\0\0"s), "1.5E0");
  EXPECT_EQ(read("\xcb\x3f\xf8\0\0\0\0\0\0"s), "1.5E0");
}

TEST(MessagePack, TextsArraysAndMapsOfEverySizeAreRead) {
  EXPECT_EQ(read("\xc0"s), "null");
  EXPECT_EQ(read("\x93\xc2\xc3\xa1x"s), "[false,true,\"x\"]");
  EXPECT_EQ(read("\xd9\x02xy"s), "\"xy\"");
  EXPECT_EQ(read("\xda\0\x02xy"s), "\"xy\"");
  EXPECT_EQ(read("\xdb\0\0\0\x02xy"s), "\"xy\"");
  EXPECT_EQ(read("\xdc\0\x02\x01\x02"s), "[1,2]");
  EXPECT_EQ(read("\xdd\0\0\0\x01\x05"s), "[5]");
  EXPECT_EQ(read("\x82\xa1y\x01\xa1x\x02"s), R"({"y":1,"x":2})");
  EXPECT_EQ(read("\xde\0\x01\xa1y\x01"s), R"({"y":1})");
  EXPECT_EQ(read("\xdf\0\0\0\x01\xa1y\x01"s), R"({"y":1})");
}

TEST(MessagePack, WhatIsCutOffSaysWhere) {
  EXPECT_EQ(read(""s), "note: The MessagePack data needs 1 bytes at offset 0 of 0.");
  EXPECT_EQ(read("\xa5xy"s), "note: The MessagePack data needs 5 bytes at offset 1 of 3.");
  EXPECT_EQ(read("\xce\x01"s), "note: The MessagePack data needs 4 bytes at offset 1 of 2.");
  EXPECT_EQ(read("\xdd\xff\xff\xff\xff\x01"s),
            "note: The MessagePack data needs 1 bytes at offset 6 of 6.");
}

TEST(MessagePack, WhatIsNotOfMetadataIsRefused) {
  EXPECT_EQ(read("\x01\x02"s), "note: The MessagePack data ends at offset 1 of 2.");
  EXPECT_EQ(read("\x91\xc4\x01x"s),
            "note: The MessagePack data has a value of kind 196 at offset 1, which is neither "
            "number, text, array nor map.");
  EXPECT_EQ(read("\x81\x01\x02"s),
            "note: The MessagePack data has a key at offset 1 that is no text.");
  EXPECT_EQ(read("\x82\xa1x\x01\xa1x\x02"s),
            "note: The MessagePack data repeats the key at offset 4.");
  EXPECT_EQ(read(std::string(100, '\x91')),
            "note: The MessagePack data nests deeper than 32 at offset 33.");
}

}  // namespace
}  // namespace halyard::object
