// SPDX-License-Identifier: Apache-2.0
#include "runtime/api/boundary.h"

#include "halyard/buffer.h"

#include <gtest/gtest.h>

#include <array>
#include <stdexcept>
#include <string>

namespace halyard::api {
namespace {

TEST(Boundary, TextIsWrittenAsFarAsItFits) {
  std::array<char, 8> text;
  std::size_t size = 0;
  text.fill('-');
  ASSERT_TRUE(write_text("abc", 0, nullptr, &size));
  EXPECT_EQ(4U, size);
  ASSERT_TRUE(write_text("abc", 4, text.data(), &size));
  EXPECT_EQ(std::string("abc"), text.data());
  EXPECT_EQ('-', text[4]);
  text.fill('-');
  ASSERT_TRUE(write_text("abc", 2, text.data(), &size));
  EXPECT_EQ(4U, size);
  EXPECT_EQ('\0', text[1]);
  EXPECT_EQ('-', text[2]);
}

TEST(Boundary, TextNeedsAPlaceForItsSize) {
  EXPECT_FALSE(write_text("abc", 0, nullptr, nullptr));
  std::size_t size = 0;
  EXPECT_FALSE(write_text("abc", 4, nullptr, &size));
}

TEST(Boundary, ExceptionsBecomeStatuses) {
  EXPECT_EQ(HALYARD_STATUS_OUT_OF_MEMORY, guard([]() -> base::Status { throw std::bad_alloc(); }));
  EXPECT_EQ(HALYARD_STATUS_INTERNAL,
            guard([]() -> base::Status { throw std::runtime_error("it broke"); }));
  EXPECT_STREQ("it broke", halyard_last_error_message());
  EXPECT_EQ(HALYARD_STATUS_INTERNAL, guard([]() -> base::Status { throw 1; }));
  EXPECT_EQ(HALYARD_STATUS_OK, guard([] { return base::ok(); }));
}

TEST(Boundary, StructsOfOtherSizesAreReadAsFarAsTheyAreKnown) {
  struct {
    halyard_buffer_desc known;
    std::uint64_t unknown;
  } larger = {{sizeof(larger), 0, 64}, 0};
  const auto read = read_struct(&larger.known, sizeof(halyard_buffer_desc), "desc");
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(64U, read->size_bytes);
  EXPECT_EQ(sizeof(halyard_buffer_desc), read->struct_size);
  larger.unknown = 1;
  EXPECT_FALSE(read_struct(&larger.known, sizeof(halyard_buffer_desc), "desc"));
  larger.known.struct_size = sizeof(halyard_buffer_desc) - 1;
  EXPECT_FALSE(read_struct(&larger.known, sizeof(halyard_buffer_desc), "desc"));
  EXPECT_FALSE(read_struct<halyard_buffer_desc>(nullptr, sizeof(halyard_buffer_desc), "desc"));
}

}  // namespace
}  // namespace halyard::api
