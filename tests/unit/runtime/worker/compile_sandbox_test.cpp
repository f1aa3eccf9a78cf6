// SPDX-License-Identifier: Apache-2.0
#include "runtime/worker/compile_sandbox.h"

#include "runtime/base/text.h"
#include "runtime/toolchain/process.h"
#include "tests/unit/kernel-store/store_fixture.h"
#include "tests/unit/runtime/worker/compile_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <set>
#include <thread>

namespace halyard::worker {
namespace {

using base::concat;
using base::ErrorCode;
using store::KernelLanguage;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::Source;
using ::testing::StartsWith;
using Kind = CompileResult::Kind;
using Limit = CompileResult::Limit;

CompileResult compile(const Source& source, Isolation isolation) {
  const store::KernelPackage package = testing::package_of(source);
  const auto result = compile_confined(testing::request_for(package, isolation));
  EXPECT_TRUE(result) << result.error().message();
  return result ? *result : CompileResult();
}

Isolation strongest() {
  return testing::isolation_levels().front();
}

// What a shell writes to its output file with `script`, in the place of a compiler; $0 is the file.
CompileResult run_shell(const std::string& script, Isolation isolation,
                        const ResourceLimits& limits = default_compile_limits()) {
  const store::KernelPackage package =
      testing::package_of({KernelLanguage::kSpirvAssembly, "text"});
  CompileRequest request = testing::request_for(package, isolation);
  request.step.arguments = {"/bin/sh", "-c", script};
  request.limits = limits;
  const auto result = compile_confined(request);
  EXPECT_TRUE(result) << result.error().message();
  return result ? *result : CompileResult();
}

TEST(CompileSandbox, EachLanguageCompilesAtEachLevelToTheSameBytes) {
  for (const KernelLanguage language : testing::compiled_languages()) {
    std::set<std::string> objects;
    for (const Isolation isolation : testing::isolation_levels()) {
      for (int i = 0; i < 2; ++i) {
        const CompileResult result =
            compile({language, std::string(testing::small_source(language))}, isolation);
        EXPECT_EQ(result.kind, Kind::kCompiled)
            << store::word_of(language) << ": " << result.sentence << result.diagnostics;
        EXPECT_EQ(result.isolation, isolation);
        EXPECT_FALSE(result.object.empty());
        EXPECT_GT(result.wall.count(), 0);
        objects.insert(testing::text_of(result.object));
      }
    }
    EXPECT_EQ(objects.size(), 1U) << store::word_of(language);
  }
  EXPECT_FALSE(testing::has_compile_folders());
  EXPECT_FALSE(testing::has_children());
}

TEST(CompileSandbox, TimesAndFoldersDoNotReachTheBytes) {
  const std::string text = concat(testing::small_source(KernelLanguage::kCpp),
                                  "extern \"C\" __attribute__((visibility(\"default\"), used))\n"
                                  "const char s[] = __DATE__ __TIME__ __TIMESTAMP__ __FILE__;\n"
                                  "asm(\".file 1 \\\"x.c\\\"\\n.loc 1 1 0\\nnop\");\n");
  std::set<std::string> objects;
  for (const Isolation isolation : testing::isolation_levels()) {
    const CompileResult result = compile({KernelLanguage::kCpp, text}, isolation);
    EXPECT_EQ(result.kind, Kind::kCompiled) << result.diagnostics;
    objects.insert(testing::text_of(result.object));
  }
  ASSERT_EQ(objects.size(), 1U);
  EXPECT_THAT(*objects.begin(), HasSubstr("Jan  1 1970"));
  EXPECT_THAT(*objects.begin(), Not(HasSubstr("halyard-compile")));
}

TEST(CompileSandbox, PackageFilesAndPreludeAreSeen) {
  store::KernelPackage package =
      testing::package_of({KernelLanguage::kCpp,
                           "#include \"a.h\"\n#include \"p.h\"\nint x = A + P;\n",
                           {{"a.h", "#define A 1\n"}}});
  package.record.prelude = "c++/1";
  const store::PackageFiles prelude = {{"p.h", "#define P 2\n"}};
  for (const Isolation isolation : testing::isolation_levels()) {
    CompileRequest request = testing::request_for(package, isolation);
    request.prelude = &prelude;
    const auto result = compile_confined(request);
    ASSERT_TRUE(result) << result.error().message();
    EXPECT_EQ(result->kind, Kind::kCompiled) << result->diagnostics;
  }
}

// As the build of this project makes them.
TEST(CompileSandbox, BundledKernelsCompileToTheBytesOfTheBareCompiler) {
  const std::string sources = HALYARD_SOURCE_DIR "/kernel-store";
  const store::testing::TemporaryDirectory directory;
  for (const char* const kernel : {"rms_norm/rms_norm_cpu", "rms_norm/rms_norm_glsl"}) {
    const std::string folder = concat(sources, "/kernels/", kernel);
    const auto package = store::load_kernel_package(folder, [&](const std::string& name) {
      return store::load_prelude_digest(sources + "/prelude", name);
    });
    ASSERT_TRUE(package) << package.error().message();
    const auto prelude = store::load_prelude(sources + "/prelude", *package->record.prelude);
    ASSERT_TRUE(prelude) << prelude.error().message();
    CompileRequest request = testing::request_for(*package, strongest());
    request.prelude = &*prelude;
    const auto confined = compile_confined(request);
    ASSERT_TRUE(confined) << confined.error().message();
    ASSERT_EQ(confined->kind, Kind::kCompiled) << confined->diagnostics;
    const auto steps =
        toolchain::plan_package(*package, sources + "/prelude", testing::compilers());
    ASSERT_TRUE(steps);
    std::vector<std::string> arguments = steps->front().arguments;
    arguments.push_back(directory / "object");
    const auto bare = toolchain::run_process(arguments, folder);
    ASSERT_TRUE(bare);
    ASSERT_EQ(bare->exit_code, 0) << bare->output;
    EXPECT_EQ(testing::text_of(confined->object), store::testing::read_file(directory / "object"));
  }
}

TEST(CompileSandbox, ErrorsNameTheFileByItsNameInThePackage) {
  for (const Isolation isolation : testing::isolation_levels()) {
    const CompileResult result = compile({KernelLanguage::kCpp, "int x = y;\n"}, isolation);
    EXPECT_EQ(result.kind, Kind::kCompileError);
    EXPECT_EQ(result.sentence, "The compiler refuses the source (exit status 1).");
    EXPECT_THAT(result.diagnostics, StartsWith("kernel.src:1:9: error: use of undeclared"));
    EXPECT_TRUE(result.object.empty());
  }
}

TEST(CompileSandbox, EndingOfTheSourceDoesNotMakeItAnythingElse) {
  store::KernelPackage package =
      testing::package_of({KernelLanguage::kCpp, "INPUT(/etc/passwd)\n"});
  package.record.source = "kernel.so";
  package.files["kernel.so"] = package.files["kernel.src"];
  const auto result = compile_confined(testing::request_for(package, strongest()));
  ASSERT_TRUE(result);
  EXPECT_EQ(result->kind, Kind::kCompileError);
  EXPECT_THAT(result->diagnostics, HasSubstr("kernel.so:1:"));
}

TEST(CompileSandbox, SourceNeedNotBeText) {
  std::string text = "// \xff\xfe\x1b[2J\xe2\x80\xae\nint x = \"\xe2\x80\xae\x1b[31m\";\n";
  text += '\0';
  const CompileResult result = compile({KernelLanguage::kCpp, text}, strongest());
  EXPECT_EQ(result.kind, Kind::kCompileError);
  EXPECT_THAT(result.diagnostics, Not(HasSubstr("\x1b")));
  EXPECT_THAT(result.diagnostics, Not(HasSubstr("\xe2\x80\xae")));
}

TEST(CompileSandbox, WhatIsTakenAsItIsStartsNothing) {
  store::KernelPackage package = testing::package_of({KernelLanguage::kPtx, ".version 8.0\n"});
  package.record.targets = {"ptx-8.0/sm_80"};
  CompileRequest request = testing::request_for(package, strongest());
  request.worker_program = "/nowhere";
  const auto result = compile_confined(request);
  ASSERT_TRUE(result);
  EXPECT_EQ(testing::text_of(result->object), ".version 8.0\n");
}

TEST(CompileSandbox, NoIsolationMustBeAllowed) {
  const store::KernelPackage package = testing::package_of({KernelLanguage::kCpp, "int x;\n"});
  CompileRequest request = testing::request_for(package, Isolation::kNone);
  const auto refused = compile_confined(request);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::kPermissionDenied);
  EXPECT_EQ(refused.error().message(),
            "Kernel \"k\" is not compiled: this machine does not confine the compiler, and nobody "
            "has allowed that.");
  request.may_be_unconfined = true;
  const auto allowed = compile_confined(request);
  ASSERT_TRUE(allowed) << allowed.error().message();
  EXPECT_EQ(allowed->kind, Kind::kCompiled) << allowed->diagnostics;
  EXPECT_EQ(allowed->isolation, Isolation::kNone);
}

TEST(CompileSandbox, PreludeMustBeGiven) {
  store::KernelPackage package = testing::package_of({KernelLanguage::kCpp, "int x;\n"});
  package.record.prelude = "c++/1";
  const auto result = compile_confined(testing::request_for(package, strongest()));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(result.error().message(), "Kernel \"k\" names prelude c++/1, which is not given.");
}

// T-2: the environment of the child, whatever the parent's is.
TEST(CompileSandbox, EnvironmentOfTheCompilerIsFixed) {
  const std::vector<const char*> names = {"CPATH",        "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH",
                                          "LD_PRELOAD",   "COMPILER_PATH",  "CCC_OVERRIDE_OPTIONS",
                                          "LIBRARY_PATH", "GCONV_PATH"};
  for (const Isolation isolation : testing::isolation_levels()) {
    const std::string before =
        testing::text_of(run_shell("unset PWD; export -p > \"$0\"", isolation).object);
    for (const char* const name : names)
      ::setenv(name, "/canary-of-the-parent", 1);
    const std::string during =
        testing::text_of(run_shell("unset PWD; export -p > \"$0\"", isolation).object);
    for (const char* const name : names)
      ::unsetenv(name);
    EXPECT_EQ(before, during);
    EXPECT_THAT(during, HasSubstr("export LC_ALL='C'"));
    EXPECT_THAT(during, Not(HasSubstr("canary")));
    EXPECT_THAT(during, Not(HasSubstr("HOME")));
  }
}

TEST(CompileSandbox, VariablesOfTheParentHaveNoEffectOnCompilers) {
  const CompileResult plain = compile({KernelLanguage::kCpp, "#include \"x.h\"\n"}, strongest());
  ::setenv("CPATH", "/usr/include", 1);
  ::setenv("CCC_OVERRIDE_OPTIONS", "+-DX", 1);
  const CompileResult other = compile({KernelLanguage::kCpp, "#include <stdio.h>\n"}, strongest());
  ::unsetenv("CPATH");
  ::unsetenv("CCC_OVERRIDE_OPTIONS");
  EXPECT_THAT(plain.diagnostics, HasSubstr("'x.h' file not found"));
  EXPECT_THAT(other.diagnostics, HasSubstr("'stdio.h' file not found"));
}

TEST(CompileSandbox, InputsCannotBeWritten) {
  for (const Isolation isolation : testing::isolation_levels()) {
    const CompileResult result = run_shell(
        "(echo x > kernel.src) 2>/dev/null && exit 3; (echo x > new) 2>/dev/null && exit 4;"
        "(echo x > ../new) 2>/dev/null && exit 5; echo ok > \"$0\"",
        isolation);
    EXPECT_EQ(result.kind, Kind::kCompiled) << result.sentence << result.diagnostics;
    EXPECT_EQ(testing::text_of(result.object), "ok\n");
  }
}

TEST(CompileSandbox, SuccessWithoutAnObjectIsACrash) {
  const CompileResult result = run_shell("exit 0", strongest());
  EXPECT_EQ(result.kind, Kind::kCompilerCrash);
  EXPECT_EQ(result.sentence, "The compiler ends with success and leaves no object.");
}

TEST(CompileSandbox, SignalsAreCrashes) {
  const CompileResult result = run_shell("kill -SEGV $$", strongest());
  EXPECT_EQ(result.kind, Kind::kCompilerCrash);
  EXPECT_EQ(result.sentence, "The compiler ends by signal 11.");
}

TEST(CompileSandbox, EachLimitHasItsName) {
  ResourceLimits limits = default_compile_limits();
  limits.cpu = std::chrono::seconds(1);
  limits.file_bytes = 1 << 20;
  limits.output_bytes = 1 << 10;
  struct Case {
    const char* script;
    Limit limit;
    const char* sentence;
  };
  const Case cases[] = {
      {"read x < /dev/zero; while :; do :; done", Limit::kCpu,
       "The compiler is not done after 1 s of a processor's time."},
      {"while :; do echo 0123456789012345; done", Limit::kDiagnostics,
       "The compiler writes more than 1024 bytes of diagnostics."},
      {"while :; do echo 0123456789012345; done > \"$0\"", Limit::kFileSize,
       "The compiler writes a file of more than 1048576 bytes."},
  };
  for (const Case& expected : cases) {
    const CompileResult result = run_shell(expected.script, strongest(), limits);
    EXPECT_EQ(result.kind, Kind::kCompileLimit) << expected.script << result.sentence;
    EXPECT_EQ(compile_limit_name(result.limit), compile_limit_name(expected.limit));
    EXPECT_EQ(result.sentence, expected.sentence);
    EXPECT_LT(result.wall, std::chrono::seconds(20)) << expected.script;
    EXPECT_LE(result.diagnostics.size(), limits.output_bytes + 64);
  }
  limits.cpu = std::chrono::seconds(60);
  limits.wall = std::chrono::milliseconds(1500);
  const CompileResult result = run_shell("while :; do :; done", strongest(), limits);
  EXPECT_EQ(result.limit, Limit::kWall);
  EXPECT_EQ(result.sentence, "The compiler is not done after 1500 ms.");
  EXPECT_LT(result.wall, std::chrono::milliseconds(2500));
}

TEST(CompileSandbox, WhatWritesTooMuchIsStoppedAtOnce) {
  ResourceLimits limits = default_compile_limits();
  limits.output_bytes = 1 << 10;
  for (int i = 0; i < 20; ++i) {
    const CompileResult result =
        run_shell("while :; do echo 0123456789012345; done", strongest(), limits);
    EXPECT_EQ(result.limit, Limit::kDiagnostics);
    EXPECT_LT(result.wall, std::chrono::seconds(20));
  }
}

TEST(CompileSandbox, MemoryIsALimit) {
  const store::KernelPackage package = testing::package_of(
      {KernelLanguage::kCpp,
       "template <class... T> struct L {};\n"
       "template <class A, class B> struct C;\n"
       "template <class... A, class... B> struct C<L<A...>, L<B...>> {\n"
       "  using type = L<A..., B...>;\n};\n"
       "template <int N> struct G {\n"
       "  using type = typename C<typename G<N - 1>::type, typename G<N - 1>::type>::type;\n};\n"
       "template <> struct G<0> { using type = L<int>; };\nG<30>::type x;\n"});
  CompileRequest request = testing::request_for(package, strongest());
  request.limits.memory_bytes = std::uint64_t{512} << 20;
  const auto result = compile_confined(request);
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_EQ(result->kind, Kind::kCompileLimit);
  EXPECT_EQ(compile_limit_name(result->limit), "memory");
  EXPECT_EQ(result->sentence, "The compiler wants more than 536870912 bytes of memory.");
}

TEST(CompileSandbox, TwentyStepsCompileAtOnce) {
  std::atomic<int> compiled{0};
  std::atomic<int> next{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 5; ++i) {
    threads.emplace_back([&] {
      for (int at = next++; at < 20; at = next++) {
        const auto languages = testing::compiled_languages();
        const KernelLanguage language = languages[static_cast<std::size_t>(at) % languages.size()];
        const CompileResult result =
            compile({language, std::string(testing::small_source(language))}, strongest());
        if (result.kind == Kind::kCompiled) ++compiled;
      }
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(compiled, 20);
  EXPECT_FALSE(testing::has_compile_folders());
  EXPECT_FALSE(testing::has_children());
}

TEST(CompileSandbox, NamesOfKindsAndLimits) {
  EXPECT_EQ(compile_kind_name(Kind::kCompiled), "compiled");
  EXPECT_EQ(compile_kind_name(Kind::kCompileError), "compile_error");
  EXPECT_EQ(compile_kind_name(Kind::kCompileLimit), "compile_limit");
  EXPECT_EQ(compile_kind_name(Kind::kCompilerCrash), "compiler_crash");
  EXPECT_EQ(compile_limit_name(Limit::kNone), "none");
  EXPECT_EQ(compile_limit_name(Limit::kMemory), "memory");
  EXPECT_EQ(compile_limit_name(Limit::kFileSize), "file_size");
}

}  // namespace
}  // namespace halyard::worker
