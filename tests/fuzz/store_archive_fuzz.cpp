// SPDX-License-Identifier: Apache-2.0
// An archive that is imported into a store.

#include "kernel-store/exchange/import_entries.h"
#include "kernel-store/open_store.h"
#include "tests/fuzz/fuzz_target.h"

#include <sys/mman.h>
#include <unistd.h>

#include <utility>

namespace base = halyard::base;
namespace fuzz = halyard::fuzz;
namespace store = halyard::store;

namespace {

base::FileDescriptor file_of(const std::uint8_t* data, std::size_t size) {
  base::FileDescriptor file(::memfd_create("archive", MFD_CLOEXEC));
  fuzz::require(file.get() >= 0, "There is no memory for the archive.");
  const ssize_t written = ::write(file.get(), data, size);
  fuzz::require(written == static_cast<ssize_t>(size), "The archive is not written.");
  fuzz::require(::lseek(file.get(), 0, SEEK_SET) == 0, "The archive does not go back.");
  return file;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto source = store::open_archive_entries(file_of(data, size), "fuzz.tar");
  if (!source) return 0;
  const auto opened = store::open_store("memory:");
  fuzz::require(opened.has_value(), "There is no store in memory.");
  store::KernelStore& target = **opened;
  const auto report = store::import_entries(target, **source, "fuzz.tar", {}, 0);
  const auto kernels = target.list_kernels({});
  fuzz::require(kernels.has_value(), "The store does not list its kernels.");
  if (!report) {
    fuzz::require(kernels->empty(), "A refused import leaves kernels.");
    fuzz::require(report.error().message().ends_with('.'), "A refusal is no sentence.");
    return 0;
  }
  fuzz::require(report->added.kernels == kernels->size(), "An import counts other kernels.");
  // Nobody is trusted here.
  fuzz::require(report->added.states == 0 && report->added.approvals == 0 &&
                    report->added.builds == 0 && report->added.evidence == 0,
                "An import takes over what no trusted key backs.");
  for (const store::KernelSummary& kernel : *kernels) {
    const auto states = target.states(kernel.id, {});
    fuzz::require(states.has_value() && states->empty(), "A claim becomes a state.");
  }
  return 0;
}
