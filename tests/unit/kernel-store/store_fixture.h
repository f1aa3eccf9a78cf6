// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/evidence.h"
#include "kernel-store/kernel_package.h"

#include <string>
#include <string_view>

namespace halyard::store::testing {

// A directory that goes with all it holds.
class TemporaryDirectory {
 public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  const std::string& path() const { return path_; }
  std::string operator/(std::string_view name) const;

 private:
  std::string path_;
};

// Makes the parents too.
void write_file(const std::string& path, std::string_view text);
std::string read_file(const std::string& path);

// A small kernel.json, with `old_text` replaced by `new_text`, which must occur.
std::string kernel_json(std::string_view old_text = "", std::string_view new_text = "");

// The package of kernel_json() with the given source text.
KernelPackage make_package(std::string source_text = "void f() {}\n");

// A passed self-test of `kernel`.
EvidenceRecord make_evidence(const KernelId& kernel);

}  // namespace halyard::store::testing
