// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/exchange/manifest.h"

#include "kernel-store/trust/public_key.h"
#include "runtime/base/canonical_json.h"
#include "runtime/base/json.h"
#include "runtime/base/text.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <utility>

namespace halyard::store {
namespace {

namespace json = boost::json;
using base::concat;
using base::JsonObject;
using base::Result;

constexpr std::string_view kSignatureFormat = "halyard.export-signature/1";
constexpr base::JsonLimits kSignatureLimits = {4096, 4};

json::string text_of(std::string_view text) {
  return json::string(text.data(), text.size());
}

json::string digest_json(const Digest& digest) {
  return text_of(digest_text(digest));
}

json::object build_to_json(const ManifestBuild& build) {
  const BuildInputs& inputs = build.inputs;
  json::object parameters;
  for (const auto& [name, value] : inputs.parameters)
    parameters[name] = value;
  json::object types;
  for (const auto& [name, type] : inputs.types)
    types[name] = text_of(base::data_type_name(type));
  json::array flags;
  for (const std::string& flag : inputs.flags)
    flags.push_back(text_of(flag));
  json::object object;
  object["key"] = digest_json(compute_build_key(inputs));
  object["blob"] = digest_json(build.blob);
  object["target"] = text_of(inputs.target);
  object["parameters"] = std::move(parameters);
  object["types"] = std::move(types);
  object["toolchain"] = text_of(inputs.toolchain);
  object["driver"] = text_of(inputs.driver);
  object["flags"] = std::move(flags);
  return object;
}

json::object kernel_to_json(const ManifestKernel& kernel) {
  json::object files;
  for (const auto& [name, digest] : kernel.files)
    files[name] = digest_json(digest);
  json::array builds;
  for (const ManifestBuild& build : kernel.builds)
    builds.push_back(build_to_json(build));
  json::array evidence;
  for (const Digest& digest : kernel.evidence)
    evidence.push_back(digest_json(digest));
  json::array approvals;
  for (const SignedApproval& approval : kernel.approvals) {
    approvals.push_back(json::object{{"document", text_of(approval.document)},
                                     {"signature", text_of(signature_text(approval.signature))}});
  }
  json::object object;
  object["id"] = digest_json(kernel.id);
  object["record"] = digest_json(kernel.record);
  object["files"] = std::move(files);
  if (kernel.prelude_digest) object["prelude_digest"] = digest_json(*kernel.prelude_digest);
  object["builds"] = std::move(builds);
  object["evidence"] = std::move(evidence);
  object["approvals"] = std::move(approvals);
  if (kernel.history) object["history"] = digest_json(*kernel.history);
  return object;
}

}  // namespace

std::string manifest_json(const Manifest& manifest) {
  json::array kernels;
  for (const ManifestKernel& kernel : manifest.kernels)
    kernels.push_back(kernel_to_json(kernel));
  json::object objects;
  for (const auto& [digest, size] : manifest.objects)
    objects[digest_text(digest)] = size;
  json::object object;
  object["format"] = "halyard.export/1";
  object["kernels"] = std::move(kernels);
  object["objects"] = std::move(objects);
  return base::canonical_json(object);
}

std::string manifest_signature_json(const ManifestSignature& signature) {
  json::object object;
  object["format"] = text_of(kSignatureFormat);
  object["key"] = text_of(public_key_text(signature.key));
  object["signature"] = text_of(signature_text(signature.signature));
  return base::canonical_json(object);
}

Result<ManifestSignature> parse_manifest_signature(std::string_view json_text,
                                                   std::string_view source_name) {
  HALYARD_TRY_ASSIGN(const json::value value,
                     base::parse_json(json_text, source_name, kSignatureLimits));
  HALYARD_TRY_ASSIGN(const JsonObject object, JsonObject::from(value, source_name));
  HALYARD_TRY(object.refuse_unknown_keys({"format", "key", "signature"}));
  HALYARD_TRY_ASSIGN(const std::string format, object.required_string("format"));
  if (format != kSignatureFormat) {
    return object.error("format", concat("is \"", format, "\", not \"", kSignatureFormat, "\""));
  }
  HALYARD_TRY_ASSIGN(const std::string key_text, object.required_string("key"));
  HALYARD_TRY_ASSIGN(const std::string text, object.required_string("signature"));
  ManifestSignature signature;
  const Result<PublicKey> key = parse_public_key(key_text);
  if (!key) return object.error("key", "is not \"ed25519:\" and 64 hexadecimal digits of a key");
  const Result<Signature> bytes = parse_signature(text);
  if (!bytes) return object.error("signature", "is not 128 hexadecimal digits");
  return ManifestSignature{*key, *bytes};
}

}  // namespace halyard::store
