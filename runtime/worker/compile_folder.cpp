// SPDX-License-Identifier: Apache-2.0
#include "runtime/worker/compile_folder.h"

#include "runtime/base/file.h"
#include "runtime/base/file_descriptor.h"
#include "runtime/base/text.h"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

namespace halyard::worker {
namespace {

namespace fs = std::filesystem;
using base::concat;
using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;

// Whatever the umask is.
Status make_folder(const std::string& path, mode_t mode) {
  if (::mkdir(path.c_str(), 0700) != 0 || ::chmod(path.c_str(), mode) != 0) {
    return base::system_error(errno, "Cannot make", path);
  }
  return base::ok();
}

Result<std::string> random_name() {
  std::array<unsigned char, 16> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    return Error(ErrorCode::kIoError, "The system gives no random bytes.");
  }
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string name;
  for (const unsigned char byte : bytes) {
    name += kDigits[byte >> 4];
    name += kDigits[byte & 15];
  }
  return name;
}

Status write_input(const std::string& path, std::string_view bytes) {
  const base::FileDescriptor file(
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file) return base::system_error(errno, "Cannot write", path);
  while (!bytes.empty()) {
    const ssize_t count = ::write(file.get(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return base::system_error(errno, "Cannot write", path);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  const std::array<timespec, 2> epoch{};
  if (::futimens(file.get(), epoch.data()) != 0 || ::fchmod(file.get(), 0444) != 0) {
    return base::system_error(errno, "Cannot write", path);
  }
  return base::ok();
}

}  // namespace

CompileFolder::CompileFolder(std::string top, std::string secret)
    : top_(std::move(top)),
      secret_(std::move(secret)) {}

CompileFolder::CompileFolder(CompileFolder&& other) noexcept
    : top_(std::exchange(other.top_, {})),
      secret_(std::move(other.secret_)) {}

CompileFolder& CompileFolder::operator=(CompileFolder&& other) noexcept {
  std::swap(top_, other.top_);
  std::swap(secret_, other.secret_);
  return *this;
}

CompileFolder::~CompileFolder() {
  if (top_.empty()) return;
  std::error_code code;
  fs::remove_all(top_, code);
}

Result<CompileFolder> CompileFolder::create() {
  HALYARD_TRY_ASSIGN(std::string secret, random_name());
  // The process is named for whoever finds the folder of one that was killed.
  std::string top = concat("/tmp/halyard-compile-", ::getpid(), "-XXXXXX");
  if (::mkdtemp(top.data()) == nullptr) return base::system_error(errno, "Cannot make", top);
  CompileFolder folder(std::move(top), std::move(secret));
  HALYARD_TRY(make_folder(folder.root(), 0755));
  HALYARD_TRY(make_folder(folder.input(), 0755));
  HALYARD_TRY(make_folder(folder.output(), 0777));
  HALYARD_TRY(make_folder(folder.input() + "/package", 0755));
  // May be passed through, and not listed.
  if (::chmod(folder.top_.c_str(), 0711) != 0) {
    return base::system_error(errno, "Cannot open", folder.top_);
  }
  return folder;
}

Status CompileFolder::write_inputs(std::string_view below, const store::PackageFiles& files) {
  std::string folder = input();
  for (const fs::path& part : fs::path(below)) {
    if (!store::is_package_file_name(part.string())) {
      return Error(ErrorCode::kInvalidArgument,
                   concat("The folder \"", below, "\" is not of plain names."));
    }
    folder = concat(folder, '/', part.string());
    std::error_code code;
    if (!fs::is_directory(folder, code)) HALYARD_TRY(make_folder(folder, 0755));
  }
  for (const auto& [name, bytes] : files) {
    if (!store::is_package_file_name(name)) {
      return Error(ErrorCode::kInvalidArgument,
                   concat("The file \"", name, "\" has no plain file name."));
    }
    HALYARD_TRY(write_input(concat(folder, '/', name), bytes));
  }
  return base::ok();
}

Result<std::vector<std::byte>> CompileFolder::read_output(std::string_view name,
                                                          std::size_t max_bytes) {
  HALYARD_TRY_ASSIGN(const std::string text,
                     store::read_plain_file(concat(output(), '/', name), max_bytes));
  std::vector<std::byte> bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

bool CompileFolder::has_output_of(std::uint64_t bytes) const {
  std::error_code code;
  fs::directory_iterator entry(output(), code);
  for (; !code && entry != fs::directory_iterator(); entry.increment(code)) {
    std::error_code unreadable;
    const bool is_file = entry->symlink_status(unreadable).type() == fs::file_type::regular;
    if (is_file && entry->file_size(unreadable) >= bytes && !unreadable) return true;
  }
  return false;
}

std::string CompileFolder::root() const {
  return concat(top_, '/', secret_);
}

std::string CompileFolder::input() const {
  return root() + "/in";
}

std::string CompileFolder::output() const {
  return root() + "/out";
}

}  // namespace halyard::worker
