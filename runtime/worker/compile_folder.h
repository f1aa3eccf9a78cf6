// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/kernel_package.h"
#include "runtime/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::worker {

// A fresh folder of one compilation, which goes with all it holds: in/package and in/prelude with
// copies of what is compiled, and out. Both stand under a name that nobody else can list, so that a
// compiler that runs as another user reaches them, and other users do not. Moved only.
class CompileFolder {
 public:
  // Errors: IO_ERROR.
  static base::Result<CompileFolder> create();

  CompileFolder(CompileFolder&& other) noexcept;
  CompileFolder& operator=(CompileFolder&& other) noexcept;
  ~CompileFolder();

  // `below` is "package", or "prelude/c++/1". The copies are all as old as one another, so that
  // their age says nothing. Errors: INVALID_ARGUMENT for a name that is no plain file name.
  base::Status write_inputs(std::string_view below, const store::PackageFiles& files);

  // What was written to out/`name`: a regular file of at most `max_bytes`. As
  // store::read_plain_file.
  base::Result<std::vector<std::byte>> read_output(std::string_view name, std::size_t max_bytes);
  // Whether out/ holds a file of at least `bytes`.
  bool has_output_of(std::uint64_t bytes) const;

  std::string root() const;
  std::string input() const;
  std::string output() const;

 private:
  CompileFolder(std::string top, std::string secret);

  std::string top_;     // made by mkdtemp, empty once moved from
  std::string secret_;  // the one name in it
};

}  // namespace halyard::worker
