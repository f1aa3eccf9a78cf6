// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/kernel_package.h"
#include "runtime/base/error.h"
#include "runtime/base/result.h"

#include <boost/json/array.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::store {

// What one entry of a binary for AMD hardware occupies, as its compiler says.
struct EntryResources {
  std::string entry;
  std::uint32_t vector_registers = 0;        // of a lane, without the accumulation registers
  std::uint32_t accumulation_registers = 0;  // of a lane
  std::uint32_t scalar_registers = 0;        // of a wave
  std::uint64_t shared_bytes = 0;            // of a workgroup
  std::uint64_t scratch_bytes = 0;           // of a lane
  std::uint32_t vector_spills = 0;
  std::uint32_t scalar_spills = 0;

  bool operator==(const EntryResources&) const = default;
};

// A binary of a kernel.
struct KernelBuild {
  std::string target;
  TypeBinding types;
  ParameterValues parameters;  // Those compiled in.
  std::string file;            // Within the package; empty for a blob of the store.
  Digest sha256{};
  std::string toolchain;
  std::vector<std::string> flags;
  std::vector<EntryResources> resources;  // Empty where the binary does not say them.
};

// A kernel and its binaries.
struct BuiltKernel {
  KernelPackage package;
  std::string directory;  // Empty for a kernel of the store.
  std::vector<KernelBuild> builds;
};

// The kernels of one contract, by name, and a sentence for each that does not load.
struct BundledContract {
  std::vector<BuiltKernel> kernels;
  std::vector<base::Error> problems;
};

// The kernels that come with the library: a read-only layer below the store. Folders are read at
// the first question about their contract.
//
// Threads: any number at once. What it hands out lives as long as the bundle.
class Bundle {
 public:
  // `data_directory` holds kernels/ and prelude/. Errors: kNotFound when it is no directory.
  static base::Result<Bundle> open(std::string data_directory);
  Bundle(Bundle&&) noexcept;
  Bundle& operator=(Bundle&&) noexcept;
  ~Bundle();

  const std::string& data_directory() const;

  // Names of the contracts that have a folder of kernels, sorted.
  base::Result<std::vector<std::string>> contracts() const;
  // A contract without kernels has an empty list.
  base::Result<const BundledContract*> kernels(std::string_view contract) const;
  // Null when no bundled kernel of any contract has the id.
  base::Result<const BuiltKernel*> find_kernel(const KernelId& id) const;

  // The file's bytes, once they have the digest that the build records.
  // Errors: kCorruptData naming file, expected and got.
  base::Result<std::vector<std::byte>> load_code(const BuiltKernel& kernel,
                                                 const KernelBuild& build) const;

 private:
  struct Cache;
  explicit Bundle(std::unique_ptr<Cache> cache);
  std::unique_ptr<Cache> cache_;
};

// The build for a target, a type binding and parameters, of which only those that are compiled in
// count and absent ones are at their defaults; null when there is none.
const KernelBuild* find_build(const BuiltKernel& kernel, std::string_view target,
                              const TypeBinding& types, const ParameterValues& parameters);

// Parses a builds.json of `package`. Errors: kInvalidArgument; kCorruptData when it belongs to
// another kernel id.
base::Result<std::vector<KernelBuild>> parse_builds(std::string_view json_text,
                                                    std::string_view source_name,
                                                    const KernelId& id);
boost::json::array resources_json(std::span<const EntryResources> resources);
std::string builds_json(const KernelId& id, std::span<const KernelBuild> builds);

}  // namespace halyard::store
