// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/text.h"
#include "tests/adversarial/base_kernels.h"

#include <algorithm>
#include <boost/json/parse.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace halyard::adversarial {
namespace {

namespace fs = std::filesystem;

std::string read_text(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::vector<fs::path> folders_of(const fs::path& folder) {
  std::vector<fs::path> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.is_directory()) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

Package load(const fs::path& folder) {
  Package package;
  boost::system::error_code code;
  const boost::json::value record = boost::json::parse(read_text(folder / "kernel.json"), code);
  if (code || !record.is_object()) {
    package.fault = base::concat(folder.string(), "/kernel.json is no object.");
    return package;
  }
  package.record = record.get_object();
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name != "kernel.json") package.files[name] = read_text(entry.path());
  }
  return package;
}

}  // namespace

std::vector<Package> bundled_packages() {
  std::vector<Package> packages;
  for (const fs::path& contract : folders_of(HALYARD_BUNDLED_KERNELS)) {
    for (const fs::path& kernel : folders_of(contract))
      packages.push_back(load(kernel));
  }
  return packages;
}

}  // namespace halyard::adversarial
