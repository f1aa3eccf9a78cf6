// SPDX-License-Identifier: Apache-2.0
// kernel.json, and a package that it describes.

#include "kernel-store/kernel_record.h"
#include "runtime/operators/contract_catalog.h"
#include "runtime/verification/conformance/launch_record.h"
#include "runtime/verification/conformance/package_check.h"
#include "tests/fuzz/fuzz_target.h"

namespace fuzz = halyard::fuzz;
namespace operators = halyard::operators;
namespace store = halyard::store;
namespace verification = halyard::verification;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const operators::ContractCatalog catalog(HALYARD_KERNEL_STORE);
  const auto record = store::parse_kernel_record(fuzz::text_of(data, size), "fuzz");
  if (!record) return 0;
  static_cast<void>(verification::code_stages(*record, {}, nullptr));
  auto contract = catalog.find(record->contract);
  if (!contract) contract = catalog.find("cast");
  fuzz::require(contract.has_value(), "There is no contract \"cast\" in " HALYARD_KERNEL_STORE ".");
  store::PackageFiles files;
  for (const std::string& name : record->file_names())
    files[name] = "// <<<";
  static_cast<void>(verification::check_package({&*record, &files, *contract, nullptr}));
  return 0;
}
