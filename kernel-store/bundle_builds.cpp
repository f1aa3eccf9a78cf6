// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/bundle.h"
#include "kernel-store/kernel_json_reader.h"
#include "runtime/base/canonical_json.h"
#include "runtime/base/text.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

namespace halyard::store {
namespace {

namespace json = boost::json;
using base::concat;
using base::JsonObject;
using base::Result;

constexpr std::string_view kFormat = "halyard.builds/1";

Result<Digest> required_digest(const JsonObject& object, std::string_view key) {
  HALYARD_TRY_ASSIGN(const std::string text, object.required_string(key));
  const std::optional<Digest> digest = digest_from_text(text);
  if (!digest) return object.error(key, "is not a SHA-256 of 64 lower-case hexadecimal digits");
  return *digest;
}

Result<KernelBuild> parse_build(const JsonObject& object) {
  HALYARD_TRY(object.refuse_unknown_keys(
      {"target", "types", "parameters", "file", "sha256", "toolchain", "flags"}));
  KernelBuild build;
  HALYARD_TRY_ASSIGN(build.target, object.required_string("target"));
  HALYARD_TRY_ASSIGN(const JsonObject types, object.required_object("types"));
  HALYARD_TRY_ASSIGN(build.types, reader::type_binding_of(types));
  HALYARD_TRY_ASSIGN(const JsonObject parameters, object.required_object("parameters"));
  HALYARD_TRY_ASSIGN(build.parameters, reader::integers_of(parameters));
  HALYARD_TRY_ASSIGN(build.file, object.required_string("file"));
  if (!is_package_file_name(build.file)) {
    return object.error("file", "names a file that is not in the package's own directory");
  }
  HALYARD_TRY_ASSIGN(build.sha256, required_digest(object, "sha256"));
  HALYARD_TRY_ASSIGN(build.toolchain, object.required_string("toolchain"));
  HALYARD_TRY_ASSIGN(build.flags, object.required_strings("flags"));
  return build;
}

json::string text_of(std::string_view text) {
  return json::string(text.data(), text.size());
}

}  // namespace

Result<std::vector<KernelBuild>> parse_builds(std::string_view json_text,
                                              std::string_view source_name, const KernelId& id) {
  HALYARD_TRY_ASSIGN(const json::value value, base::parse_json(json_text, source_name));
  HALYARD_TRY_ASSIGN(const JsonObject object, JsonObject::from(value, source_name));
  HALYARD_TRY(object.refuse_unknown_keys({"format", "kernel", "builds"}));
  HALYARD_TRY_ASSIGN(const std::string format, object.required_string("format"));
  if (format != kFormat) {
    return object.error("format", concat("is \"", format, "\", not \"", kFormat, "\""));
  }
  HALYARD_TRY_ASSIGN(const Digest kernel, required_digest(object, "kernel"));
  if (kernel != id) {
    return object.error(
        "kernel", concat("is ", digest_text(kernel), ", but the package is ", digest_text(id)));
  }
  HALYARD_TRY_ASSIGN(const std::vector<JsonObject> objects, object.required_objects("builds"));
  std::vector<KernelBuild> builds;
  for (const JsonObject& each : objects) {
    HALYARD_TRY_ASSIGN(KernelBuild build, parse_build(each));
    builds.push_back(std::move(build));
  }
  return builds;
}

std::string builds_json(const KernelId& id, std::span<const KernelBuild> builds) {
  json::array list;
  for (const KernelBuild& build : builds) {
    json::object types;
    for (const auto& [name, type] : build.types)
      types[name] = text_of(base::data_type_name(type));
    json::object parameters;
    for (const auto& [name, value] : build.parameters)
      parameters[name] = value;
    json::array flags;
    for (const std::string& flag : build.flags)
      flags.push_back(text_of(flag));
    list.push_back(json::object{{"target", text_of(build.target)},
                                {"types", std::move(types)},
                                {"parameters", std::move(parameters)},
                                {"file", text_of(build.file)},
                                {"sha256", text_of(digest_text(build.sha256))},
                                {"toolchain", text_of(build.toolchain)},
                                {"flags", std::move(flags)}});
  }
  return base::pretty_json(json::object{{"format", text_of(kFormat)},
                                        {"kernel", text_of(digest_text(id))},
                                        {"builds", std::move(list)}});
}

}  // namespace halyard::store
