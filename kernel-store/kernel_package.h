// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/kernel_id.h"
#include "kernel-store/kernel_record.h"
#include "runtime/base/result.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace halyard::store {

// Limits of what a package may hold.
inline constexpr std::size_t kMaxKernelJsonBytes = 1 << 20;
inline constexpr std::size_t kMaxPackageFileBytes = 16 << 20;
inline constexpr std::size_t kMaxPackageBytes = 64 << 20;

// A kernel with its files and identity.
struct KernelPackage {
  KernelRecord record;
  PackageFiles files;  // Without kernel.json.
  std::optional<Digest> prelude_digest;
  KernelId id{};
};

// Makes a package of a parsed record; each file that the record names must be in `files`, and no
// other. `prelude_digest` is that of the record's prelude, if it names one.
base::Result<KernelPackage> make_kernel_package(KernelRecord record, PackageFiles files,
                                                std::optional<Digest> prelude_digest);

// Gives the digest of a prelude by its name ("c++/1").
using PreludeSource = std::function<base::Result<Digest>(const std::string& name)>;

// Loads kernel.json and the files it names from `directory`; nothing else is opened.
// Errors: kCorruptData (with the file and JSON pointer), kNotFound, kPermissionDenied for a
// symbolic link, kIoError.
base::Result<KernelPackage> load_kernel_package(const std::string& directory,
                                                const PreludeSource& prelude_source);

// The files of the prelude `name` ("c++/1"), which lies in <prelude_root>/c++/1/, and their digest.
base::Result<PackageFiles> load_prelude(const std::string& prelude_root, std::string_view name);
base::Result<Digest> load_prelude_digest(const std::string& prelude_root, std::string_view name);

// Reads a regular file whose last component is no symbolic link and whose size is within `limit`.
base::Result<std::string> read_plain_file(const std::string& path, std::size_t limit);

}  // namespace halyard::store
