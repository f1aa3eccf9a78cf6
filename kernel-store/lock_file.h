// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/kernel_id.h"
#include "kernel-store/kernel_record.h"
#include "runtime/base/result.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::store {

// A kernel that a use is held to.
struct LockPin {
  std::string contract;  // Without the major version.
  TypeBinding types;
  std::string target;
  KernelId kernel{};
  std::optional<Digest> build;  // Of the binary; nothing leaves it open.
  std::string name;             // Of the kernel and its version, for people.

  // The same use; the kernels may differ.
  bool is_for(std::string_view other_contract, const TypeBinding& other_types) const;
  bool operator==(const LockPin&) const = default;
};

// A `halyard.lock/1` document: for each contract, type binding and target that it names, the
// kernels of which one may be chosen. What it does not name is free.
struct LockFile {
  std::vector<LockPin> pins;  // By contract, types, target and kernel, each once.
};

// Sorts the pins and drops repeated ones.
std::string lock_file_json(LockFile lock);
// Errors: kCorruptData with the JSON pointer of what is wrong.
base::Result<LockFile> parse_lock_file(std::string_view json_text, std::string_view source_name);
// Errors: kNotFound; those of parse_lock_file() and of reading a file.
base::Result<LockFile> load_lock_file(const std::string& path);

inline constexpr std::size_t kMaxLockFileBytes = std::size_t{16} << 20;

}  // namespace halyard::store
