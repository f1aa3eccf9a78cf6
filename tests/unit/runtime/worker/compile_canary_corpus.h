// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

namespace halyard::worker::testing {

// A way to make a compiler read a file that is none of the package's. In its texts stand for a file
// that holds one word: @P@ its absolute path, @R@ the same from the package's folder, @D@ its
// folder, @N@ its name, @O@ the path with an escaped first character; @M@ is a word that the source
// makes the compiler say when the file is there.
struct CanarySpelling {
  std::string_view name;
  std::string_view text;
  std::string_view other_name = {};  // a second file of the package
  std::string_view other_text = {};
};

// How many at the start of each list are tried on every kind of file.
inline constexpr std::size_t kCoreSpellings = 5;

// Before each text in c++ and in hip: HEAD opens an entry, DATA defines bytes that are kept.
inline constexpr std::string_view kCppPrologue = R"(#ifdef __HIP__
#define HEAD extern "C" __attribute__((global)) void f()
#define DATA extern "C" __attribute__((device, used)) const unsigned char d[]
#else
#define HEAD extern "C" __attribute__((visibility("default"))) void f()
#define DATA extern "C" __attribute__((visibility("default"), used)) const unsigned char d[]
#endif
)";

inline constexpr auto kCppSpellings = std::to_array<CanarySpelling>({
    {"include", "#include \"@P@\"\n"},
    {"include-angle", "#include <@P@>\n"},
    {"embed", "DATA = {\n#embed \"@P@\"\n};\n"},
    {"incbin-in-entry", "HEAD { asm volatile(\".incbin \\\"@P@\\\"\"); }\n"},
    {"asm-include", "HEAD { asm volatile(\".include \\\"@P@\\\"\"); }\n"},
    {"include-relative", "#include \"@R@\"\n"},
    {"include-relative-angle", "#include <@R@>\n"},
    {"include-dots", "#include \"./././@R@\"\n"},
    {"include-double-slash", "#include \"/@P@\"\n"},
    {"include-folder-dot", "#include \"@D@/./@N@\"\n"},
    {"include-folder-up", "#include \"@D@/../@R@\"\n"},
    {"include-macro", "#define P \"@P@\"\n#include P\n"},
    {"include-macro-angle", "#define P <@P@>\n#include P\n"},
    {"include-stringized", "#define S(x) #x\n#define T(x) S(x)\n#include T(@P@)\n"},
    {"include-spliced", "#inc\\\nlude \"@P@\"\n"},
    {"include-digraph", "%:include \"@P@\"\n"},
    {"include-comments", "# /* */ include /* */ \"@P@\" /* */\n"},
    {"include-conditional", "#if 1\n#if defined(P)\n#else\n#include \"@P@\"\n#endif\n#endif\n"},
    {"include-in-expression", "int x =\n#include \"@P@\"\n;\n"},
    {"include-in-header", "#include \"inner.h\"\n", "inner.h", "#include \"@P@\"\n"},
    {"include-in-argument", "#define ID(x) x\nint y = ID(\n#include \"@P@\"\n);\n"},
    {"include-next", "#include_next \"@P@\"\n"},
    {"include-next-in-header", "#include \"inner.h\"\n", "inner.h", "#include_next <@R@>\n"},
    {"import", "#import \"@P@\"\n"},
    {"import-angle", "#import <@R@>\n"},
    {"include-macros", "#__include_macros \"@P@\"\n"},
    {"cpp-import", "import \"@P@\";\n"},
    {"cpp-module", "module;\n#include \"@P@\"\nexport module a;\n"},
    {"has-include", "#if __has_include(\"@P@\")\n#error @M@\n#endif\n"},
    {"has-include-angle", "#if __has_include(<@P@>)\n#error @M@\n#endif\n"},
    {"has-include-relative", "#if __has_include(\"@R@\")\n#error @M@\n#endif\n"},
    {"has-include-next", "#if __has_include_next(\"@P@\")\n#error @M@\n#endif\n"},
    {"has-include-macro", "#define P \"@P@\"\n#if __has_include(P)\n#error @M@\n#endif\n"},
    {"has-embed", "#if __has_embed(\"@P@\") == 1\n#error @M@\n#endif\n"},
    {"embed-angle", "DATA = {\n#embed <@P@>\n};\n"},
    {"embed-relative", "DATA = {\n#embed \"@R@\"\n};\n"},
    {"embed-limit", "DATA = {\n#embed \"@P@\" limit(64) prefix(1,) suffix(,2)\n};\n"},
    {"embed-macro", "#define P \"@P@\"\nDATA = {\n#embed P\n};\n"},
    {"embed-c23", "#pragma GCC std c23\nDATA = {\n#embed \"@P@\" if_empty(1)\n};\n"},
    {"incbin-at-file-scope", "asm(\".incbin \\\"@P@\\\"\");\n"},
    {"incbin-relative", "HEAD { asm volatile(\".incbin \\\"@R@\\\"\"); }\n"},
    {"incbin-split", "HEAD { asm volatile(\".in\" \"cbin \\\"\" \"@P@\" \"\\\"\"); }\n"},
    {"incbin-escaped", "HEAD { asm volatile(\".\\x69ncbin \\\"@P@\\\"\"); }\n"},
    {"incbin-octal-path", "HEAD { asm volatile(\".incbin \\\"@O@\\\"\"); }\n"},
    {"incbin-part", "HEAD { asm volatile(\".incbin \\\"@P@\\\", 0, 33\"); }\n"},
    {"incbin-in-section",
     "HEAD { asm volatile(\".pushsection .rodata\\n.incbin \\\"@P@\\\"\\n\"\n"
     "  \".popsection\"); }\n"},
    {"incbin-in-macro",
     "HEAD { asm volatile(\".macro m p\\n.incbin \\\"\\\\p\\\"\\n.endm\\n\"\n"
     "  \"m @P@\"); }\n"},
    {"incbin-in-irp", "HEAD { asm volatile(\".irp p, @P@\\n.incbin \\\"\\\\p\\\"\\n.endr\"); }\n"},
    {"incbin-raw-string", "HEAD { asm volatile(R\"x(.incbin \"@P@\")x\"); }\n"},
    {"incbin-stringized",
     "#define S(x) #x\n#define A(x) asm volatile(\".incbin \" S(#x))\n"
     "HEAD { A(@P@); }\n"},
    {"incbin-by-pragma",
     "#define I(p) asm(\".incbin \\\"\" p \"\\\"\");\n"
     "_Pragma(\"push_macro(\\\"I\\\")\") I(\"@P@\")\n"},
    {"asm-include-at-file-scope", "asm(\".include \\\"@P@\\\"\");\n"},
    {"asm-file", "HEAD { asm volatile(\".file 1 \\\"@D@\\\" \\\"@N@\\\"\\n.loc 1 1\"); }\n"},
    {"dependent-library",
     "HEAD { asm volatile(\".pushsection .deplibs,\\\"MS\\\",\"\n"
     "  \"@llvm_dependent_libraries,1\\n.asciz \\\"@P@\\\"\\n\"\n"
     "  \".popsection\"); }\n"},
    {"comment-lib", "#pragma comment(lib, \"@P@\")\nHEAD {}\n"},
    {"comment-linker", "#pragma comment(linker, \"@P@\")\nHEAD {}\n"},
    {"line", "#line 1 \"@P@\"\n#error no\n"},
    {"line-marker", "# 1 \"@P@\" 1\nint x = y;\n"},
    {"file-name", "#line 1 \"@P@\"\nHEAD { asm volatile(\".incbin \\\"\" __FILE__ \"\\\"\"); }\n"},
    {"dependency", "#pragma GCC dependency \"@P@\"\nint x = y;\n"},
    {"dependency-by-operator", "_Pragma(\"GCC dependency \\\"@P@\\\"\")\nint x = y;\n"},
    {"pch", "#pragma GCC pch_preprocess \"@P@\"\nint x = y;\n"},
    {"include-path-by-pragma", "#pragma GCC include_path \"@D@\"\n#include \"@N@\"\n"},
    {"include-alias", "#pragma include_alias(\"x.h\", \"@P@\")\n#include \"x.h\"\n"},
    {"plugin", "#pragma GCC plugin \"@P@\"\nint x = y;\n"},
    {"module-build",
     "#pragma clang module build M\nmodule M { header \"@P@\" }\n"
     "#pragma clang module contents\n#pragma clang module begin M\n"
     "#include \"@P@\"\n#pragma clang module end\n"
     "#pragma clang module endbuild\n#pragma clang module import M\n"},
    {"module-map", "#pragma clang module load M\n#pragma clang module import M\n",
     "module.modulemap", "module M { header \"@P@\" export * }\n"},
    {"response-file-name", "#include \"@@P@\"\n#include \"@kernel\"\n"},
    {"config-file", "int x = y;\n", "clang.cfg", "-include @P@\n"},
});

inline constexpr auto kAssemblySpellings = std::to_array<CanarySpelling>({
    {"incbin", ".incbin \"@P@\"\n"},
    {"include", ".include \"@P@\"\n"},
    {"incbin-octal", ".incbin \"@O@\"\n"},
    {"dependent-library", ".section .deplibs,\"MS\",@llvm_dependent_libraries,1\n.asciz \"@P@\"\n"},
    {"incbin-relative", ".incbin \"@R@\"\n"},
    {"include-relative", ".include \"@R@\"\n"},
    {"incbin-part", ".incbin \"@P@\", 1, 32\n.incbin \"@P@\", 0, 1\n"},
    {"incbin-macro", ".macro m p\n.incbin \"\\p\"\n.endm\nm \"@P@\"\n"},
    {"incbin-irp", ".irp p, @P@\n.incbin \"\\p\"\n.endr\n"},
    {"incbin-rept", ".rept 2\n.incbin \"@P@\"\n.endr\n"},
    {"include-in-macro", ".macro m\n.include \"@P@\"\n.endm\nm\n"},
    {"incbin-in-include", ".include \"inner.s\"\n", "inner.s", ".incbin \"@P@\"\n"},
    {"incbin-altmacro", ".altmacro\n.macro m p\n.incbin p\n.endm\nm <\"@P@\">\n"},
    {"file", ".file 1 \"@D@\" \"@N@\"\n.loc 1 1\ns_endpgm\n"},
    {"line-marker", "# 1 \"@P@\"\nno_such_instruction\n"},
    {"cpp-include", "#include \"@P@\"\nno_such_instruction\n"},
    {"string-note", ".section .note,\"a\"\n.incbin \"@P@\"\n"},
    {"incbin-in-bss", ".bss\n.incbin \"@P@\"\n"},
    {"response-file-name", ".include \"@@P@\"\n"},
});

inline constexpr std::string_view kGlslPrologue =
    "#version 450\nlayout(local_size_x = 1) in;\n"
    "layout(binding = 0) buffer B { uint v[]; };\n";

inline constexpr auto kGlslSpellings = std::to_array<CanarySpelling>({
    {"include", "void main() { v[0] =\n#include \"@P@\"\n; }\n"},
    {"include-with-extension",
     "#extension GL_GOOGLE_include_directive : require\n"
     "void main() { v[0] =\n#include \"@P@\"\n; }\n"},
    {"include-arb",
     "#extension GL_ARB_shading_language_include : enable\n"
     "void main() { v[0] =\n#include \"@P@\"\n; }\n"},
    {"include-as-type", "#include \"@P@\"\n x;\nvoid main() {}\n"},
    {"include-as-statement", "void main() {\n#include \"@P@\"\n(); }\n"},
    {"include-relative", "void main() { v[0] =\n#include \"@R@\"\n; }\n"},
    {"include-angle", "void main() { v[0] =\n#include <@P@>\n; }\n"},
    {"include-relative-angle", "void main() { v[0] =\n#include <@R@>\n; }\n"},
    {"include-folder-dot", "void main() { v[0] =\n#include \"@D@/./@N@\"\n; }\n"},
    {"include-double-slash", "void main() { v[0] =\n#include \"/@P@\"\n; }\n"},
    {"include-in-header", "#include \"inner.glsl\"\n", "inner.glsl",
     "void main() { v[0] =\n#include \"@P@\"\n; }\n"},
    {"include-spliced", "void main() { v[0] =\n#inc\\\nlude \"@P@\"\n; }\n"},
    {"include-in-conditional", "void main() { v[0] =\n#if 1\n#include \"@P@\"\n#endif\n; }\n"},
    {"include-macro", "#define P \"@P@\"\nvoid main() { v[0] =\n#include P\n; }\n"},
    {"line",
     "#extension GL_GOOGLE_cpp_style_line_directive : enable\n#line 1 \"@P@\"\n"
     "void main() { v[0] = w; }\n"},
    {"file-name",
     "#extension GL_GOOGLE_cpp_style_line_directive : enable\n#line 1 \"@P@\"\n"
     "void main() { v[0] = __FILE__; }\n"},
    {"pragma-include", "#pragma include \"@P@\"\nvoid main() { v[0] = w; }\n"},
    {"import", "#import \"@P@\"\nvoid main() {}\n"},
    {"spirv-instruction",
     "#extension GL_EXT_spirv_intrinsics : enable\n"
     "spirv_instruction(set = \"@P@\", id = 1) uint g(uint a);\n"
     "void main() { v[0] = g(1u); }\n"},
    {"response-file-name", "void main() { v[0] =\n#include \"@@P@\"\n; }\n"},
});

inline constexpr auto kSpirvSpellings = std::to_array<CanarySpelling>({
    {"source", "%1 = OpString \"@P@\"\nOpSource GLSL 450 %1\n"},
    {"import", "%1 = OpExtInstImport \"@P@\"\n"},
    {"include", "#include \"@P@\"\nOpNop\n"},
    {"directive", ".include \"@P@\"\n.incbin \"@P@\"\n"},
    {"capability", "OpCapability \"@P@\"\nOpExtension \"@P@\"\n"},
    {"response-file-name", "@@P@\n"},
});

}  // namespace halyard::worker::testing
