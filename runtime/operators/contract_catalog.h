// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/operators/contract.h"

#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::operators {

// The contracts of a data directory, read when first asked for and kept. Any number of threads may
// use one at once.
class ContractCatalog {
 public:
  // Reads nothing: contracts are the files contracts/<name>.json of `data_directory`.
  explicit ContractCatalog(std::string data_directory);

  // Errors: NOT_FOUND with the nearest name; INVALID_ARGUMENT for a name not of the form
  // [a-z0-9_]+; CORRUPT_DATA; IO_ERROR.
  base::Result<base::Ref<const Contract>> find(std::string_view name) const;

  // Sorted. Errors: IO_ERROR when the directory cannot be read.
  base::Result<std::vector<std::string>> names() const;

 private:
  base::Result<base::Ref<const Contract>> load(const std::string& name) const;
  base::Error unknown(std::string_view name) const;

  std::string directory_;
  mutable std::mutex mutex_;  // Guards contracts_.
  mutable std::map<std::string, base::Ref<const Contract>, std::less<>> contracts_;
};

}  // namespace halyard::operators
