// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/kernel_package.h"
#include "runtime/base/result.h"

#include <string>

namespace halyard::fleet {

// A temporary folder, for this user only, with a package as load_kernel_package() reads it. It goes
// with all it holds.
class PackageFolder {
 public:
  // Errors: kIoError.
  static base::Result<PackageFolder> make(const store::KernelPackage& package);
  PackageFolder(PackageFolder&& other) noexcept;
  PackageFolder& operator=(PackageFolder&&) = delete;
  ~PackageFolder();

  const std::string& path() const { return path_; }

 private:
  explicit PackageFolder(std::string path);

  std::string path_;
};

}  // namespace halyard::fleet
