// SPDX-License-Identifier: Apache-2.0
#include "tests/adversarial/base_record.h"

#include "runtime/base/text.h"
#include "tests/adversarial/base_kernels.h"

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <utility>

namespace halyard::adversarial {
namespace {

using base::concat;

struct Form {
  std::string_view language;
  std::string_view source;
  std::string_view target;
  std::string_view entry;
  std::string_view block;
  std::string_view beginning;  // of each source
};

constexpr Form kCpp{"c++", "kernel.cpp", "x86_64-v3", "run", "[1, 1, 1]", ""};
constexpr Form kGlsl{"glsl", "kernel.comp", "spirv-1.5",
                     "main", "[64, 1, 1]",  "#version 450\n#include \"halyard_kernel.glsl\"\n"};
constexpr Form kHip{"hip",
                    "kernel.hip",
                    "amdgcn-gfx1100",
                    "run",
                    "[128, 1, 1]",
                    "#include \"halyard_math.h\"\nusing namespace halyard;\n"
                    "using T = Element<HALYARD_TYPE_T>;\nconstexpr int kLanes = 128;\n"};

Package make(const Form& form, const BaseKernel& kernel, const std::string& types) {
  const std::string text =
      concat(R"({"format": "halyard.kernel/1", "name": "plain_)", kernel.contract,
             R"(", "version": "1.0.0", "contract": ")", kernel.contract, R"(@1", "language": ")",
             form.language, R"(", "source": ")", form.source, R"(", "prelude": ")", form.language,
             R"(/1", "targets": [")", form.target, R"("], "types": [)", types,
             R"(], "stages": [{"name": "main", "cadence": "per-launch", "entry": ")", form.entry,
             R"(", "grid": )", kernel.grid, R"(, "block": )", form.block, kernel.more,
             R"(, "arguments": [)", kernel.arguments,
             R"(]}], "provenance": {"project": "halyard"}, "license": "Apache-2.0"})");
  Package package;
  boost::system::error_code code;
  const boost::json::value record = boost::json::parse(text, code);
  if (code) {
    package.fault = concat("The record of ", kernel.contract, " is no JSON: ", text);
    return package;
  }
  package.record = record.get_object();
  package.files[std::string(form.source)] = concat(form.beginning, kernel.source);
  return package;
}

}  // namespace

std::string type_binding(std::string_view type) {
  return concat("{\"T\": \"", type, "\"}");
}

Package cpu_package(const BaseKernel& kernel, const std::string& types) {
  return make(kCpp, kernel, types);
}

Package glsl_package(const BaseKernel& kernel, const std::string& types) {
  return make(kGlsl, kernel, types);
}

Package hip_package(const BaseKernel& kernel, const std::string& types) {
  return make(kHip, kernel, types);
}

Package with_body(Package package, std::string_view statements) {
  const std::string text =
      is_vulkan(package) ? concat("#version 450\nlayout(local_size_x = 64) in;\nvoid main() {\n",
                                  statements, "\n}\n")
                         : concat(
                               "#include \"halyard_math.h\"\nusing namespace halyard;\n"
                               "HALYARD_ENTRY(run) {\n  (void)arguments;\n  (void)range;\n",
                               statements, "\n}\n");
  return with_source(std::move(package), text);
}

}  // namespace halyard::adversarial
