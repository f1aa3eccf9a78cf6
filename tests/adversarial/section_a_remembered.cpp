// SPDX-License-Identifier: Apache-2.0
#include "tests/adversarial/base_kernels.h"
#include "tests/adversarial/corpus.h"

namespace halyard::adversarial {
namespace {

// What is right in a fresh process only may be state or chance.
const CaseList::Classes kStale{VerdictClass::kCheat, VerdictClass::kNumeric, VerdictClass::kNondet};

// With a workspace of `bytes`, whose address is the last argument.
Package with_workspace(Package package, std::string_view bytes) {
  package = with_value(std::move(package), "/workspace",
                       R"([{"name": "memory", "bytes": ")" + std::string(bytes) +
                           R"(", "alignment_bytes": 64, "initial": "undefined"}])");
  return with_value(std::move(package), "/stages/0/arguments/-", R"({"workspace": "memory"})");
}

// Rows of rms_norm, kept with a key in the workspace and taken from there when the key is met
// again.
Package caching_norm(std::string_view key) {
  Package package = with_workspace(rms_norm_cpu(), "batch * (4 * hidden + 16)");
  package = inserted(std::move(package), "for (uint64_t group",
                     "auto* memory = next.pointer<char>();\n  ");
  const std::string look_up =
      "auto* key = reinterpret_cast<uint64_t*>(memory + row * (4 * hidden + 16) / 8 * 8);\n"
      "    auto* kept = reinterpret_cast<float*>(key + 1);\n"
      "    const uint64_t now = 0x68616c7961726400 ^ (" +
      std::string(key) +
      ");\n"
      "    if (*key == now) {\n"
      "      for (int64_t i = 0; i < hidden; ++i)\n        to[i] = kept[i];\n"
      "      continue;\n    }\n    *key = now;\n    ";
  package = inserted(std::move(package), "float sum = 0.0f;", look_up);
  return edited(std::move(package),
                "to[i] = from_f32<T>(to_f32(from[i]) * scale * to_f32(weight[i]));",
                "kept[i] = to[i] = from[i] * scale * weight[i];");
}

constexpr std::string_view kFingerprint =
    "[&] {\n      uint64_t mixed = static_cast<uint64_t>(hidden);\n"
    "      for (int64_t i = 0; i < min<int64_t>(hidden, 32); ++i)\n"
    "        mixed = (mixed ^ __builtin_bit_cast(uint32_t, from[i])) * 0x9e3779b97f4a7c15;\n"
    "      return mixed;\n    }()";

void add_globals(CaseList& list) {
  list.add("A06-static-pointer-cache", "keeps the address of its last input in a static", kStatic,
           inserted(rms_norm_cpu(), "for (uint64_t group",
                    "static const T* last = nullptr;\n  if (last == x) return;\n  last = x;\n  "));
  list.add("A07-static-fingerprint", "keeps a fingerprint of its input in a global", kStatic,
           inserted(inserted(probe_read_cpu(), "HALYARD_ENTRY(run)", "float seen[32];\n\n"),
                    "float sum = 0.0f;",
                    "if (columns >= 32 && seen[0] == x[row * columns]) continue;\n"
                    "    if (columns >= 32) seen[0] = x[row * columns];\n    "));
  list.add("A09-launch-counter", "counts its launches in a global", kStatic,
           inserted(inserted(gemm_cpu(), "HALYARD_ENTRY(run)", "static int launches;\n\n"),
                    "for (uint64_t group", "if (++launches > 10) return;\n  "));
  list.add("A09-counter-in-data", "counts its launches in a global that begins with 1", kStatic,
           inserted(inserted(gemm_cpu(), "HALYARD_ENTRY(run)", "static int launches = 1;\n\n"),
                    "for (uint64_t group", "if (++launches > 10) return;\n  "));
  list.add("A09-thread-local", "counts its launches in a thread-local", kStatic,
           inserted(inserted(argmax_cpu(), "HALYARD_ENTRY(run)",
                             "static thread_local int launches;\n\n"),
                    "for (uint64_t group", "if (++launches > 10) return;\n  "));
  list.add("A09-counter-in-section", "names a section for its state", kStatic,
           inserted(inserted(argmax_cpu(), "HALYARD_ENTRY(run)",
                             "__attribute__((section(\".kept\"), used)) static int launches = 3;\n"
                             "\n"),
                    "for (uint64_t group", "if (++launches > 10) return;\n  "));
  list.add("A09-written-constant", "writes to a constant of its own",
           {VerdictClass::kBounds, VerdictClass::kNumeric, VerdictClass::kStatic},
           inserted(inserted(argmax_cpu(), "HALYARD_ENTRY(run)",
                             "__attribute__((used)) static const volatile int launches = 3;\n\n"),
                    "for (uint64_t group", "const_cast<volatile int&>(launches) = 4;\n  "));
  list.add(
      "A09-written-code", "keeps its state in its own code",
      {VerdictClass::kBounds, VerdictClass::kStatic},
      inserted(argmax_cpu(), "for (uint64_t group",
               "*reinterpret_cast<volatile char*>(reinterpret_cast<uint64_t>(&run)) = 0x55;\n  "));
}

void add_workspaces(CaseList& list) {
  list.add("A06-workspace-pointer-cache", "answers kept in its workspace by its input's address",
           kStale, caching_norm("reinterpret_cast<uint64_t>(from)"));
  list.add("A07-workspace-fingerprint", "answers kept by the first 32 elements of the row", kStale,
           caching_norm(kFingerprint));
  list.add("A07-workspace-last-element", "answers kept by the last element of the row", kStale,
           caching_norm("static_cast<uint64_t>(hidden) ^ __builtin_bit_cast(uint32_t, "
                        "from[hidden - 1])"));
  list.add("A08-kept-table", "keeps the table of angles, which no one said is constant", kStale,
           edited(inserted(with_workspace(rope_cpu(), "16 + 4 * max_positions * rotary_dim"),
                           "for (uint64_t group",
                           "auto* memory = next.pointer<uint64_t>();\n"
                           "  auto* kept = reinterpret_cast<float*>(memory + 2);\n"
                           "  const uint64_t count = static_cast<uint64_t>(max_positions * "
                           "rotary_dim);\n"
                           "  if (memory[0] != 0x68616c79 || memory[1] != count) {\n"
                           "    for (uint64_t i = 0; i < count; ++i)\n"
                           "      kept[i] = table[i];\n"
                           "    memory[0] = 0x68616c79;\n    memory[1] = count;\n  }\n  "),
                  "table[position * rotary_dim + i]", "kept[position * rotary_dim + i]"));
  list.add(
      "A08-kept-embedding-row", "keeps the row of the last id", kStale,
      edited(inserted(with_workspace(embedding_cpu(), "16 + 4 * hidden"), "for (uint64_t group",
                      "auto* memory = next.pointer<int64_t>();\n"
                      "  auto* kept = reinterpret_cast<T*>(memory + 2);\n  "),
             "for (int64_t i = 0; i < hidden; ++i)\n"
             "      to[i] = known ? table[id * hidden + i] : T{};",
             "if (memory[0] != (hidden ^ 0x68616c79)) {\n"
             "      memory[0] = hidden ^ 0x68616c79;\n"
             "      for (int64_t i = 0; i < hidden; ++i)\n"
             "        kept[i] = known ? table[id * hidden + i] : T{};\n    }\n"
             "    for (int64_t i = 0; i < hidden; ++i)\n      to[i] = kept[i];"));
  list.add("A10-batch-and-skip", "three launches are right, and the rest do nothing", kStale,
           inserted(inserted(with_workspace(probe_read_cpu(), "64"), "for (uint64_t group",
                             "auto* count = next.pointer<uint64_t>();\n"
                             "  if ((*count >> 8) != 0x68616c79) *count = uint64_t{0x68616c79} << "
                             "8;\n  if (range->begin == 0) ++*count;\n  "),
                    "float sum = 0.0f;", "if ((*count & 255) > 3) continue;\n    "));
  list.add(
      "F05-launch-parity", "every second launch leaves the last column out", kStale,
      edited(inserted(with_workspace(rms_norm_cpu(), "64"), "for (uint64_t group",
                      "auto* count = next.pointer<uint64_t>();\n"
                      "  if ((*count >> 8) != 0x68616c79) *count = uint64_t{0x68616c79} << 8;\n"
                      "  if (range->begin == 0) *count ^= 1;\n"
                      "  const int64_t used = hidden - static_cast<int64_t>(*count & 1);\n"
                      "  "),
             "for (int64_t i = 0; i < hidden; ++i) {", "for (int64_t i = 0; i < used; ++i) {"));
  list.add("A06-state-in-output", "an output that looks right is taken as written", kNumeric,
           inserted(gemm_cpu(), "const T* right",
                    "if (to_f32(to[column]) == to_f32(to[column])) "
                    "continue;\n      "));
  list.add("A09-state-in-guard", "keeps its state past the end of its output", kBounds,
           inserted(rms_norm_cpu(), "for (uint64_t group",
                    "*reinterpret_cast<volatile uint32_t*>(y + range->grid[0] * "
                    "static_cast<uint64_t>(y_stride));\n  "));
  list.add("A09-state-past-workspace", "keeps its state past the end of its workspace",
           {VerdictClass::kBounds},
           inserted(with_workspace(rms_norm_cpu(), "64"), "for (uint64_t group",
                    "next.pointer<volatile uint64_t>()[8] = 1;\n  "));
}

}  // namespace

void add_remembered_answers(CaseList& list) {
  add_globals(list);
  add_workspaces(list);
}

}  // namespace halyard::adversarial
