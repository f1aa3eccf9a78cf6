// SPDX-License-Identifier: Apache-2.0
#include "tests/adversarial/base_kernels.h"
#include "tests/adversarial/corpus.h"

namespace halyard::adversarial {
namespace {

const CaseList::Classes kNotServed{VerdictClass::kStatic, VerdictClass::kQuarantine};
// What a launch record says is found when it is read, or when a launch refuses it.
const CaseList::Classes kRefused{VerdictClass::kStatic, VerdictClass::kNumeric};

void add_words(CaseList& list) {
  list.add("C-record-unknown-key", "has a key that there is not", kStatic,
           with_value(gemm_cpu(), "/speedup", "3"));
  list.add("C-record-unknown-stage-key", "has an unknown key in its stage", kStatic,
           with_value(gemm_cpu(), "/stages/0/stream", "0"));
  list.add("C-record-no-json", "is no JSON", kStatic,
           with_raw_record(gemm_cpu(), "\"stages\":", ""));
  list.add("C-record-duplicate-key", "says its contract twice", kStatic,
           with_raw_record(gemm_cpu(), "\"contract\":\"gemm@1\"",
                           "\"contract\":\"cast@1\",\"contract\":\"gemm@1\""));
  list.add("C-record-deep", "nests its JSON a thousand deep", kStatic,
           with_raw_record(gemm_cpu(), "\"Apache-2.0\"",
                           std::string(1000, '[') + std::string(1000, ']')));
  list.add(
      "C-record-large", "has a record of 2 MiB", kStatic,
      with_value(gemm_cpu(), "/license", "\"" + std::string(std::size_t{2} << 20, 'a') + "\""));
  list.add("C-record-wrong-format", "has another format", kStatic,
           with_value(gemm_cpu(), "/format", R"("halyard.kernel/9")"));
  list.add("C-record-unknown-contract", "serves a contract that there is not", kStatic,
           with_value(gemm_cpu(), "/contract", R"("gemn@1")"));
  list.add("C-record-contract-version", "serves another version of the contract", kStatic,
           with_value(gemm_cpu(), "/contract", R"("gemm@7")"));
  list.add("C-record-other-contract", "computes one contract and claims another", kStatic,
           with_value(gemm_cpu(), "/contract", R"("rms_norm@1")"));
  list.add("C-record-unknown-tensor", "passes a tensor that the contract does not have", kStatic,
           with_value(gemm_cpu(), "/stages/0/arguments/3", R"({"tensor": "D"})"));
  list.add("C-record-unknown-axis", "passes an axis that the contract does not have", kStatic,
           with_value(gemm_cpu(), "/stages/0/arguments/5", R"({"axis": "L", "type": "i64"})"));
  list.add(
      "C-record-unknown-attribute", "passes an attribute that the contract does not have", kStatic,
      with_value(gemm_cpu(), "/stages/0/arguments/4", R"({"attribute": "alpha", "type": "i64"})"));
  list.add("C-record-unknown-type", "serves types that the contract does not take", kStatic,
           with_value(gemm_cpu(), "/types", R"([{"T": "i8"}])"));
  list.add("C-record-unbound-type", "leaves the type open", kStatic,
           with_value(gemm_cpu(), "/types", "[{}]"));
  list.add("C-record-stride-dimension", "passes the stride of a dimension that there is not",
           kStatic,
           with_value(gemm_cpu(), "/stages/0/arguments/7",
                      R"({"stride": "A", "dimension": 5, "type": "i64"})"));
  list.add("C-record-no-output", "passes its output to no stage", kRefused,
           with_value(gemm_cpu(), "/stages/0/arguments/3", R"({"tensor": "A"})"));
  list.add("C-record-no-stage", "has no stage", kStatic, with_value(gemm_cpu(), "/stages", "[]"));
  list.add("C-record-other-cadence", "writes its output when it is prepared",
           {VerdictClass::kStatic, VerdictClass::kNumeric, VerdictClass::kCheat},
           with_value(gemm_cpu(), "/stages/0/cadence", R"("per-axes")"));
  list.add("C-record-vulkan-places", "has bindings and is for a CPU", kStatic,
           with_value(gemm_cpu(), "/stages/0/arguments/0", R"({"tensor": "A", "binding": 0})"));
}

void add_launches(CaseList& list) {
  list.add("E07-negative-grid", "has a grid below 0", kRefused,
           with_value(gemm_cpu(), "/stages/0/grid", R"(["M - 1000000", 1, 1])"));
  list.add("E07-empty-grid", "has no groups", kRefused,
           with_value(gemm_cpu(), "/stages/0/grid", R"([0, 1, 1])"));
  list.add("E07-one-group-short", "has one group too few", kNumeric,
           with_value(gemm_cpu(), "/stages/0/grid", R"json(["max(M - 1, 1)", 1, 1])json"));
  list.add("E07-one-group-long", "has one group too many", kBounds,
           with_value(gemm_cpu(), "/stages/0/grid", R"(["M + 1", 1, 1])"));
  list.add(
      "E07-huge-grid", "has 2^60 groups",
      {VerdictClass::kStatic, VerdictClass::kNumeric, VerdictClass::kBounds, VerdictClass::kHang},
      with_value(gemm_cpu(), "/stages/0/grid", R"([1152921504606846976, 1, 1])"));
  list.add(
      "E07-overflowing-grid", "has a grid that overflows", kRefused,
      with_value(gemm_cpu(), "/stages/0/grid", R"(["(M + 1) * 4611686018427387904 * 4", 1, 1])"));
  list.add("E07-divides-by-zero", "has a grid that divides by 0", kRefused,
           with_value(gemm_cpu(), "/stages/0/grid", R"json(["M / (N - N)", 1, 1])json"));
  list.add("E07-grid-of-unknown", "has a grid of a name that there is not", kStatic,
           with_value(gemm_cpu(), "/stages/0/grid", R"(["rows", 1, 1])"));
  list.add("E07-grid-syntax", "has a grid that is no expression", kStatic,
           with_value(gemm_cpu(), "/stages/0/grid", R"(["M +* 2", 1, 1])"));
  list.add("E07-deep-expression", "has a grid of ten thousand brackets", kStatic,
           with_value(gemm_cpu(), "/stages/0/grid",
                      "[\"" + std::string(2000, '(') + "M" + std::string(2000, ')') + "\", 1, 1]"));
  list.add("E05-huge-scratch", "asks for a terabyte of scratch", kRefused,
           with_value(gemm_cpu(), "/stages/0/cpu/scratch_bytes", "1099511627776"));
  list.add("E05-negative-scratch", "asks for less than no scratch", kRefused,
           with_value(gemm_cpu(), "/stages/0/cpu/scratch_bytes", R"("0 - 64")"));
  list.add("E05-huge-workspace", "asks for a terabyte of workspace", kRefused,
           with_value(with_value(gemm_cpu(), "/workspace",
                                 R"([{"name": "memory", "bytes": 1099511627776,
                                     "alignment_bytes": 64, "initial": "undefined"}])"),
                      "/stages/0/arguments/-", R"({"workspace": "memory"})"));
  list.add("E05-overflowing-workspace", "asks for a workspace that overflows", kRefused,
           with_value(with_value(gemm_cpu(), "/workspace",
                                 R"([{"name": "memory", "bytes": "(N + 1) * 9223372036854775807",
                                     "alignment_bytes": 64, "initial": "undefined"}])"),
                      "/stages/0/arguments/-", R"({"workspace": "memory"})"));
  list.add("E05-workspace-alignment", "asks for a workspace aligned to 3 bytes", kStatic,
           with_value(gemm_cpu(), "/workspace",
                      R"([{"name": "memory", "bytes": 64, "alignment_bytes": 3,
                          "initial": "undefined"}])"));
}

void add_service(CaseList& list) {
  list.add("H01-unknown-target", "is for a target that there is not", kStatic,
           with_value(gemm_cpu(), "/targets", R"(["x86_64-v9"])"));
  list.add("H01-other-device", "is for another device's target", kStatic,
           with_value(with_value(gemm_cpu(), "/targets", R"(["amdgcn-gfx942"])"), "/language",
                      R"("object")"));
  list.add("H01-missing-capability", "requires what the device does not have", kNotServed,
           with_value(gemm_cpu(), "/requires",
                      R"([{"capability": "cpu.amx_bf16", "equals": 1},
                          {"capability": "compute.units", "at_least": 100000}])"));
  list.add("H09-serves-nothing", "serves no shape at all", kNotServed,
           with_value(gemm_cpu(), "/where", R"(["N < 0"])"));
  list.add("H09-serves-one-shape", "serves one shape, and that one wrongly", kNumeric,
           with_value(edited(gemm_cpu(), "sum += to_f32(left[i]) * to_f32(right[i]);",
                             "sum += to_f32(left[i]) * to_f32(right[i]) * 1.01f;"),
                      "/where", R"(["N == 64", "K == 64"])"));
  list.add("H09-condition-of-unknown", "has a condition of a name that there is not", kStatic,
           with_value(gemm_cpu(), "/where", R"(["rows > 4"])"));
}

}  // namespace

void add_record_attacks(CaseList& list) {
  add_words(list);
  add_launches(list);
  add_service(list);
}

}  // namespace halyard::adversarial
