// SPDX-License-Identifier: Apache-2.0
#include "tests/adversarial/base_kernels.h"
#include "tests/adversarial/corpus.h"

namespace halyard::adversarial {
namespace {

Package with_text(Package package, std::string_view text) {
  return inserted(std::move(package), "HALYARD_ENTRY(run)", text);
}

// A timer, a thread, a queue or a hook need code of the host, which a package has no words for.
void add_words(CaseList& list) {
  list.add("B01-host-file", "names a file of host code", kStatic,
           with_value(gemm_cpu(), "/host", R"("host.cpp")"));
  list.add("B01-second-queue", "asks for a queue of its own", kStatic,
           with_value(gemm_cpu(), "/stages/0/queue", "1"));
  list.add("B01-language-python", "is written in Python", kStatic,
           with_value(gemm_cpu(), "/language", R"("python")"));
  list.add("B01-language-host", "is written in the host's C++", kStatic,
           with_value(gemm_cpu(), "/language", R"("host-c++")"));
  list.add(
      "B01-hip-on-this-device",
      "is HIP with a stream of its own, for a target that is not "
      "there",
      kStatic,
      with_value(with_value(with_source(gemm_cpu(),
                                        "#include <hip/hip_runtime.h>\n"
                                        "void run() { hipStream_t s; hipStreamCreate(&s); }\n"),
                            "/language", R"("hip")"),
                 "/targets", R"(["amdgcn-gfx942"])"));
  list.add("B03-lazy-output", "computes when the output is read", kStatic,
           with_value(gemm_cpu(), "/stages/0/cadence", R"("on-read")"));
  list.add(
      "B03-callback", "gives a callback for its output", kStatic,
      with_value(gemm_cpu(), "/stages/0/arguments/3", R"({"tensor": "C", "callback": "finish"})"));
  list.add("B12-compiles-later", "brings a flag for its compiler", kStatic,
           with_value(gemm_cpu(), "/flags", R"(["-fplugin=./plugin.so"])"));
  list.add("C07-flag-in-target", "writes a flag where a target stands", kStatic,
           with_value(gemm_cpu(), "/targets", R"(["x86_64-v3 -fplugin=./plugin.so"])"));
  list.add("C07-flag-in-capability", "writes a flag where a capability stands", kStatic,
           with_value(gemm_cpu(), "/requires",
                      R"([{"capability": "cpu.avx2 -fplugin=x", "equals": 1}])"));
  list.add("C07-flag-as-source", "names a flag as its source", kStatic,
           with_value(gemm_cpu(), "/source", R"("-fplugin=plugin.so")"));
}

void add_threads(CaseList& list) {
  list.add("B02-std-thread", "includes the standard library's threads", kStatic,
           with_text(gemm_cpu(), "#include <thread>\n"));
  list.add("B02-pthread", "starts a thread of the C library", kStatic,
           edited(with_text(gemm_cpu(),
                            "extern \"C\" int pthread_create(...);\n"
                            "static void* later(void*) { return nullptr; }\n"),
                  "for (uint64_t group",
                  "unsigned long id;\n  pthread_create(&id, nullptr, later, nullptr);\n"
                  "  for (uint64_t group"));
  list.add("B04-symbol-of-clock", "defines the clock that a timer reads, and calls it", kStatic,
           edited(with_text(gemm_cpu(),
                            "extern \"C\" __attribute__((visibility(\"default\"), noinline, "
                            "optnone)) int clock_gettime(int, void*) { return 0; }\n"),
                  "for (uint64_t group",
                  "if (clock_gettime(0, nullptr) != 0) return;\n"
                  "  for (uint64_t group"));
  list.add("B04-getenv", "asks for an environment variable", kStatic,
           edited(with_text(gemm_cpu(), "extern \"C\" char* getenv(const char*);\n"),
                  "for (uint64_t group",
                  "if (getenv(\"HALYARD_VERIFY\")) return;\n"
                  "  for (uint64_t group"));
  list.add("A25-dlopen", "opens a library by name", kStatic,
           edited(with_text(gemm_cpu(), "extern \"C\" void* dlopen(const char*, int);\n"),
                  "for (uint64_t group",
                  "if (!dlopen(\"libblas.so.3\", 1)) return;\n"
                  "  for (uint64_t group"));
  list.add("C04-system", "runs a shell", kStatic,
           edited(with_text(gemm_cpu(), "extern \"C\" int system(const char*);\n"),
                  "for (uint64_t group", "system(\"id > owned\");\n  for (uint64_t group"));
  list.add("C05-printf", "prints that it has passed", kStatic,
           edited(with_text(gemm_cpu(), "extern \"C\" int printf(const char*, ...);\n"),
                  "for (uint64_t group", "printf(\"PASS\\n\");\n  for (uint64_t group"));
  list.add("C06-malloc", "takes memory of the process", kStatic,
           edited(with_text(gemm_cpu(), "extern \"C\" void* malloc(unsigned long);\n"),
                  "for (uint64_t group", "for (;;) malloc(1ul << 20);\n  for (uint64_t group"));
}

}  // namespace

void add_host_code(CaseList& list) {
  add_words(list);
  add_threads(list);
}

}  // namespace halyard::adversarial
