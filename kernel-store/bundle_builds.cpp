// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/bundle.h"
#include "kernel-store/kernel_json_reader.h"
#include "runtime/base/canonical_json.h"
#include "runtime/base/text.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <type_traits>
#include <utility>

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

// The members of EntryResources by their names in builds.json.
template <typename Resources, typename Visit>
void visit_numbers(Resources& resources, Visit visit) {
  visit("vector_registers", resources.vector_registers);
  visit("accumulation_registers", resources.accumulation_registers);
  visit("scalar_registers", resources.scalar_registers);
  visit("shared_bytes", resources.shared_bytes);
  visit("scratch_bytes", resources.scratch_bytes);
  visit("vector_spills", resources.vector_spills);
  visit("scalar_spills", resources.scalar_spills);
}

constexpr std::int64_t kMostOfResource = 0xffffffff;

Result<EntryResources> parse_resources(const JsonObject& object) {
  EntryResources resources;
  HALYARD_TRY_ASSIGN(resources.entry, object.required_string("entry"));
  std::optional<base::Error> error;
  visit_numbers(resources, [&](std::string_view key, auto& number) {
    const Result<std::int64_t> value = object.required_integer(key, {0, kMostOfResource});
    if (value) {
      number = static_cast<std::remove_reference_t<decltype(number)>>(*value);
    } else if (!error) {
      error = value.error();
    }
  });
  if (error) return *error;
  return resources;
}

Result<KernelBuild> parse_build(const JsonObject& object) {
  HALYARD_TRY(object.refuse_unknown_keys(
      {"target", "types", "parameters", "file", "sha256", "toolchain", "flags", "resources"}));
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
  HALYARD_TRY_ASSIGN(const std::vector<JsonObject> entries, object.optional_objects("resources"));
  for (const JsonObject& entry : entries) {
    HALYARD_TRY_ASSIGN(EntryResources resources, parse_resources(entry));
    build.resources.push_back(std::move(resources));
  }
  return build;
}

json::string text_of(std::string_view text) {
  return json::string(text.data(), text.size());
}

}  // namespace

json::array resources_json(std::span<const EntryResources> resources) {
  json::array list;
  for (const EntryResources& each : resources) {
    json::object object{{"entry", text_of(each.entry)}};
    visit_numbers(each, [&](std::string_view key, const auto& number) { object[key] = number; });
    list.push_back(std::move(object));
  }
  return list;
}

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
    json::object build_object{{"target", text_of(build.target)},
                              {"types", std::move(types)},
                              {"parameters", std::move(parameters)},
                              {"file", text_of(build.file)},
                              {"sha256", text_of(digest_text(build.sha256))},
                              {"toolchain", text_of(build.toolchain)},
                              {"flags", std::move(flags)}};
    if (!build.resources.empty()) build_object["resources"] = resources_json(build.resources);
    list.push_back(std::move(build_object));
  }
  return base::pretty_json(json::object{{"format", text_of(kFormat)},
                                        {"kernel", text_of(digest_text(id))},
                                        {"builds", std::move(list)}});
}

}  // namespace halyard::store
