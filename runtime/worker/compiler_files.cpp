// SPDX-License-Identifier: Apache-2.0
#include "runtime/worker/compiler_files.h"

#include "runtime/base/text.h"
#include "runtime/toolchain/process.h"
#include "runtime/worker/program_files.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>

namespace halyard::worker {
namespace {

namespace fs = std::filesystem;
using base::concat;
using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;
using toolchain::Tool;

// A compilation's own folders are its only place to write, seen from in/package.
constexpr const char* kTemporaryFolder = "TMPDIR=../../out";

Result<std::string> real_path(const std::string& path) {
  std::error_code code;
  const fs::path real = fs::canonical(path, code);
  if (code) {
    return Error(ErrorCode::kNotFound, concat("The program \"", path, "\" is not there."));
  }
  return real.string();
}

void add_path(CompilerFiles& files, const std::string& path) {
  const auto is_there = [&](const VisiblePath& known) { return known.inside == path; };
  if (std::any_of(files.visible.begin(), files.visible.end(), is_there)) return;
  files.visible.push_back({path, path});
}

// `program` under its own path, and what it needs.
Status add_program(CompilerFiles& files, const std::string& program,
                   std::vector<std::string>& library_folders) {
  add_path(files, program);
  HALYARD_TRY_ASSIGN(const std::string real, real_path(program));
  HALYARD_TRY_ASSIGN(const std::vector<VisiblePath> needed, program_files(real));
  for (const VisiblePath& file : needed) {
    const fs::path path = fs::path(file.host).lexically_normal();
    if (path == real) continue;
    add_path(files, path.string());
    const std::string folder = path.parent_path().string();
    if (std::find(library_folders.begin(), library_folders.end(), folder) ==
        library_folders.end()) {
      library_folders.push_back(folder);
    }
  }
  return base::ok();
}

// lld beside the compiler, where it looks first, else where programs are.
std::optional<std::string> find_linker(const fs::path& compiler, const std::string& name) {
  std::error_code code;
  const fs::path beside = compiler.parent_path() / name;
  if (fs::exists(beside, code)) return beside.string();
  return toolchain::find_program(name);
}

// clang links x86 code with `ld`, hip with `lld` and other code for AMD with `ld.lld`.
Status add_linkers(CompilerFiles& files, std::vector<std::string>& library_folders) {
  for (const char* const name : {"ld", "lld", "ld.lld"}) {
    const std::optional<std::string> linker = find_linker(files.program, name);
    if (!linker) {
      return Error(ErrorCode::kNotFound,
                   concat("The linker \"", name, "\" is neither beside ", files.program, " nor in ",
                          base::join(toolchain::kProgramFolders), '.'));
    }
    HALYARD_TRY(add_program(files, *linker, library_folders));
  }
  return base::ok();
}

}  // namespace

Result<CompilerFiles> find_compiler_files(Tool tool, const std::string& program) {
  CompilerFiles files;
  std::vector<std::string> library_folders;
  HALYARD_TRY_ASSIGN(files.program, real_path(program));
  HALYARD_TRY(add_program(files, files.program, library_folders));
  if (tool == Tool::kClang) HALYARD_TRY(add_linkers(files, library_folders));
  files.environment = {
      concat("PATH=", base::join(toolchain::kProgramFolders, ":")),
      "LC_ALL=C",
      kTemporaryFolder,
      // Libraries beside a program are not found by it where /proc is not.
      concat("LD_LIBRARY_PATH=", base::join(library_folders, ":")),
      "SOURCE_DATE_EPOCH=0",
      "LLVM_DISABLE_SYMBOLIZATION=1",
  };
  return files;
}

}  // namespace halyard::worker
