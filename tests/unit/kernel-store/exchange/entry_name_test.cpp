// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/exchange/entry_name.h"

#include <gtest/gtest.h>

namespace halyard::store {
namespace {

const std::string kDigits(64, 'a');

TEST(EntryName, KnownOnesHaveNoFault) {
  EXPECT_EQ(entry_name_fault("manifest.json"), "");
  EXPECT_EQ(entry_name_fault("manifest.signature"), "");
  EXPECT_EQ(entry_name_fault("objects/"), "");
  EXPECT_EQ(entry_name_fault("objects/" + kDigits), "");
}

TEST(EntryName, EachFaultIsNamed) {
  const std::vector<std::pair<std::string, std::string>> faults = {
      {"", "is empty"},
      {std::string("manifest.json\0", 14), "holds a control character"},
      {"objects/\n", "holds a control character"},
      {"objects/\xc3\xa9", "holds a character beyond ASCII, which has more than one spelling"},
      {"/etc/passwd", "is an absolute path"},
      {"objects\\" + kDigits, "holds a backslash"},
      {"../manifest.json", "leads out of the export"},
      {"objects/../../" + kDigits, "leads out of the export"},
      {"objects//" + kDigits, "has an empty part"},
      {"./manifest.json", "has an empty part"},
      {"Manifest.json", "differs from \"manifest.json\" in case only"},
      {"OBJECTS/" + kDigits, "differs from \"objects/" + kDigits + "\" in case only"},
      {"objects/" + std::string(64, 'A'), "differs from \"objects/" + kDigits + "\" in case only"},
      {"objects/" + kDigits + "/", "is none that an export holds"},
      {"objects/" + kDigits + "a", "is none that an export holds"},
      {"kernel.json", "is none that an export holds"},
      {"manifest.json/", "is none that an export holds"},
  };
  for (const auto& [name, fault] : faults)
    EXPECT_EQ(entry_name_fault(name), fault) << name;
}

TEST(EntryName, ObjectsGoByTheirDigest) {
  const auto digest = object_of("objects/" + kDigits);
  ASSERT_TRUE(digest);
  EXPECT_EQ(object_name(*digest), "objects/" + kDigits);
  EXPECT_FALSE(object_of("objects" + kDigits));
  EXPECT_FALSE(object_of("manifest.json"));
}

TEST(EntryName, IsShownWithoutWhatATerminalActsOn) {
  EXPECT_EQ(shown_name("a\x1b[1m\"\\\xc3\xa9"), "a\\x1b[1m\\x22\\x5c\\xc3\\xa9");
  EXPECT_EQ(shown_name(std::string(500, 'a')), std::string(120, 'a') + "…");
}

}  // namespace
}  // namespace halyard::store
