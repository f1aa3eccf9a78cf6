// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/trust/signing_key.h"

#include "kernel-store/trust/public_key.h"
#include "tests/unit/kernel-store/store_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

namespace halyard::store {
namespace {

using base::ErrorCode;
using ::testing::AnyOf;
using ::testing::HasSubstr;

class SigningKeyFile : public ::testing::Test {
 protected:
  void SetUp() override {
    auto key = SigningKey::create();
    ASSERT_TRUE(key);
    key_ = std::make_unique<SigningKey>(std::move(*key));
  }

  // Saves the key, and its text.
  void save(std::string_view passphrase = "") {
    const auto saved = key_->save(path_, Secret::copy_of(passphrase));
    ASSERT_TRUE(saved) << saved.error().message();
    text_ = testing::read_file(path_);
  }

  void replace(std::string_view text) {
    ::unlink(path_.c_str());
    testing::write_file(path_, text);
    ASSERT_EQ(::chmod(path_.c_str(), 0600), 0);
  }

  void expect_refused(ErrorCode code, std::string_view message, std::string_view passphrase = "") {
    const auto key = SigningKey::load(path_, Secret::copy_of(passphrase));
    ASSERT_FALSE(key);
    EXPECT_EQ(key.error().code(), code);
    EXPECT_THAT(key.error().message(), HasSubstr(message));
  }

  // The text with the words of one line replaced.
  std::string with_line(std::string_view word, std::string_view rest) const {
    const std::size_t at = text_.find(word);
    std::string text = text_;
    text.replace(at, text.find('\n', at) - at, std::string(word) + std::string(rest));
    return text;
  }

  testing::TemporaryDirectory directory_;
  std::string path_ = directory_ / "approve.key";
  std::unique_ptr<SigningKey> key_;
  std::string text_;
};

TEST_F(SigningKeyFile, IsReadByItsOwnerOnlyAndLoads) {
  save();
  struct stat facts = {};
  ASSERT_EQ(::stat(path_.c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 07777U, 0600U);
  const auto loaded = SigningKey::load(path_, Secret());
  ASSERT_TRUE(loaded) << loaded.error().message();
  EXPECT_EQ(loaded->public_key(), key_->public_key());
  EXPECT_EQ(loaded->sign("a", "b"), key_->sign("a", "b"));
  EXPECT_EQ(SigningKey::needs_passphrase(path_).value(), false);
}

TEST_F(SigningKeyFile, PassphraseOpensIt) {
  save("correct horse");
  EXPECT_EQ(SigningKey::needs_passphrase(path_).value(), true);
  EXPECT_EQ(text_.find("secret"), std::string::npos);
  EXPECT_EQ(text_.find("horse"), std::string::npos);
  const auto loaded = SigningKey::load(path_, Secret::copy_of("correct horse"));
  ASSERT_TRUE(loaded) << loaded.error().message();
  EXPECT_EQ(loaded->sign("a", "b"), key_->sign("a", "b"));
  expect_refused(ErrorCode::kPermissionDenied, "The passphrase does not open the key file",
                 "correct horsf");
  expect_refused(ErrorCode::kPermissionDenied, "is encrypted, and no passphrase is given.");
}

TEST_F(SigningKeyFile, PassphraseThatIsNotNeededIsRefused) {
  save();
  expect_refused(ErrorCode::kPermissionDenied,
                 "is not encrypted, but a passphrase is given for it.", "anything");
}

TEST_F(SigningKeyFile, IsNeverReplaced) {
  save();
  const auto again = key_->save(path_, Secret());
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code(), ErrorCode::kPermissionDenied);
  EXPECT_EQ(again.error().message(), "\"" + path_ + "\" exists, and a key is never replaced.");
  EXPECT_EQ(testing::read_file(path_), text_);
}

TEST_F(SigningKeyFile, ThatOthersCanReadIsRefused) {
  save();
  for (const mode_t mode : {0640U, 0604U, 0620U, 0602U}) {
    ASSERT_EQ(::chmod(path_.c_str(), mode), 0);
    expect_refused(ErrorCode::kPermissionDenied, "lets group or others");
  }
}

TEST_F(SigningKeyFile, AbsentOneAndLinkAreRefused) {
  expect_refused(ErrorCode::kNotFound, "There is no key file");
  save();
  const std::string link = directory_ / "link.key";
  ASSERT_EQ(::symlink(path_.c_str(), link.c_str()), 0);
  const auto key = SigningKey::load(link, Secret());
  ASSERT_FALSE(key);
  EXPECT_EQ(key.error().code(), ErrorCode::kPermissionDenied);
  EXPECT_EQ(key.error().message(), "\"" + link + "\" is not used: it is a symbolic link.");
}

TEST_F(SigningKeyFile, HalvesThatDoNotFitAreRefused) {
  save();
  const auto other = SigningKey::create();
  ASSERT_TRUE(other);
  replace(with_line("public ", public_key_text(other->public_key())));
  expect_refused(ErrorCode::kCorruptData, "which its secret key does not have.");
}

TEST_F(SigningKeyFile, WorkBeyondTheBoundsIsNotDone) {
  save("p");
  const std::string salt = std::string(32, 'a');
  replace(with_line("argon2id ", "17 67108864 " + salt));
  expect_refused(ErrorCode::kCorruptData, "asks for 17 operations of Argon2id, beyond 1 to 16.",
                 "p");
  replace(with_line("argon2id ", "0 67108864 " + salt));
  expect_refused(ErrorCode::kCorruptData, "asks for 0 operations", "p");
  replace(with_line("argon2id ", "3 536870913 " + salt));
  expect_refused(ErrorCode::kCorruptData,
                 "asks for 536870913 bytes of memory for Argon2id, beyond 8192 to 536870912.", "p");
  replace(with_line("argon2id ", "3 67108864 " + salt.substr(1)));
  expect_refused(ErrorCode::kCorruptData, "that is not operations, memory and salt.", "p");
}

TEST_F(SigningKeyFile, EachCutIsRefused) {
  save();
  const std::string whole = text_;
  for (std::size_t size = 0; size < whole.size(); ++size) {
    replace(whole.substr(0, size));
    expect_refused(ErrorCode::kCorruptData, "The key file \"" + path_ + "\"");
  }
  replace(whole + "x");
  expect_refused(ErrorCode::kCorruptData, "has text after its last line.");
  replace(whole + std::string(5000, '\n'));
  expect_refused(ErrorCode::kCorruptData, "has more than 4096 bytes.");
}

TEST_F(SigningKeyFile, EachFlippedBitIsRefused) {
  save();
  const std::string whole = text_;
  for (std::size_t bit = 0; bit < whole.size() * 8; ++bit) {
    std::string flipped = whole;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
    replace(flipped);
    const auto key = SigningKey::load(path_, Secret());
    ASSERT_FALSE(key) << "bit " << bit;
    EXPECT_EQ(key.error().code(), ErrorCode::kCorruptData);
    // No digit of the secret half is ever in a message.
    EXPECT_EQ(key.error().message().find(whole.substr(whole.size() - 40, 32)), std::string::npos);
  }
}

}  // namespace
}  // namespace halyard::store
