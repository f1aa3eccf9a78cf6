// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/lock_file.h"

#include "runtime/base/sha256.h"

#include <gtest/gtest.h>

#include <string>

namespace halyard::store {
namespace {

LockPin pin(const std::string& target, const std::string& kernel) {
  LockPin out;
  out.contract = "rms_norm";
  out.types = {{"T", base::DataType::kF32}};
  out.target = target;
  out.kernel = base::Sha256::of(kernel);
  out.name = kernel + " 1.0.0";
  return out;
}

std::string text_with(const std::string& member, const std::string& value) {
  const std::string id = digest_text(base::Sha256::of("a"));
  std::string text = R"({"format":"halyard.lock/1","pins":[{"contract":"rms_norm",)"
                     R"("types":{"T":"f32"},"target":"x86_64-v3","kernel":")" +
                     id + "\"}]}";
  if (member.empty()) return text;
  const std::string begin = "\"" + member + "\":";
  const std::size_t from = text.find(begin) + begin.size();
  std::size_t to = text.find_first_of(",}]", from);
  if (text[from] == '{') to = text.find('}', from) + 1;
  return text.replace(from, to - from, value);
}

TEST(LockFile, ReadsWhatItWritesInOneOrder) {
  LockFile lock;
  lock.pins = {pin("x86_64-v4", "b"), pin("x86_64-v3", "a"), pin("x86_64-v3", "a")};
  lock.pins[0].build = base::Sha256::of("a binary");
  const std::string text = lock_file_json(lock);
  const auto read = parse_lock_file(text, "halyard.lock");
  ASSERT_TRUE(read) << read.error().message();
  ASSERT_EQ(read->pins.size(), 2U);
  EXPECT_EQ(read->pins[0], lock.pins[1]);
  EXPECT_EQ(read->pins[1], lock.pins[0]);
  EXPECT_EQ(lock_file_json(*read), text);
}

TEST(LockFile, PinIsForItsContractAndTypes) {
  const LockPin one = pin("x86_64-v3", "a");
  EXPECT_TRUE(one.is_for("rms_norm", {{"T", base::DataType::kF32}}));
  EXPECT_FALSE(one.is_for("rms_norm", {{"T", base::DataType::kBf16}}));
  EXPECT_FALSE(one.is_for("gemm", {{"T", base::DataType::kF32}}));
}

TEST(LockFile, NamesWhatIsWrong) {
  ASSERT_TRUE(parse_lock_file(text_with("", ""), "halyard.lock"));
  const auto message = [](const std::string& text) {
    const auto lock = parse_lock_file(text, "halyard.lock");
    if (lock) return std::string("no error");
    EXPECT_EQ(lock.error().code(), base::ErrorCode::kCorruptData);
    return lock.error().message();
  };
  EXPECT_NE(message(text_with("format", "\"halyard.lock/2\"")).find("halyard.lock: /format"),
            std::string::npos);
  EXPECT_EQ(message(text_with("kernel", "\"12\"")),
            "halyard.lock: /pins/0/kernel is not 64 lower-case hexadecimal digits.");
  EXPECT_EQ(message(text_with("target", "\"\"")), "halyard.lock: /pins/0/target is empty.");
  EXPECT_NE(message(text_with("types", "{\"T\":\"f33\"}")).find("halyard.lock: /pins/0/types"),
            std::string::npos);
  EXPECT_NE(message(R"({"format":"halyard.lock/1","pin":[]})").find("/pin is an unknown key"),
            std::string::npos);
}

TEST(LockFile, RefusesAKernelTwiceForOneUse) {
  std::string text = text_with("", "");
  const std::size_t from = text.find("[{") + 1;
  const std::string entry = text.substr(from, text.rfind(']') - from);
  text.insert(from, entry + ",");
  const auto lock = parse_lock_file(text, "halyard.lock");
  ASSERT_FALSE(lock);
  EXPECT_EQ(lock.error().message(), "halyard.lock: /pins holds a kernel twice for one use.");
}

TEST(LockFile, ThatIsAbsentIsNotFound) {
  const auto lock = load_lock_file("/nowhere/halyard.lock");
  ASSERT_FALSE(lock);
  EXPECT_EQ(lock.error().code(), base::ErrorCode::kNotFound);
  EXPECT_NE(lock.error().message().find("/nowhere/halyard.lock"), std::string::npos);
}

}  // namespace
}  // namespace halyard::store
