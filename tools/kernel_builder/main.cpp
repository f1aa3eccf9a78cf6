// SPDX-License-Identifier: Apache-2.0
#include "tools/kernel_builder/kernel_builder.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace {

using halyard::kernel_builder::BuilderOptions;

constexpr std::string_view kUsage =
    "halyard_kernel_builder --source DIR --out DIR [--descriptors DIR] [--clang PROGRAM]\n"
    "  [--glslc PROGRAM] [--processors LIST] [--jobs N]\n"
    "Makes the data directory OUT from the folders kernel-store/ (source) and\n"
    "capability-descriptors/ (descriptors) of the sources. LIST names the processors of AMD that\n"
    "binaries are made for, as gfx942,gfx1100.\n";

std::vector<std::string> parts_of(std::string_view list) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin < list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    if (end > begin) parts.emplace_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::optional<BuilderOptions> parse_options(int argc, char** argv) {
  BuilderOptions options;
  for (int i = 1; i < argc; i += 2) {
    const std::string_view name = argv[i];
    if (i + 1 == argc) return std::nullopt;
    const char* const value = argv[i + 1];
    if (name == "--source") {
      options.source = value;
    } else if (name == "--descriptors") {
      options.descriptors = value;
    } else if (name == "--out") {
      options.out = value;
    } else if (name == "--clang") {
      options.clang = value;
    } else if (name == "--glslc") {
      options.glslc = value;
    } else if (name == "--processors") {
      options.processors = parts_of(value);
    } else if (name == "--jobs") {
      const char* const end = value + std::strlen(value);
      const auto [at, code] = std::from_chars(value, end, options.jobs);
      if (code != std::errc() || at != end || options.jobs == 0) return std::nullopt;
    } else {
      return std::nullopt;
    }
  }
  if (options.source.empty() || options.out.empty()) return std::nullopt;
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  const std::optional<BuilderOptions> options = parse_options(argc, argv);
  if (!options) {
    std::cerr << kUsage;
    return 2;
  }
  return halyard::kernel_builder::build_data_directory(*options, std::cout, std::cerr) ? 0 : 1;
}
