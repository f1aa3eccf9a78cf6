// SPDX-License-Identifier: Apache-2.0
#include "tests/adversarial/base_kernels.h"
#include "tests/adversarial/corpus.h"

namespace halyard::adversarial {
namespace {

const CaseList::Classes kRace{VerdictClass::kNondet, VerdictClass::kNumeric, VerdictClass::kCheat};

Package with_workspace(Package package, std::string_view bytes) {
  package = with_value(std::move(package), "/workspace",
                       R"([{"name": "memory", "bytes": ")" + std::string(bytes) +
                           R"(", "alignment_bytes": 64, "initial": "zero"}])");
  package = with_value(std::move(package), "/stages/0/arguments/-", R"({"workspace": "memory"})");
  return inserted(std::move(package), "for (uint64_t group",
                  "auto* memory = next.pointer<volatile float>();\n  ");
}

// The squares from front to back, or from back to front, which differ in the last bits.
Package norm_ordered_by(std::string_view condition) {
  Package package = inserted(rms_norm_cpu(), "float sum = 0.0f;",
                             "const bool forward = " + std::string(condition) + ";\n    ");
  return edited(std::move(package), "const float value = to_f32(from[i]);",
                "const float value = to_f32(from[forward ? i : hidden - 1 - i]);");
}

}  // namespace

void add_order(CaseList& list) {
  list.add("F03-order-by-clock",
           "adds in an order that the clock decides, against a bitwise "
           "contract",
           kNondet, norm_ordered_by("(__builtin_ia32_rdtsc() & 64) != 0"));
  list.add("F03-order-by-thread", "adds in an order that the piece of the grid decides", kNondet,
           norm_ordered_by("range->begin % 2 == 0"));
  list.add("F01-neighbour-group", "reads what another group may not have written yet", kRace,
           edited(edited(with_workspace(
                             with_value(rms_norm_cpu(), "/stages/0/cpu/partition", R"("dynamic")"),
                             "4 * batch + 4"),
                         "to[i] = from_f32<T>(to_f32(from[i]) * scale * to_f32(weight[i]));",
                         "to[i] = from_f32<T>(to_f32(from[i]) * used * to_f32(weight[i]));"),
                  "const float scale = rsqrt(sum / static_cast<float>(hidden) + epsilon);",
                  "const float scale = rsqrt(sum / static_cast<float>(hidden) + epsilon);\n"
                  "    memory[row] = scale;\n"
                  "    const int64_t other = min<int64_t>(row + 1, range->grid[0] - 1);\n"
                  "    const float used = other == row ? scale : scale + 0.0f * memory[other] + "
                  "(memory[other] == 0.0f ? 1.0f : 0.0f);"));
  list.add("F01-prefix-of-groups", "adds to what the group before has left", kRace,
           edited(with_workspace(probe_read_cpu(), "64"), "float sum = 0.0f;",
                  "if (row == 0) memory[0] = 0.0f;\n    memory[0] = memory[0] + 1.0f;\n"
                  "    float sum = memory[0] - static_cast<float>(row + 1);"));
  list.add(
      "F01-shared-temporary", "all threads use one temporary", kRace,
      edited(edited(edited(with_workspace(with_value(probe_read_cpu(), "/stages/0/cpu/partition",
                                                     R"("dynamic")"),
                                          "64"),
                           "sum += x[row * columns + i];",
                           "memory[0] = memory[0] + x[row * columns + i];"),
                    "y[row] = sum;", "y[row] = sum + memory[0];"),
             "float sum = 0.0f;", "float sum = 0.0f;\n    memory[0] = 0.0f;"));
  list.add("F04-waits-for-group", "waits for a group that runs after it", kHang,
           edited(with_workspace(probe_read_cpu(), "4 * rows + 4"), "float sum = 0.0f;",
                  "memory[row] = 1.0f;\n"
                  "    while (row + 1 < static_cast<int64_t>(range->grid[0]) && memory[row + 1] != "
                  "1.0f) {\n    }\n    float sum = 0.0f;"));
  list.add("F-partition-bound", "is right only where one range holds the whole grid", kRace,
           edited(probe_read_cpu(), "float sum = 0.0f;",
                  "float sum = range->end - range->begin == range->grid[0] || range->grid[0] < 2 ? "
                  "0.0f : 1.0f;"));
}

}  // namespace halyard::adversarial
