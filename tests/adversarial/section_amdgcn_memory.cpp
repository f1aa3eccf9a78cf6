// SPDX-License-Identifier: Apache-2.0
#include "tests/adversarial/base_kernels.h"
#include "tests/adversarial/corpus.h"

#include <string>

namespace halyard::adversarial {
namespace {

// Reads that are used nowhere, where the compiler cannot leave them out.
constexpr std::string_view kReadElement = "__asm__ volatile(\"\" : : \"v\"(to_f32(";
constexpr std::string_view kFirstStatement = "const uint32_t total = tokens * hidden;";

std::string read_of(std::string_view element) {
  return std::string(kReadElement) + std::string(element) + ")));";
}

void add_outside(CaseList& list) {
  list.add("E01-hip-silu-one-past", "writes one element past the end", kBounds,
           inserted(silu_mul_hip(), kFirstStatement,
                    "if (grid_index<kLanes>() == 0 && tokens != 0)\n"
                    "    y[(tokens - 1) * y_stride + hidden] = from_f32<T>(1.0f);\n  "));
  list.add("E01-hip-norm-one-before", "writes one element before the start", kBounds,
           inserted(rms_norm_hip("gfx1201"), "HALYARD_SHARED float",
                    "if (group_x() == 0 && thread_index() == 0) y[-1] = from_f32<T>(1.0f);\n  "));
  list.add("E01-hip-gemm-whole-tiles", "writes whole tiles of columns",
           {VerdictClass::kBounds, VerdictClass::kNumeric},
           edited(gemm_hip("gfx942"), "if (column >= n) return;", ""));
  list.add("E01-hip-silu-null", "writes to address 0", kBounds,
           inserted(silu_mul_hip(), kFirstStatement,
                    "*reinterpret_cast<volatile uint32_t*>(opaque(0)) = 1;\n  "));
  list.add("E01-hip-silu-terabytes", "writes far away", kBounds,
           inserted(silu_mul_hip("gfx942"), kFirstStatement,
                    "if (tokens != 0) y[int64_t{1} << 40] = from_f32<T>(1.0f);\n  "));
  list.add("E02-hip-norm-one-past", "reads one element past the end, to no effect", kBounds,
           inserted(rms_norm_hip(), "parts[lane] = squares;",
                    read_of("from[hidden + (row + 1 == batch ? 0 : -1)]") + "\n    "));
  list.add("E02-hip-gemm-vector-tail", "reads B in whole vectors, to no effect", kBounds,
           inserted(gemm_hip("gfx1201"), "if (has_bias != 0)",
                    "for (uint32_t i = k; i < (k + 7) / 8 * 8; ++i)\n      " + read_of("right[i]") +
                        "\n    "));
  list.add("E02-hip-embedding-unknown-id", "reads the row of an id that there is not",
           {VerdictClass::kBounds, VerdictClass::kNumeric},
           edited(embedding_hip(), "id >= 0 && static_cast<uint32_t>(id) < vocab",
                  "id >= 0 && vocab != 0"));
  list.add("E01-hip-norm-shared-past", "writes past the end of its shared memory", kBounds,
           inserted(rms_norm_hip(), "parts[lane] = squares;",
                    "parts[kLanes + opaque_in_lanes(lane)] = 0.0f;\n    "));
  list.add("E-hip-norm-constant", "writes to a constant of its code",
           {VerdictClass::kBounds, VerdictClass::kCheat, VerdictClass::kStatic},
           inserted(inserted(rms_norm_hip(), "HALYARD_ENTRY",
                             "__attribute__((constant)) const float kTable[4] = {1, 2, 3, 4};\n"),
                    "HALYARD_SHARED float",
                    "float* table = const_cast<float*>(kTable);\n  "
                    "__asm__ volatile(\"\" : \"+v\"(table));\n  *table = 0.0f;\n  "));
}

void add_unwritten(CaseList& list) {
  const CaseList::Classes unwritten{VerdictClass::kNondet, VerdictClass::kNumeric,
                                    VerdictClass::kCheat};
  list.add("E06-hip-norm-shared-as-zero", "takes its shared memory to be zero", unwritten,
           edited(rms_norm_hip(), "parts[lane] = squares;", "parts[lane] += squares;"));
  list.add("E06-hip-norm-register-as-zero", "takes a register to be zero", unwritten,
           edited(rms_norm_hip("gfx942"), "float squares = 0.0f;",
                  "float squares;\n    __asm__ volatile(\"\" : \"=v\"(squares));"));
  list.add("E06-hip-norm-half-shared", "sums parts that were never written", unwritten,
           edited(rms_norm_hip("gfx1201"), "parts[lane] = squares;",
                  "if (lane < hidden) parts[lane] = squares;"));
  list.add("E06-hip-silu-output-as-zero", "adds to an output that it takes to be zero", unwritten,
           edited(silu_mul_hip(), "from_f32<T>(silu * up)",
                  "from_f32<T>(to_f32(y[row * y_stride + i]) + silu * up)"));
  list.add("E06-hip-silu-scratch-as-zero", "takes a private array to be zero", unwritten,
           edited(silu_mul_hip(), "y[row * y_stride + i] = from_f32<T>(silu * up);",
                  "volatile float held[8];\n    held[i % 7] = silu * up;\n"
                  "    y[row * y_stride + i] = from_f32<T>(held[i % 7] + held[7] * 0.0f);"));
}

void add_instructions(CaseList& list) {
  const CaseList::Classes refused{VerdictClass::kStatic, VerdictClass::kBounds,
                                  VerdictClass::kHang};
  const auto add = [&](std::string id, std::string what, std::string_view assembly,
                       const CaseList::Classes& classes, std::string_view processor = "gfx1100") {
    list.add(std::move(id), std::move(what), classes,
             inserted(silu_mul_hip(processor), kFirstStatement,
                      "__asm__ volatile(\"" + std::string(assembly) + "\");\n  "));
  };
  add("E13-hip-foreign-instruction", "holds an instruction that the processor lacks",
      ".long 0xd3cd0000, 0x04020100", kStatic);
  add("E14-hip-trap", "traps", "s_trap 2", refused);
  add("E14-hip-message", "sends a message", "s_sendmsg sendmsg(1)", refused, "gfx942");
  add("E14-hip-halt", "halts", "s_sethalt 1", refused);
  add("E14-hip-jump-to-data", "jumps to an argument",
      "s_mov_b64 s[20:21], 0x1000\\ns_setpc_b64 s[20:21]", refused);
  add("E14-hip-jump-inside", "jumps into an instruction", ".long 0xbfa00001\\n.long 0xbea003ff",
      {VerdictClass::kStatic, VerdictClass::kBounds, VerdictClass::kHang, VerdictClass::kNumeric,
       VerdictClass::kNondet});
  list.add("E05-hip-shared-limit", "asks for more shared memory than there is", kStatic,
           edited(rms_norm_hip(), "HALYARD_SHARED float parts[kLanes];",
                  "HALYARD_SHARED float parts[16448];"));
  list.add("E09-hip-norm-misaligned", "loads words from odd addresses",
           {VerdictClass::kBounds, VerdictClass::kNumeric},
           edited(rms_norm_hip(), "const T* from = x + row * x_stride;",
                  "const T* from = reinterpret_cast<const T*>(reinterpret_cast<const char*>(x) + "
                  "row * x_stride * 4 + (batch > 1 ? 1 : 0));"));
}

}  // namespace

void add_amdgcn_memory(CaseList& list) {
  add_outside(list);
  add_unwritten(list);
  add_instructions(list);
}

}  // namespace halyard::adversarial
