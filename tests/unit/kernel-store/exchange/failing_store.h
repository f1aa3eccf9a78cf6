// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/kernel_store.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace halyard::store::testing {

// A store whose writes fail from the one of number `writes_left` on, as on a disk that is full.
class FailingStore final : public KernelStore, private ApprovalRecords {
 public:
  explicit FailingStore(KernelStore& store) : store_(store) {}

  std::size_t writes_left = 0;
  StoreCondition::Mode mode = StoreCondition::Mode::kReadWrite;

  const std::string& url() const override { return store_.url(); }
  base::Result<StoreCondition> condition() override;
  base::Result<std::uint64_t> generation() override { return store_.generation(); }
  base::Status put_kernel(const KernelPackage& package) override;
  base::Result<std::optional<KernelPackage>> get_kernel(const KernelId& id) override {
    return store_.get_kernel(id);
  }
  base::Result<std::vector<KernelSummary>> list_kernels(std::string_view contract) override {
    return store_.list_kernels(contract);
  }
  base::Result<std::vector<KernelSummary>> find_kernels(std::string_view contract,
                                                        std::string_view target) override {
    return store_.find_kernels(contract, target);
  }
  base::Result<Digest> put_blob(std::span<const std::byte> bytes) override;
  base::Result<std::optional<std::vector<std::byte>>> get_blob(const Digest& digest) override {
    return store_.get_blob(digest);
  }
  base::Status put_build(const BuildInputs& inputs, std::span<const std::byte> bytes) override;
  base::Result<std::optional<BuildRecord>> get_build(const BuildKey& key) override {
    return store_.get_build(key);
  }
  base::Result<std::vector<BuildRecord>> find_builds(const KernelId& kernel) override {
    return store_.find_builds(kernel);
  }
  base::Result<EvidenceId> put_evidence(const EvidenceRecord& record) override;
  base::Result<std::vector<EvidenceRecord>> find_evidence(const EvidenceQuery& query) override {
    return store_.find_evidence(query);
  }
  base::Result<bool> append_state(const StateChange& change) override;
  base::Result<std::vector<StateChange>> states(const KernelId& kernel,
                                                std::string_view target) override {
    return store_.states(kernel, target);
  }
  RequestQueue& requests() override { return store_.requests(); }
  LaunchMarkers& markers() override { return store_.markers(); }
  ApprovalRecords& approvals() override { return *this; }
  StoreUpkeep& upkeep() override { return store_.upkeep(); }

 private:
  base::Status put_approval(const SignedApproval& approval) override;
  base::Result<std::vector<SignedApproval>> find_approvals(const KernelId& kernel) override {
    return store_.approvals().find_approvals(kernel);
  }
  base::Result<std::uint64_t> last_sequence(const PublicKey& origin) override {
    return store_.approvals().last_sequence(origin);
  }
  base::Status take_write();

  KernelStore& store_;
};

}  // namespace halyard::store::testing
