// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/kernel_package.h"

#include "runtime/base/file.h"
#include "runtime/base/text.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <memory>
#include <utility>

namespace halyard::store {
namespace {

using base::concat;
using base::Error;
using base::ErrorCode;
using base::Result;

// Closes a file descriptor when it goes.
class FileDescriptor {
 public:
  explicit FileDescriptor(int value) : value_(value) {}
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() {
    if (value_ >= 0) ::close(value_);
  }
  int get() const { return value_; }

 private:
  int value_;
};

Result<std::vector<std::string>> list_directory(const std::string& path) {
  const std::unique_ptr<DIR, int (*)(DIR*)> directory(::opendir(path.c_str()), &::closedir);
  if (directory == nullptr) return base::system_error(errno, "Cannot list", path);
  std::vector<std::string> names;
  while (const dirent* const entry = ::readdir(directory.get())) {
    if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

// Where a file system tells no case apart, two such files are one.
base::Status refuse_equal_but_for_case(const KernelRecord& record, const PackageFiles& files) {
  std::map<std::string, std::string_view> folded;
  for (const auto& [name, bytes] : files) {
    std::string lower = name;
    for (char& c : lower)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    const auto [place, is_new] = folded.emplace(std::move(lower), name);
    if (is_new) continue;
    return Error(ErrorCode::kInvalidArgument,
                 concat("Kernel \"", record.name, "\" holds the files \"", place->second,
                        "\" and \"", name, "\", which differ in case only."));
  }
  return base::ok();
}

}  // namespace

Result<std::string> read_plain_file(const std::string& path, std::size_t limit) {
  // Not blocking, so that a pipe under the name is refused rather than waited for.
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (file.get() < 0) {
    if (errno == ELOOP) {
      return Error(ErrorCode::kPermissionDenied,
                   concat("\"", path, "\" is a symbolic link, which is not followed."));
    }
    return base::system_error(errno, "Cannot read", path);
  }
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) return base::system_error(errno, "Cannot read", path);
  if (!S_ISREG(status.st_mode)) {
    return Error(ErrorCode::kPermissionDenied, concat("\"", path, "\" is no regular file."));
  }
  std::string bytes;
  while (true) {
    const std::size_t size = bytes.size();
    if (size > limit) {
      return Error(ErrorCode::kCorruptData,
                   concat("\"", path, "\" has more than ", limit, " bytes."));
    }
    bytes.resize(std::min(limit + 1, std::max<std::size_t>(size + 65536, size * 2)));
    const ssize_t got = ::read(file.get(), bytes.data() + size, bytes.size() - size);
    bytes.resize(size + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got < 0 && errno != EINTR) return base::system_error(errno, "Cannot read", path);
    if (got == 0) return bytes;
  }
}

Result<KernelPackage> make_kernel_package(KernelRecord record, PackageFiles files,
                                          std::optional<Digest> prelude_digest) {
  const std::vector<std::string> names = record.file_names();
  std::size_t total = 0;
  for (const std::string& name : names) {
    const auto found = files.find(name);
    if (found == files.end()) {
      return Error(ErrorCode::kNotFound, concat("Kernel \"", record.name, "\" names the file \"",
                                                name, "\", which it does not hold."));
    }
    total += found->second.size();
  }
  if (files.size() != names.size()) {
    return Error(ErrorCode::kInvalidArgument,
                 concat("Kernel \"", record.name, "\" holds ", files.size(), " files and names ",
                        names.size(), "."));
  }
  HALYARD_TRY(refuse_equal_but_for_case(record, files));
  if (total > kMaxPackageBytes) {
    return Error(ErrorCode::kInvalidArgument,
                 concat("Kernel \"", record.name, "\" has ", total, " bytes of files, above ",
                        kMaxPackageBytes, "."));
  }
  if (record.prelude.has_value() != prelude_digest.has_value()) {
    return Error(ErrorCode::kNotFound,
                 concat("Kernel \"", record.name, "\" and the prelude given for it do not agree."));
  }
  KernelPackage package{std::move(record), std::move(files), prelude_digest, {}};
  package.id = compute_kernel_id({package.record.canonical_json, &package.files,
                                  package.record.prelude ? *package.record.prelude : "",
                                  package.prelude_digest});
  return package;
}

Result<PackageFiles> load_prelude(const std::string& prelude_root, std::string_view name) {
  const std::string directory = concat(prelude_root, '/', name);
  HALYARD_TRY_ASSIGN(const std::vector<std::string> names, list_directory(directory));
  PackageFiles files;
  for (const std::string& file : names) {
    HALYARD_TRY_ASSIGN(std::string bytes,
                       read_plain_file(concat(directory, '/', file), kMaxPackageFileBytes));
    files.emplace(file, std::move(bytes));
  }
  return files;
}

Result<Digest> load_prelude_digest(const std::string& prelude_root, std::string_view name) {
  HALYARD_TRY_ASSIGN(const PackageFiles files, load_prelude(prelude_root, name));
  return compute_prelude_digest(files);
}

Result<KernelPackage> load_kernel_package(const std::string& directory,
                                          const PreludeSource& prelude_source) {
  const std::string record_path = directory + "/kernel.json";
  HALYARD_TRY_ASSIGN(const std::string text, read_plain_file(record_path, kMaxKernelJsonBytes));
  HALYARD_TRY_ASSIGN(KernelRecord record, parse_kernel_record(text, record_path));
  PackageFiles files;
  for (const std::string& name : record.file_names()) {
    HALYARD_TRY_ASSIGN(std::string bytes,
                       read_plain_file(concat(directory, '/', name), kMaxPackageFileBytes));
    files.emplace(name, std::move(bytes));
  }
  std::optional<Digest> prelude;
  if (record.prelude) {
    HALYARD_TRY_ASSIGN(prelude, prelude_source(*record.prelude));
  }
  return make_kernel_package(std::move(record), std::move(files), prelude);
}

}  // namespace halyard::store
