// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/text.h"
#include "tests/adversarial/base_kernels.h"
#include "tests/adversarial/corpus.h"

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <utility>

namespace halyard::adversarial {
namespace {

Package module_edited(std::string_view from, std::string_view to) {
  return edited(silu_mul_spirv(), from, to);
}

// Words as a module that needs no compiler.
Package words(std::initializer_list<std::uint32_t> list, std::size_t dropped_bytes = 0) {
  std::string bytes;
  for (const std::uint32_t word : list) {
    char four[4];
    std::memcpy(four, &word, sizeof(four));
    bytes.append(four, sizeof(four));
  }
  bytes.resize(bytes.size() - dropped_bytes);
  Package package = with_value(silu_mul_spirv(), "/language", R"("spirv")");
  package = with_value(std::move(package), "/source", R"("kernel.spv")");
  package.files.clear();
  return with_source(std::move(package), bytes);
}

constexpr std::uint32_t kMagic = 0x07230203;

void add_binaries(CaseList& list) {
  list.add("C-spirv-empty", "is an empty module", kStatic, words({}));
  list.add("C-spirv-header-cut", "ends in its header", kStatic, words({kMagic, 0x00010500, 0}));
  list.add("C-spirv-bytes-cut", "ends within a word", kStatic,
           words({kMagic, 0x00010500, 0, 10, 0, 0x00020011}, 2));
  list.add("C-spirv-instruction-cut", "ends within an instruction", kStatic,
           words({kMagic, 0x00010500, 0, 10, 0, 0x00400011, 1}));
  list.add("C-spirv-zero-length", "has an instruction without length", kStatic,
           words({kMagic, 0x00010500, 0, 10, 0, 0, 0, 0}));
  list.add("C-spirv-wrong-magic", "does not begin as SPIR-V", kStatic,
           words({0x464c457f, 0x00010500, 0, 10, 0}));
  list.add("C-spirv-other-order", "has its bytes in the other order", kStatic,
           words({0x03022307, 0x00050100, 0, 0x0a000000, 0, 0x11000200, 0x01000000}));
  list.add("C-spirv-new-version", "is of a version that there is not", kStatic,
           words({kMagic, 0x00010900, 0, 10, 0, 0x00020011, 1}));
  list.add("C-spirv-many-ids", "says that it has four billion ids", kStatic,
           words({kMagic, 0x00010500, 0, 0xffffffff, 0, 0x00020011, 1}));
  list.add("C-spirv-noise", "is noise", kStatic,
           words({kMagic, 0x00010500, 0, 100, 0, 0x9e3779b9, 0x7f4a7c15, 0x85ebca6b, 0xc2b2ae35,
                  0x27d4eb2f, 0x165667b1}));
}

void add_modules(CaseList& list) {
  list.add("A01-spirv-nothing", "writes nothing", kNumeric, silu_mul_spirv());
  list.add("E-spirv-addresses", "takes addresses of the device's memory", kStatic,
           module_edited("OpCapability Shader\nOpMemoryModel Logical GLSL450",
                         "OpCapability Shader\nOpCapability PhysicalStorageBufferAddresses\n"
                         "OpMemoryModel PhysicalStorageBuffer64 GLSL450"));
  list.add("E-spirv-kernel-capability", "asks for OpenCL's kernels", kStatic,
           module_edited("OpCapability Shader", "OpCapability Shader\nOpCapability Kernel"));
  list.add(
      "E-spirv-device-group", "asks for what a kernel has no use for", kStatic,
      module_edited("OpCapability Shader\n", "OpCapability Shader\nOpCapability DeviceGroup\n"));
  list.add("E-spirv-printf", "prints", kStatic,
           module_edited("OpMemoryModel",
                         "OpExtension \"SPV_KHR_non_semantic_info\"\n"
                         "%print = OpExtInstImport \"NonSemantic.DebugPrintf\"\nOpMemoryModel"));
  list.add("E07-spirv-local-size", "has another block than kernel.json says", kStatic,
           module_edited("LocalSize 64 1 1", "LocalSize 16 4 1"));
  list.add("E07-spirv-no-local-size", "does not say how large its blocks are", kStatic,
           module_edited("OpExecutionMode %main LocalSize 64 1 1\n", ""));
  list.add("C-spirv-no-entry", "has no such entry", kStatic,
           module_edited("GLCompute %main \"main\"", "GLCompute %main \"side\""));
  list.add("C-spirv-fragment", "is for pixels", kStatic,
           module_edited("OpEntryPoint GLCompute %main \"main\"\n"
                         "OpExecutionMode %main LocalSize 64 1 1",
                         "OpEntryPoint Fragment %main \"main\"\n"
                         "OpExecutionMode %main OriginUpperLeft"));
  list.add("C-spirv-undefined-id", "uses an id that there is not", kStatic,
           module_edited("OpReturn\n", "%sum = OpIAdd %void %main %nothing\nOpReturn\n"));
  list.add("C-spirv-no-end", "has a function without an end", kStatic,
           module_edited("OpFunctionEnd\n", ""));
  list.add("C-spirv-recursion", "calls itself", kStatic,
           module_edited("OpReturn\n", "%again = OpFunctionCall %void %main\nOpReturn\n"));
  list.add(
      "E05-spirv-shared", "has a gigabyte of shared memory", kStatic,
      edited(edited(silu_mul_spirv(), "GLCompute %main \"main\"", "GLCompute %main \"main\" %room"),
             "%main = OpFunction",
             "%uint = OpTypeInt 32 0\n%size = OpConstant %uint 268435456\n"
             "%many = OpTypeArray %uint %size\n%place = OpTypePointer Workgroup %many\n"
             "%room = OpVariable %place Workgroup\n%main = OpFunction"));
  list.add(
      "E05-spirv-overflowing-shared", "has shared memory whose size overflows", kStatic,
      edited(edited(silu_mul_spirv(), "GLCompute %main \"main\"", "GLCompute %main \"main\" %room"),
             "%main = OpFunction",
             "%uint = OpTypeInt 32 0\n%size = OpConstant %uint 2147483648\n"
             "%many = OpTypeArray %uint %size\n%more = OpTypeArray %many %size\n"
             "%place = OpTypePointer Workgroup %more\n"
             "%room = OpVariable %place Workgroup\n%main = OpFunction"));
  list.add("E15-spirv-loop", "does not end, to no effect, which a driver may leave out",
           {VerdictClass::kHang, VerdictClass::kNumeric},
           module_edited("OpReturn\n",
                         "OpBranch %head\n%head = OpLabel\nOpLoopMerge %end %next None\n"
                         "OpBranch %next\n%next = OpLabel\nOpBranch %head\n%end = OpLabel\n"
                         "OpReturn\n"));
  list.add("C07-spirv-no-assembly", "is no assembly", kStatic,
           with_source(silu_mul_spirv(), "OpSecret %a %b\n"));
  list.add("C08-spirv-target", "is for a version that there is not", kStatic,
           with_value(silu_mul_spirv(), "/targets", R"(["spirv-9.9"])"));
}

}  // namespace

void add_spirv(CaseList& list) {
  add_binaries(list);
  add_modules(list);
}

}  // namespace halyard::adversarial
