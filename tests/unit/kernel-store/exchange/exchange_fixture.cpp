// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/kernel-store/exchange/exchange_fixture.h"

#include "kernel-store/exchange/entry_source.h"
#include "kernel-store/open_store.h"
#include "kernel-store/trust/approval_check.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace halyard::store::testing {
namespace {

constexpr std::size_t kBlock = 512;

SigningKey new_key() {
  auto key = SigningKey::create();
  EXPECT_TRUE(key);
  return std::move(*key);
}

}  // namespace

std::unique_ptr<KernelStore> new_store() {
  auto store = open_store("memory:");
  EXPECT_TRUE(store);
  return std::move(*store);
}

TrustedKey trusted(const SigningKey& key, std::string label) {
  TrustedKey entry;
  entry.key = key.public_key();
  entry.label = std::move(label);
  entry.may_say = {KernelState::kVerified, KernelState::kPromoted, KernelState::kQuarantined,
                   KernelState::kRetired};
  return entry;
}

FilledStore::FilledStore() : key(new_key()) {
  inputs.kernel = package.id;
  inputs.parameters = {{"ROWS", 2}};
  inputs.target = "x86_64-v3";
  inputs.types = {{"T", base::DataType::kF32}};
  inputs.toolchain = "clang 19.1.7";
  inputs.flags = {"-O3"};
  evidence = make_evidence(package.id);
  evidence.kind = EvidenceKind::kHardware;
  EXPECT_TRUE(store->put_kernel(package));
  EXPECT_TRUE(store->put_build(inputs, std::as_bytes(std::span(code))));
  EXPECT_TRUE(store->put_evidence(evidence));
  EXPECT_TRUE(store->put_evidence(make_evidence(package.id)));
  StateChange change;
  change.kernel = package.id;
  change.target = inputs.target;
  change.who = "ann@host";
  change.why = "It passed.";
  change.evidence = evidence_id(evidence);
  for (const KernelState state : {KernelState::kVerified, KernelState::kPromoted}) {
    change.state = state;
    const auto appended = store->append_state(change);
    EXPECT_TRUE(appended && *appended);
  }
  issue(approval(KernelState::kPromoted));
}

Approval FilledStore::approval(KernelState state) const {
  Approval approval;
  approval.kernel = package.id;
  approval.target = inputs.target;
  approval.state = state;
  if (state == KernelState::kVerified || state == KernelState::kPromoted) {
    approval.evidence = evidence_id(evidence);
    approval.builds = {base::Sha256::of(code)};
  }
  return approval;
}

void FilledStore::issue(const Approval& approval) {
  const auto issued = issue_approval(store->approvals(), approval, key, kNow - 1000);
  ASSERT_TRUE(issued) << issued.error().message();
}

std::string tar_header(std::string_view name, std::size_t size, char type, std::string_view link) {
  std::string header(kBlock, '\0');
  name.copy(header.data(), 100);
  std::snprintf(header.data() + 100, 8, "%07o", 0644U);
  std::snprintf(header.data() + 108, 8, "%07o", 0U);
  std::snprintf(header.data() + 116, 8, "%07o", 0U);
  std::snprintf(header.data() + 124, 12, "%011zo", size);
  std::snprintf(header.data() + 136, 12, "%011o", 0U);
  header[156] = type;
  link.copy(header.data() + 157, 100);
  std::memcpy(header.data() + 257, "ustar\00000", 8);
  std::fill_n(header.begin() + 148, 8, ' ');
  unsigned sum = 0;
  for (const char byte : header)
    sum += static_cast<unsigned char>(byte);
  std::snprintf(header.data() + 148, 8, "%06o", sum);
  return header;
}

std::string tar_entry(std::string_view name, std::string_view bytes, char type,
                      std::string_view link) {
  std::string entry = tar_header(name, bytes.size(), type, link);
  entry += bytes;
  entry.resize((entry.size() + kBlock - 1) / kBlock * kBlock);
  return entry;
}

void write_archive(const std::string& path, const Entries& entries) {
  std::string bytes;
  for (const auto& [name, contents] : entries)
    bytes += tar_entry(name, contents);
  write_file(path, bytes + std::string(2 * kBlock, '\0'));
}

Entries read_archive(const std::string& path) {
  const auto source = open_entries(path);
  EXPECT_TRUE(source);
  Entries entries;
  while (true) {
    const auto entry = (*source)->next();
    EXPECT_TRUE(entry);
    if (!entry || !*entry) return entries;
    std::string bytes;
    EXPECT_TRUE((*source)->read([&bytes](std::span<const std::byte> piece) {
      bytes.append(reinterpret_cast<const char*>(piece.data()), piece.size());
      return base::ok();
    }));
    entries.emplace_back((*entry)->name, std::move(bytes));
  }
}

}  // namespace halyard::store::testing
