// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/trust/key_file.h"

#include "kernel-store/trust/guarded_file.h"
#include "kernel-store/trust/public_key.h"
#include "kernel-store/trust/signing_key.h"
#include "runtime/base/file.h"
#include "runtime/base/text.h"

#include <fcntl.h>
#include <sodium/core.h>
#include <sodium/crypto_pwhash.h>
#include <sodium/crypto_secretbox.h>
#include <sodium/crypto_sign.h>
#include <sodium/randombytes.h>
#include <sodium/utils.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <optional>
#include <span>
#include <utility>

namespace halyard::store {
namespace {

using base::concat;
using base::Error;
using base::ErrorCode;
using base::FileDescriptor;
using base::Result;
using base::Status;

constexpr std::size_t kMaxFileBytes = 4096;
constexpr std::string_view kHeading = "halyard.key/1";
constexpr std::size_t kSeedBytes = crypto_sign_SEEDBYTES;
constexpr std::size_t kNonceBytes = crypto_secretbox_NONCEBYTES;
constexpr std::size_t kSealedBytes = kNonceBytes + crypto_secretbox_MACBYTES + kSeedBytes;

// Takes a line that begins with `word` off the front of `text`, and gives what follows the word.
std::optional<std::string_view> take_line(std::string_view& text, std::string_view word) {
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos || !text.starts_with(word)) return std::nullopt;
  std::string_view line = text.substr(word.size(), end - word.size());
  text.remove_prefix(end + 1);
  return line;
}

// Exactly `size` bytes of lower-case digits; libsodium reads them without leaving a copy.
std::optional<Secret> read_hex(std::string_view text, std::size_t size) {
  const auto is_digit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  if (text.size() != 2 * size || !std::all_of(text.begin(), text.end(), is_digit)) {
    return std::nullopt;
  }
  Secret bytes(size);
  std::size_t read = 0;
  if (sodium_hex2bin(bytes.data(), size, text.data(), text.size(), nullptr, &read, nullptr) != 0 ||
      read != size) {
    return std::nullopt;
  }
  return bytes;
}

// A decimal number and the space behind it, off the front of `text`.
std::optional<std::uint64_t> take_number(std::string_view& text) {
  std::uint64_t number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc() || end == text.data() + text.size() || *end != ' ') return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()) + 1);
  return number;
}

Result<Secret> derive_key(const Secret& passphrase, std::uint64_t operations,
                          std::uint64_t memory_bytes, const std::uint8_t* salt) {
  Secret key(crypto_secretbox_KEYBYTES);
  if (crypto_pwhash(key.data(), key.size(), reinterpret_cast<const char*>(passphrase.data()),
                    passphrase.size(), salt, operations, static_cast<std::size_t>(memory_bytes),
                    crypto_pwhash_ALG_ARGON2ID13) != 0) {
    return Error(ErrorCode::kOutOfMemory,
                 concat("The system does not give the ", memory_bytes,
                        " bytes of memory that Argon2id takes for the passphrase."));
  }
  return key;
}

// Text that is built in wiped memory of a fixed size.
class SecretText {
 public:
  explicit SecretText(std::size_t capacity) : text_(capacity) {}

  void append(std::string_view piece) {
    std::memcpy(text_.data() + used_, piece.data(), piece.size());
    used_ += piece.size();
  }
  void append_hex(std::span<const std::uint8_t> bytes) {
    // Writes a zero byte behind the digits, which the next piece replaces.
    sodium_bin2hex(reinterpret_cast<char*>(text_.data() + used_), text_.size() - used_,
                   bytes.data(), bytes.size());
    used_ += 2 * bytes.size();
  }
  Secret finish() {
    text_.shrink(used_);
    return std::move(text_);
  }

 private:
  Secret text_;
  std::size_t used_ = 0;
};

}  // namespace

Error KeyFile::corrupt(std::string_view what) const {
  return Error(ErrorCode::kCorruptData, concat("The key file \"", path_, "\" ", what, '.'));
}

Result<KeyFile> KeyFile::read(const std::string& path) {
  HALYARD_TRY_ASSIGN(const std::optional<FileDescriptor> file,
                     open_guarded_file(path, FilePrivacy::kOwnerOnly));
  if (!file) {
    return Error(ErrorCode::kNotFound, concat("There is no key file \"", path, "\"."));
  }
  Secret text(kMaxFileBytes + 1);
  std::size_t size = 0;
  while (size < text.size()) {
    const ssize_t count = ::read(file->get(), text.data() + size, text.size() - size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return base::system_error(errno, "Cannot read", path);
    if (count == 0) break;
    size += static_cast<std::size_t>(count);
  }
  text.shrink(size);
  return parse(std::move(text), path);
}

Result<KeyFile> KeyFile::parse(Secret text, std::string path) {
  KeyFile file(std::move(path));
  if (text.size() > kMaxFileBytes) {
    return file.corrupt(concat("has more than ", kMaxFileBytes, " bytes"));
  }
  std::string_view rest = text.text();
  const auto heading = take_line(rest, kHeading);
  if (!heading || !heading->empty()) {
    return file.corrupt(concat("does not begin with the line \"", kHeading, "\""));
  }
  const auto public_text = take_line(rest, "public ");
  if (!public_text) return file.corrupt("has no line \"public\" where it stands");
  Result<PublicKey> public_key = parse_public_key(*public_text);
  if (!public_key) return file.corrupt("has a line \"public\" that holds no public key");
  file.public_key_ = *public_key;
  if (const auto secret = take_line(rest, "secret ")) {
    auto seed = read_hex(*secret, kSeedBytes);
    if (!seed) return file.corrupt("has a line \"secret\" that holds no secret key");
    file.payload_ = std::move(*seed);
  } else {
    const auto work = take_line(rest, "argon2id ");
    const auto sealed = work ? take_line(rest, "sealed ") : std::nullopt;
    if (!sealed) return file.corrupt("holds no secret key");
    HALYARD_TRY(file.parse_sealed(*work, *sealed));
  }
  if (!rest.empty()) return file.corrupt("has text after its last line");
  return file;
}

Status KeyFile::parse_sealed(std::string_view work, std::string_view sealed) {
  const auto operations = take_number(work);
  const auto memory = operations ? take_number(work) : std::nullopt;
  auto salt = memory ? read_hex(work, crypto_pwhash_SALTBYTES) : std::nullopt;
  if (!salt) return corrupt("has a line \"argon2id\" that is not operations, memory and salt");
  if (*operations < crypto_pwhash_argon2id_OPSLIMIT_MIN || *operations > kMaxKeyFileOperations) {
    return corrupt(concat("asks for ", *operations, " operations of Argon2id, beyond 1 to ",
                          kMaxKeyFileOperations));
  }
  if (*memory < crypto_pwhash_argon2id_MEMLIMIT_MIN || *memory > kMaxKeyFileMemoryBytes) {
    return corrupt(concat("asks for ", *memory, " bytes of memory for Argon2id, beyond ",
                          crypto_pwhash_argon2id_MEMLIMIT_MIN, " to ", kMaxKeyFileMemoryBytes));
  }
  auto box = read_hex(sealed, kSealedBytes);
  if (!box) return corrupt("has a line \"sealed\" that holds no encrypted key");
  operations_ = *operations;
  memory_bytes_ = *memory;
  salt_ = std::move(*salt);
  payload_ = std::move(*box);
  return base::ok();
}

Result<Secret> KeyFile::open_seed(const Secret& passphrase) const {
  if (!is_sealed()) {
    if (!passphrase.empty()) {
      return Error(ErrorCode::kPermissionDenied,
                   concat("The key file \"", path_,
                          "\" is not encrypted, but a passphrase is given for it."));
    }
    return Secret::copy_of(payload_.text());
  }
  if (passphrase.empty()) {
    return Error(ErrorCode::kPermissionDenied,
                 concat("The key file \"", path_, "\" is encrypted, and no passphrase is given."));
  }
  HALYARD_TRY_ASSIGN(const Secret key,
                     derive_key(passphrase, operations_, memory_bytes_, salt_.data()));
  Secret seed(kSeedBytes);
  const std::uint8_t* const nonce = payload_.data();
  if (crypto_secretbox_open_easy(seed.data(), nonce + kNonceBytes, kSealedBytes - kNonceBytes,
                                 nonce, key.data()) != 0) {
    return Error(ErrorCode::kPermissionDenied,
                 concat("The passphrase does not open the key file \"", path_, "\"."));
  }
  return seed;
}

Result<Secret> KeyFile::format(const PublicKey& public_key, const Secret& seed,
                               const Secret& passphrase) {
  SecretText text(kMaxFileBytes);
  text.append(concat(kHeading, "\npublic ", public_key_text(public_key), '\n'));
  if (passphrase.empty()) {
    text.append("secret ");
    text.append_hex({seed.data(), seed.size()});
    text.append("\n");
    return text.finish();
  }
  if (sodium_init() < 0) {
    return Error(ErrorCode::kUnavailable, "The system gives no random numbers for a key file.");
  }
  Secret salt(crypto_pwhash_SALTBYTES);
  randombytes_buf(salt.data(), salt.size());
  HALYARD_TRY_ASSIGN(const Secret key,
                     derive_key(passphrase, kKeyFileOperations, kKeyFileMemoryBytes, salt.data()));
  Secret sealed(kSealedBytes);
  randombytes_buf(sealed.data(), kNonceBytes);
  crypto_secretbox_easy(sealed.data() + kNonceBytes, seed.data(), seed.size(), sealed.data(),
                        key.data());
  text.append(concat("argon2id ", kKeyFileOperations, ' ', kKeyFileMemoryBytes, ' '));
  text.append_hex(salt.bytes());
  text.append("\nsealed ");
  text.append_hex(sealed.bytes());
  text.append("\n");
  return text.finish();
}

Status KeyFile::create(const std::string& path, const Secret& text) {
  const FileDescriptor file(
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file) {
    if (errno == EEXIST) {
      return Error(ErrorCode::kPermissionDenied,
                   concat("\"", path, "\" exists, and a key is never replaced."));
    }
    return base::system_error(errno, "Cannot create", path);
  }
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = ::write(file.get(), text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      const int code = errno;
      ::unlink(path.c_str());
      return base::system_error(code, "Cannot write", path);
    }
    done += static_cast<std::size_t>(count);
  }
  if (::fsync(file.get()) != 0) {
    const int code = errno;
    ::unlink(path.c_str());
    return base::system_error(code, "Cannot flush", path);
  }
  return base::ok();
}

}  // namespace halyard::store
