// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/evidence.h"
#include "kernel-store/kernel_package.h"
#include "runtime/stewardship/stewarded_store.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <string>

namespace halyard::stewardship {

inline constexpr const char* kTarget = "x86_64-v3";
inline constexpr const char* kDriver = "cpu 7";

// A store in memory over the bundle of the build, and one kernel in it that is not bundled.
class StewardshipTest : public ::testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  const StewardedStore& stewarded() const { return *stewarded_; }
  store::KernelStore& store() const { return stewarded_->store(); }
  std::string kernel_text() const { return store::digest_text(package_->id); }

  // Writes the kernel as a package of another version; its folder.
  std::string write_package(const std::string& version) const;

  // Evidence of the kernel on kTarget and kDriver that passed, changed by the caller.
  store::EvidenceRecord evidence(store::EvidenceKind kind = store::EvidenceKind::kHardware) const;
  store::EvidenceId put(const store::EvidenceRecord& record) const;
  // On kTarget for kDriver, by evidence of hardware.
  void verify() const;

  std::filesystem::path folder_;
  std::optional<StewardedStore> stewarded_;
  std::optional<store::KernelPackage> package_;
};

}  // namespace halyard::stewardship
