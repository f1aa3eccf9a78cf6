// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/exchange/import.h"
#include "kernel-store/kernel_store.h"
#include "kernel-store/trust/signing_key.h"
#include "kernel-store/trust/trust_list.h"
#include "tests/unit/kernel-store/store_fixture.h"

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace halyard::store::testing {

inline constexpr std::int64_t kNow = 1'800'000'000'000;

std::unique_ptr<KernelStore> new_store();

// A key of the trust list that may say everything.
TrustedKey trusted(const SigningKey& key, std::string label);

// A store with the kernel of make_package(), a build of it, hardware evidence and a self-test, and
// a key that has promoted it.
struct FilledStore {
  FilledStore();

  Approval approval(KernelState state) const;
  // Issues one with `key`.
  void issue(const Approval& approval);

  std::unique_ptr<KernelStore> store = new_store();
  SigningKey key;
  KernelPackage package = make_package();
  BuildInputs inputs;
  std::string code =
      "\x7f"
      "ELF machine code";
  EvidenceRecord evidence;
};

// Entries of an archive, by name.
using Entries = std::vector<std::pair<std::string, std::string>>;

// Writes a tar archive of plain files, whatever their names.
void write_archive(const std::string& path, const Entries& entries);
// The entries of an archive that export_store() wrote.
Entries read_archive(const std::string& path);

// One header of a tar archive, with the kind that `type` stands for ('0' a file, '1' a hard link,
// '2' a symbolic link, '3' a device, '5' a folder, '6' a pipe).
std::string tar_header(std::string_view name, std::size_t size, char type = '0',
                       std::string_view link = "");
// A header and bytes, filled up to whole blocks.
std::string tar_entry(std::string_view name, std::string_view bytes, char type = '0',
                      std::string_view link = "");

}  // namespace halyard::store::testing
