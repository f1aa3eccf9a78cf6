// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/store_rows.h"

#include "kernel-store/kernel_json_reader.h"
#include "runtime/base/canonical_json.h"
#include "runtime/base/json.h"
#include "runtime/base/text.h"

#include <boost/json/array.hpp>
#include <chrono>

namespace halyard::store {
namespace {

using base::concat;
using base::JsonObject;
using base::Result;

std::string mismatch(std::string_view what, const Digest& id, const Digest& got) {
  return concat("The store's ", what, ' ', digest_text(id), " has SHA-256 ", digest_text(got), ".");
}

std::string misfiled(std::string_view what, const Digest& id, std::string_view column) {
  return concat("The store's ", what, ' ', digest_text(id), " is filed under another ", column,
                " than its own.");
}

Result<TypeBinding> parse_types(std::string_view text) {
  HALYARD_TRY_ASSIGN(const boost::json::value value, base::parse_json(text, "types"));
  HALYARD_TRY_ASSIGN(const JsonObject object, JsonObject::from(value, "types"));
  return reader::type_binding_of(object);
}

Result<ParameterValues> parse_parameters(std::string_view text) {
  HALYARD_TRY_ASSIGN(const boost::json::value value, base::parse_json(text, "parameters"));
  HALYARD_TRY_ASSIGN(const JsonObject object, JsonObject::from(value, "parameters"));
  return reader::integers_of(object);
}

Result<BuildInputs> build_inputs_of(const BuildColumns& columns) {
  BuildInputs inputs;
  inputs.kernel = columns.kernel;
  inputs.target = columns.target;
  HALYARD_TRY_ASSIGN(inputs.types, parse_types(columns.types));
  HALYARD_TRY_ASSIGN(inputs.parameters, parse_parameters(columns.parameters));
  inputs.toolchain = columns.toolchain;
  inputs.driver = columns.driver;
  HALYARD_TRY_ASSIGN(inputs.flags, parse_string_list(columns.flags));
  return inputs;
}

}  // namespace

std::int64_t unix_time_ms() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

std::string string_list_json(const std::vector<std::string>& list) {
  boost::json::array array;
  for (const std::string& each : list)
    array.push_back(boost::json::string(each));
  return base::canonical_json(array);
}

Result<std::vector<std::string>> parse_string_list(std::string_view json_text) {
  HALYARD_TRY_ASSIGN(const boost::json::value value,
                     base::parse_json(concat("{\"list\":", json_text, "}"), "list"));
  HALYARD_TRY_ASSIGN(const JsonObject object, JsonObject::from(value, "list"));
  return object.required_strings("list");
}

StoredRecord<std::vector<std::byte>> check_blob(BlobColumns columns) {
  using Found = StoredRecord<std::vector<std::byte>>;
  const Digest got = base::Sha256::of(columns.bytes);
  if (got != columns.digest) return Found::damaged(mismatch("blob", columns.digest, got));
  return Found::sound(std::move(columns.bytes));
}

StoredRecord<KernelPackage> check_kernel(KernelColumns columns) {
  using Found = StoredRecord<KernelPackage>;
  Result<KernelRecord> record =
      parse_kernel_record(columns.record, concat("The store's kernel ", digest_text(columns.id)));
  if (!record) return Found::damaged(record.error().message());
  Result<KernelPackage> package =
      make_kernel_package(std::move(*record), std::move(columns.files), columns.prelude_digest);
  if (!package) {
    return Found::damaged(concat("The store's kernel ", digest_text(columns.id),
                                 " is not whole: ", package.error().message()));
  }
  if (package->id != columns.id) {
    return Found::damaged(mismatch("kernel", columns.id, package->id));
  }
  const KernelRecord& found = package->record;
  if (found.contract != columns.contract || found.name != columns.name ||
      found.version != columns.version) {
    return Found::damaged(misfiled("kernel", columns.id, "name"));
  }
  return Found::sound(std::move(*package));
}

StoredRecord<BuildRecord> check_build(const BuildColumns& columns) {
  using Found = StoredRecord<BuildRecord>;
  Result<BuildInputs> inputs = build_inputs_of(columns);
  if (!inputs) return Found::damaged(inputs.error().message());
  const BuildKey got = compute_build_key(*inputs);
  if (got != columns.key) return Found::damaged(mismatch("build", columns.key, got));
  return Found::sound({std::move(*inputs), columns.blob});
}

StoredRecord<EvidenceRecord> check_evidence(const EvidenceColumns& columns) {
  using Found = StoredRecord<EvidenceRecord>;
  const EvidenceId got = base::Sha256::of(columns.record);
  if (got != columns.id) return Found::damaged(mismatch("evidence", columns.id, got));
  Result<EvidenceRecord> record =
      parse_evidence(columns.record, concat("The store's evidence ", digest_text(columns.id)));
  if (!record) return Found::damaged(record.error().message());
  const bool fits = record->kernel == columns.kernel && record->target == columns.target &&
                    record->device == columns.device && record->driver == columns.driver &&
                    type_binding_json(record->types) == columns.types &&
                    evidence_kind_name(record->kind) == columns.kind;
  if (!fits) return Found::damaged(misfiled("evidence", columns.id, "use"));
  return Found::sound(std::move(*record));
}

StoredRecord<SignedApproval> check_approval_row(ApprovalColumns columns) {
  using Found = StoredRecord<SignedApproval>;
  const ApprovalId got = base::Sha256::of(columns.approval.document);
  if (got != columns.id) return Found::damaged(mismatch("approval", columns.id, got));
  const Result<Approval> approval = parse_approval(
      columns.approval.document, concat("The store's approval ", digest_text(columns.id)));
  if (!approval) return Found::damaged(approval.error().message());
  const bool fits = approval->kernel == columns.kernel && approval->target == columns.target &&
                    approval->origin == columns.origin &&
                    approval->sequence == static_cast<std::uint64_t>(columns.sequence);
  if (!fits) return Found::damaged(misfiled("approval", columns.id, "kernel or sequence"));
  return Found::sound(std::move(columns.approval));
}

}  // namespace halyard::store
