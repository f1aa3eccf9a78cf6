// SPDX-License-Identifier: Apache-2.0
#include "runtime/worker/program_files.h"

#include "runtime/base/file_descriptor.h"
#include "runtime/base/text.h"
#include "runtime/toolchain/process.h"

#include <elf.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <sstream>

namespace halyard::worker {
namespace {

using base::concat;
using base::Error;
using base::ErrorCode;

constexpr std::size_t kMaxLoaderBytes = 4096;

template <typename Value>
bool read_at(int file, std::uint64_t offset, Value& value) {
  return ::pread(file, &value, sizeof value, static_cast<off_t>(offset)) ==
         static_cast<ssize_t>(sizeof value);
}

// The loader that the program names; none for one that is linked statically.
base::Result<std::optional<std::string>> find_loader(const std::string& program) {
  const base::FileDescriptor file(::open(program.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) {
    return Error(ErrorCode::kNotFound, concat("The program \"", program, "\" cannot be opened."));
  }
  const Error not_elf(ErrorCode::kInvalidArgument,
                      concat("\"", program, "\" is no ELF program of 64 bits."));
  Elf64_Ehdr header{};
  if (!read_at(file.get(), 0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_phentsize != sizeof(Elf64_Phdr)) {
    return not_elf;
  }
  for (std::uint64_t i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment{};
    if (!read_at(file.get(), header.e_phoff + i * sizeof segment, segment)) return not_elf;
    if (segment.p_type != PT_INTERP) continue;
    if (segment.p_filesz == 0 || segment.p_filesz > kMaxLoaderBytes) return not_elf;
    std::string loader(segment.p_filesz, '\0');
    if (::pread(file.get(), loader.data(), loader.size(), static_cast<off_t>(segment.p_offset)) !=
        static_cast<ssize_t>(loader.size())) {
      return not_elf;
    }
    loader.resize(std::strlen(loader.c_str()));
    return std::optional(loader);
  }
  return std::optional<std::string>();
}

void add(std::vector<VisiblePath>& files, const std::string& path) {
  const bool is_there = std::any_of(files.begin(), files.end(),
                                    [&](const VisiblePath& file) { return file.host == path; });
  if (!is_there) files.push_back({path, path});
}

}  // namespace

base::Result<std::vector<VisiblePath>> program_files(const std::string& program) {
  HALYARD_TRY_ASSIGN(const std::optional<std::string> loader, find_loader(program));
  std::vector<VisiblePath> files;
  add(files, program);
  if (!loader) return files;
  add(files, *loader);
  auto listing =
      toolchain::run_process({*loader, "--list", program}, "/", toolchain::kShortPatience);
  if (!listing || listing->exit_code != 0) {
    return Error(ErrorCode::kUnavailable,
                 concat("The loader \"", *loader, "\" does not list the libraries of \"", program,
                        "\": ", listing ? listing->output : listing.error().message()));
  }
  // "libm.so.6 => /lib/libm.so.6 (0x7f...)"; the kernel's own object has no path.
  std::istringstream lines(listing->output);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t arrow = line.find(" => ");
    if (arrow == std::string::npos) continue;
    const std::size_t begin = arrow + 4;
    const std::size_t end = line.rfind(" (");
    const std::string path = line.substr(begin, end == std::string::npos ? end : end - begin);
    if (path.empty() || path.front() != '/') {
      return Error(ErrorCode::kNotFound,
                   concat("\"", program, "\" needs a library that is not found: ",
                          line.substr(line.find_first_not_of(" \t"), arrow), "."));
    }
    add(files, path);
  }
  return files;
}

}  // namespace halyard::worker
