// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/text.h"
#include "tests/adversarial/base_kernels.h"
#include "tests/adversarial/corpus.h"

namespace halyard::adversarial {
namespace {

using base::concat;

const CaseList::Classes kBomb{VerdictClass::kStatic, VerdictClass::kHang};

Package with_text(std::string_view text) {
  return inserted(silu_mul_cpu(), "HALYARD_ENTRY(run)", text);
}

struct Text {
  std::string_view id;
  std::string_view what;
  std::string_view text;
};

// What reaches files or programs of the machine that compiles.
constexpr Text kReaders[] = {
    {"C07-include-absolute", "includes a file of the machine", "#include \"/etc/passwd\"\n"},
    {"C07-include-upwards", "includes a file above its folder",
     "#include \"../../../../../../../etc/passwd\"\n"},
    {"C07-include-standard", "includes a header of the C library", "#include <unistd.h>\n"},
    {"C07-include-memory-map", "includes what its compiler has mapped",
     "#include \"/proc/self/maps\"\n"},
    {"C07-include-input", "includes its compiler's input", "#include \"/dev/stdin\"\n"},
    {"C07-include-process", "includes its compiler's environment",
     "#include \"/proc/self/environ\"\n"},
    {"C07-include-itself", "includes itself", "#include __FILE__\n"},
    {"C07-incbin", "puts a file of the machine in its object",
     "__asm__(\".section .rodata\\n.incbin \\\"/etc/passwd\\\"\\n.text\");\n"},
    {"C07-assembler-include", "includes a file in its assembly",
     "__asm__(\".include \\\"/etc/passwd\\\"\");\n"},
    {"C07-embed", "embeds a file of the machine",
     "static const unsigned char kData[] = {\n#embed \"/etc/passwd\"\n};\n"
     "__attribute__((used)) static const unsigned char* kept = kData;\n"},
};

constexpr Text kObjects[] = {
    {"C07-constructor", "runs when it is loaded",
     "__attribute__((constructor)) static void at_load() { __asm__ volatile(\"\"); }\n"},
    {"C07-destructor", "runs when it is unloaded",
     "__attribute__((destructor)) static void at_end() { __asm__ volatile(\"\"); }\n"},
    {"C07-init-array", "puts a function in .init_array by hand",
     "static void at_load() {}\n"
     "__attribute__((section(\".init_array\"), used)) static void (*const kLoad)() = at_load;\n"},
    {"C07-init-symbol", "has a function that linkers call at the start",
     "extern \"C\" __attribute__((visibility(\"default\"))) void _init() {}\n"},
    {"C07-fini-symbol", "has a function that linkers call at the end",
     "extern \"C\" __attribute__((visibility(\"default\"))) void _fini() {}\n"},
    {"C07-ifunc", "chooses a function by code at load",
     "extern \"C\" {\nstatic int one() { return 1; }\n"
     "static int (*choose())() { return one; }\n"
     "__attribute__((ifunc(\"choose\"), visibility(\"default\"))) int chosen();\n}\n"
     "__attribute__((used)) static int call() { return chosen(); }\n"},
    {"C07-global-object", "has an object that is made at load",
     "struct Made {\n  Made() { __asm__ volatile(\"\" : : \"r\"(this) : \"memory\"); }\n"
     "  int value = 1;\n};\nstatic Made made;\n"},
    {"C07-interpreter", "is a program with an interpreter",
     "__attribute__((section(\".interp\"), used)) static const char kProgram[] = \"/bin/sh\";\n"},
    {"C07-writable-code", "has a section that is written and run",
     "__asm__(\".section .both,\\\"awx\\\",@progbits\\nret\\n.text\");\n"},
    {"C07-text-relocation", "has an address in its code that the loader fills in",
     "__asm__(\".text\\n.globl kept_place\\nkept_place:\\n.quad kept_place\\n\");\n"},
    {"C07-weak-import", "takes a function where there is one",
     "extern \"C\" __attribute__((weak, visibility(\"default\"))) int getpid();\n"
     "__attribute__((used)) static int call() { return getpid ? getpid() : 0; }\n"},
    {"C07-needed-library", "asks for a library in a pragma",
     "#pragma comment(lib, \"c\")\nextern \"C\" int getpid();\n"
     "__attribute__((used)) static int call() { return getpid(); }\n"},
    {"C07-versioned-import", "asks for a version of a library's function",
     "__asm__(\".symver lend,getpid@GLIBC_2.2.5\");\nextern \"C\" int lend();\n"
     "__attribute__((used)) static int call() { return lend(); }\n"},
    {"C07-unique-state", "has a static in an inline function that others share",
     "inline __attribute__((visibility(\"default\"), used)) int& shared_count() {\n"
     "  static int count = 0;\n  return count;\n}\n"},
};

constexpr Text kBombs[] = {
    {"C07-deep-templates", "templates a million deep",
     "template <int N>\nstruct Deep {\n  static constexpr int kValue = Deep<N - 1>::kValue + 1;\n"
     "};\ntemplate <>\nstruct Deep<0> {\n  static constexpr int kValue = 0;\n};\n"
     "static_assert(Deep<1000000>::kValue > 0);\n"},
    {"C07-wide-templates", "templates that double at each level",
     "template <int N, int M>\nstruct Wide {\n"
     "  static constexpr long kValue = Wide<N - 1, 2 * M>::kValue + Wide<N - 1, 2 * M + "
     "1>::kValue;\n"
     "};\ntemplate <int M>\nstruct Wide<0, M> {\n  static constexpr long kValue = M;\n};\n"
     "static_assert(Wide<26, 1>::kValue > 0);\n"},
    {"C07-macro-bomb", "a macro that doubles thirty times",
     "#define A(x) x x\n#define B(x) A(A(A(A(A(x)))))\n#define C(x) B(B(B(B(B(B(x))))))\n"
     "C(static_assert(true);)\n"},
    {"C07-large-object", "an array of 64 GiB in its object",
     "__attribute__((used, section(\".rodata\"))) static const char kFill[1ul << 36] = {1};\n"},
    {"C07-constant-loop", "a constant that takes for ever",
     "constexpr long endless() {\n  long n = 1;\n  while (n != 0) n = n * 3 % 1000003 + 1;\n"
     "  return n;\n}\nstatic constexpr long kEndless = endless();\n"},
};

void add_bombs(CaseList& list) {
  for (const Text& each : kBombs) {
    const bool is_slow = each.id == "C07-wide-templates" || each.id == "C07-macro-bomb";
    auto& cases = list;
    if (is_slow) {
      cases.add_long(std::string(each.id), std::string(each.what), kBomb, with_text(each.text));
    } else {
      cases.add(std::string(each.id), std::string(each.what), kBomb, with_text(each.text));
    }
  }
  list.add("C07-compiler-crash", "makes its compiler crash", kStatic,
           with_text("#pragma clang __debug crash\n"));
  list.add("C07-compiler-plugin", "calls for a plugin that is not understood", kStatic,
           with_text("#pragma GCC plugin \"./plugin.so\"\n#error no plugin was loaded\n"));
  list.add("C07-no-source", "has an empty source", kStatic, with_source(silu_mul_cpu(), ""));
  list.add("C07-binary-source", "has bytes for a source", kStatic,
           with_source(silu_mul_cpu(), std::string("\x7f"
                                                   "ELF\x02\x01\x01\0\0\0\xff\xfe\xfd",
                                                   13)));
  list.add("C07-undefined-name", "names what there is not", kStatic,
           edited(silu_mul_cpu(), "sigmoid(bounded)", "sigmoid(bounded_)"));
}

void add_entries(CaseList& list) {
  list.add("C07-no-entry", "has no such entry", kStatic,
           with_value(silu_mul_cpu(), "/stages/0/entry", R"("walk")"));
  list.add("C07-hidden-entry", "hides its entry", kStatic,
           edited(silu_mul_cpu(), "HALYARD_ENTRY(run) {",
                  "extern \"C\" __attribute__((visibility(\"hidden\"), used)) void run(const "
                  "uint64_t* arguments, const halyard_range* range) {"));
  list.add("C07-data-entry", "has data for an entry", kStatic,
           with_source(silu_mul_cpu(),
                       "extern \"C\" __attribute__((visibility(\"default\"))) extern const "
                       "unsigned char run[] = {0xc3};\n"));
  list.add("C07-shadowed-prelude", "brings a prelude of its own with another sigmoid",
           {VerdictClass::kNumeric, VerdictClass::kStatic},
           with_file(silu_mul_cpu(), "halyard_math.h",
                     "#pragma once\n#include \"halyard_vector.h\"\nnamespace halyard {\n"
                     "HALYARD_INLINE float sigmoid(float x) { return x > 0.0f ? 1.0f : 0.5f; }\n"
                     "}\n"));
}

}  // namespace

void add_compile_attacks(CaseList& list) {
  for (const Text& each : kReaders)
    list.add(std::string(each.id), std::string(each.what), kStatic, with_text(each.text));
  for (const Text& each : kObjects)
    list.add(std::string(each.id), std::string(each.what), kStatic, with_text(each.text));
  add_bombs(list);
  add_entries(list);
}

}  // namespace halyard::adversarial
