// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/exchange/entry_name.h"
#include "kernel-store/exchange/import.h"
#include "kernel-store/exchange/manifest.h"
#include "kernel-store/kernel_json_reader.h"
#include "kernel-store/trust/public_key.h"
#include "runtime/base/json.h"
#include "runtime/base/text.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <set>
#include <utility>

namespace halyard::store {
namespace {

namespace json = boost::json;
using base::concat;
using base::JsonObject;
using base::Result;
using base::Status;

constexpr std::string_view kFormat = "halyard.export/1";
constexpr base::JsonLimits kLimits = {kMaxManifestBytes, 8};
constexpr std::string_view kNoDigest = "is not a SHA-256 of 64 lower-case hexadecimal digits";

Result<Digest> required_digest(const JsonObject& object, std::string_view key) {
  HALYARD_TRY_ASSIGN(const std::string text, object.required_string(key));
  const std::optional<Digest> digest = digest_from_text(text);
  if (!digest) return object.error(key, kNoDigest);
  return *digest;
}

// Reads a manifest, and keeps which of its objects something names.
class ManifestReader {
 public:
  explicit ManifestReader(const JsonObject& document) : document_(document) {}

  Result<Manifest> read();

 private:
  Status read_objects();
  Result<ManifestKernel> read_kernel(const JsonObject& object);
  Status read_files(const JsonObject& object, ManifestKernel& kernel);
  Result<ManifestBuild> read_build(const JsonObject& object, const KernelId& kernel);
  Status read_approvals(const JsonObject& object, ManifestKernel& kernel);
  // An object that is listed.
  Result<Digest> named_object(const JsonObject& object, std::string_view key);
  Status name_object(const JsonObject& object, std::string_view key, const Digest& digest);

  const JsonObject& document_;
  Manifest manifest_;
  std::set<Digest> named_;
  // Each time that something names an object counts, since each is read.
  std::uint64_t named_bytes_ = 0;
};

Status ManifestReader::name_object(const JsonObject& object, std::string_view key,
                                   const Digest& digest) {
  const auto found = manifest_.objects.find(digest);
  if (found == manifest_.objects.end()) {
    return object.error(key, concat("names ", digest_text(digest), ", which /objects does not"));
  }
  named_.insert(digest);
  named_bytes_ += found->second;
  if (named_bytes_ > kMaxExportBytes) {
    return object.error(
        key, concat("is beyond the ", kMaxExportBytes, " bytes that an export may name in all"));
  }
  return base::ok();
}

Result<Digest> ManifestReader::named_object(const JsonObject& object, std::string_view key) {
  HALYARD_TRY_ASSIGN(const Digest digest, required_digest(object, key));
  HALYARD_TRY(name_object(object, key, digest));
  return digest;
}

Status ManifestReader::read_objects() {
  HALYARD_TRY_ASSIGN(const JsonObject objects, document_.required_object("objects"));
  if (objects.members().size() > kMaxObjects) {
    return document_.error(
        "objects", concat("lists ", objects.members().size(), " objects, more than ", kMaxObjects));
  }
  for (const auto& member : objects.members()) {
    const std::string_view name(member.key().data(), member.key().size());
    const std::optional<Digest> digest = digest_from_text(name);
    if (!digest) return objects.error(shown_name(name), kNoDigest);
    HALYARD_TRY_ASSIGN(
        const std::int64_t size,
        objects.required_integer(name, {0, static_cast<std::int64_t>(kMaxObjectBytes)}));
    manifest_.objects.emplace(*digest, static_cast<std::uint64_t>(size));
  }
  return base::ok();
}

Status ManifestReader::read_files(const JsonObject& object, ManifestKernel& kernel) {
  HALYARD_TRY_ASSIGN(const JsonObject files, object.required_object("files"));
  for (const auto& member : files.members()) {
    const std::string name(member.key().data(), member.key().size());
    if (!is_package_file_name(name)) {
      return files.error(shown_name(name), "is no plain name of a file");
    }
    HALYARD_TRY_ASSIGN(const Digest digest, named_object(files, name));
    kernel.files.emplace(name, digest);
  }
  return base::ok();
}

Result<ManifestBuild> ManifestReader::read_build(const JsonObject& object, const KernelId& kernel) {
  HALYARD_TRY(object.refuse_unknown_keys(
      {"key", "blob", "target", "parameters", "types", "toolchain", "driver", "flags"}));
  ManifestBuild build;
  build.inputs.kernel = kernel;
  HALYARD_TRY_ASSIGN(const Digest key, required_digest(object, "key"));
  HALYARD_TRY_ASSIGN(build.blob, named_object(object, "blob"));
  HALYARD_TRY_ASSIGN(build.inputs.target, object.required_string("target"));
  HALYARD_TRY_ASSIGN(const JsonObject parameters, object.required_object("parameters"));
  HALYARD_TRY_ASSIGN(build.inputs.parameters, reader::integers_of(parameters));
  HALYARD_TRY_ASSIGN(const JsonObject types, object.required_object("types"));
  HALYARD_TRY_ASSIGN(build.inputs.types, reader::type_binding_of(types));
  HALYARD_TRY_ASSIGN(build.inputs.toolchain, object.required_string("toolchain"));
  HALYARD_TRY_ASSIGN(build.inputs.driver, object.required_string("driver"));
  HALYARD_TRY_ASSIGN(build.inputs.flags, object.required_strings("flags"));
  if (compute_build_key(build.inputs) != key) {
    return object.error("key", "is not that of the build's inputs");
  }
  return build;
}

Status ManifestReader::read_approvals(const JsonObject& object, ManifestKernel& kernel) {
  HALYARD_TRY_ASSIGN(const std::vector<JsonObject> approvals, object.required_objects("approvals"));
  for (const JsonObject& entry : approvals) {
    HALYARD_TRY(entry.refuse_unknown_keys({"document", "signature"}));
    SignedApproval approval;
    HALYARD_TRY_ASSIGN(approval.document, entry.required_string("document"));
    HALYARD_TRY_ASSIGN(const std::string signature, entry.required_string("signature"));
    const Result<Signature> bytes = parse_signature(signature);
    if (!bytes) return entry.error("signature", "is not 128 hexadecimal digits");
    approval.signature = *bytes;
    kernel.approvals.push_back(std::move(approval));
  }
  return base::ok();
}

Result<ManifestKernel> ManifestReader::read_kernel(const JsonObject& object) {
  HALYARD_TRY(object.refuse_unknown_keys(
      {"id", "record", "files", "prelude_digest", "builds", "evidence", "approvals", "history"}));
  ManifestKernel kernel;
  HALYARD_TRY_ASSIGN(kernel.id, required_digest(object, "id"));
  HALYARD_TRY_ASSIGN(kernel.record, named_object(object, "record"));
  HALYARD_TRY(read_files(object, kernel));
  if (object.has("prelude_digest")) {
    HALYARD_TRY_ASSIGN(kernel.prelude_digest, required_digest(object, "prelude_digest"));
  }
  HALYARD_TRY_ASSIGN(const std::vector<JsonObject> builds, object.required_objects("builds"));
  for (const JsonObject& entry : builds) {
    HALYARD_TRY_ASSIGN(ManifestBuild build, read_build(entry, kernel.id));
    kernel.builds.push_back(std::move(build));
  }
  HALYARD_TRY_ASSIGN(const std::vector<std::string> evidence, object.required_strings("evidence"));
  for (const std::string& text : evidence) {
    const std::optional<Digest> digest = digest_from_text(text);
    if (!digest) return object.error("evidence", "holds what is no SHA-256");
    HALYARD_TRY(name_object(object, "evidence", *digest));
    kernel.evidence.push_back(*digest);
  }
  HALYARD_TRY(read_approvals(object, kernel));
  if (object.has("history")) {
    HALYARD_TRY_ASSIGN(kernel.history, named_object(object, "history"));
  }
  return kernel;
}

Result<Manifest> ManifestReader::read() {
  HALYARD_TRY(document_.refuse_unknown_keys({"format", "kernels", "objects"}));
  HALYARD_TRY_ASSIGN(const std::string format, document_.required_string("format"));
  if (format != kFormat) {
    return document_.error("format", concat("is \"", format, "\", not \"", kFormat, "\""));
  }
  HALYARD_TRY(read_objects());
  HALYARD_TRY_ASSIGN(const std::vector<JsonObject> kernels, document_.required_objects("kernels"));
  std::set<KernelId> ids;
  for (const JsonObject& entry : kernels) {
    HALYARD_TRY_ASSIGN(ManifestKernel kernel, read_kernel(entry));
    if (!ids.insert(kernel.id).second) {
      return entry.error("id", concat("is that of an earlier kernel, ", digest_text(kernel.id)));
    }
    manifest_.kernels.push_back(std::move(kernel));
  }
  for (const auto& [digest, size] : manifest_.objects) {
    if (!named_.contains(digest)) {
      return document_.error("objects",
                             concat("lists ", digest_text(digest), ", which no kernel names"));
    }
  }
  return std::move(manifest_);
}

}  // namespace

Result<Manifest> parse_manifest(std::string_view json_text, std::string_view source_name) {
  HALYARD_TRY_ASSIGN(const json::value value, base::parse_json(json_text, source_name, kLimits));
  HALYARD_TRY_ASSIGN(const JsonObject document, JsonObject::from(value, source_name));
  return ManifestReader(document).read();
}

}  // namespace halyard::store
