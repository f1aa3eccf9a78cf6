// SPDX-License-Identifier: Apache-2.0
// Approvals, the trust list, the policy, key files, and what an export says of itself: whatever is
// read is written as it was read.

#include "kernel-store/exchange/entry_name.h"
#include "kernel-store/exchange/history_claims.h"
#include "kernel-store/exchange/manifest.h"
#include "kernel-store/trust/approval_check.h"
#include "kernel-store/trust/key_file.h"
#include "kernel-store/trust/policy.h"
#include "kernel-store/trust/public_key.h"
#include "kernel-store/trust/trust_list.h"
#include "tests/fuzz/fuzz_target.h"

#include <string>
#include <utility>

namespace fuzz = halyard::fuzz;
namespace store = halyard::store;

namespace {

void read_of_trust(std::string_view text) {
  if (const auto approval = store::parse_approval(text, "fuzz")) {
    fuzz::require(store::approval_json(*approval) == text, "An approval has two texts.");
    const store::SignedApproval unsigned_approval{std::string(text), {}};
    fuzz::require(!store::check_signature(unsigned_approval), "Zeros sign an approval.");
  }
  if (const auto list = store::TrustList::parse(text, "fuzz")) {
    const std::string written = list->to_json();
    const auto again = store::TrustList::parse(written, "fuzz");
    fuzz::require(again && again->to_json() == written, "A trust list changes.");
  }
  if (const auto policy = store::parse_policy(text, "fuzz")) {
    const auto again = store::parse_policy(store::policy_json(*policy), "fuzz");
    fuzz::require(again && *again == *policy, "A policy changes.");
  }
  if (const auto key = store::parse_public_key(text)) {
    fuzz::require(store::public_key_text(*key) == text, "A key has two texts.");
  }
  // Whether a file opens is not asked where Argon2id would work for it.
  const auto file = store::KeyFile::parse(store::Secret::copy_of(text), "fuzz");
  if (file && !file->is_sealed()) {
    fuzz::require(file->open_seed({}).has_value(), "A key file that is not sealed does not open.");
  }
}

void read_of_exports(std::string_view text) {
  if (const auto manifest = store::parse_manifest(text, "fuzz")) {
    const std::string written = store::manifest_json(*manifest);
    const auto again = store::parse_manifest(written, "fuzz");
    fuzz::require(again && store::manifest_json(*again) == written, "A manifest changes.");
  }
  if (const auto signature = store::parse_manifest_signature(text, "fuzz")) {
    const auto again =
        store::parse_manifest_signature(store::manifest_signature_json(*signature), "fuzz");
    fuzz::require(again && again->signature == signature->signature, "A signature changes.");
  }
  if (const auto history = store::parse_history(text, "fuzz", {})) {
    const std::string written = store::history_json(*history);
    const auto again = store::parse_history(written, "fuzz", {});
    fuzz::require(again && store::history_json(*again) == written, "A history changes.");
  }
  if (store::entry_name_fault(text).empty()) {
    fuzz::require(text.find("..") == std::string_view::npos && !text.starts_with('/'),
                  "A name leads out of an export.");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  read_of_trust(text);
  read_of_exports(text);
  return 0;
}
