// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/bundle.h"
#include "kernel-store/kernel_store.h"
#include "kernel-store/trust/signing_key.h"
#include "runtime/selection/candidate.h"
#include "tests/unit/runtime/selection/selection_fixture.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::selection {

// "cpu", and the same CPU as "apart": a device whose kernels run apart from this process.
std::span<const core::NamedBackendFactory> backends_with_apart();

// The driver of both.
std::string cpu_driver();

// A bundled kernel that a test moves into the store of its own, and into states there.
class StoredKernelTest : public SelectionTest {
 protected:
  void SetUp() override;

  // Makes it another kernel.
  void change_record(const std::string& from, const std::string& to);
  // Moves the kernel from the bundle to the store.
  void store_kernel();
  void store_builds();

  // Evidence of a verification on every target that passed.
  std::optional<store::EvidenceId> put_evidence(const std::string& target,
                                                const std::string& driver,
                                                const std::string& toolchain);
  // On every target, for all drivers, with evidence of this driver and toolchain.
  void set_state(store::KernelState state);
  void append(store::StateChange change);
  // For every target; for `builds` alone, if there are any.
  void sign(const store::SigningKey& key, store::KernelState state, std::int64_t expires_ms = 0,
            const std::vector<store::Digest>& builds = {});
  void trust(const store::SigningKey& key, bool local);
  void write_file(const std::string& name, const std::string& text);

  // What is said of the best candidate, which is one of the store.
  Candidate first_candidate(const char* device_id);
  void expect_refused(const char* device_id, const std::string& part);

  store::BuiltKernel kernel_;
  std::vector<std::vector<std::byte>> codes_;
  std::unique_ptr<store::KernelStore> store_;
};

}  // namespace halyard::selection
