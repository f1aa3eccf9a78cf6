// SPDX-License-Identifier: Apache-2.0
// T-1: what a source can read of the host while it is compiled. Each spelling is tried by the bare
// compiler first, so that the corpus is known to bite.
#include "runtime/base/text.h"
#include "runtime/toolchain/process.h"
#include "tests/unit/kernel-store/store_fixture.h"
#include "tests/unit/runtime/worker/compile_canary_corpus.h"
#include "tests/unit/runtime/worker/compile_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <signal.h>
#include <spawn.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <regex>
#include <span>
#include <thread>

namespace halyard::worker {
namespace {

namespace fs = std::filesystem;
using base::concat;
using store::KernelLanguage;
using store::testing::TemporaryDirectory;
using store::testing::write_file;
using testing::CanarySpelling;
using testing::Source;

std::string random_word() {
  std::array<unsigned char, 16> bytes{};
  EXPECT_EQ(::getrandom(bytes.data(), bytes.size(), 0), 16);
  std::string word = "k";
  for (const unsigned char byte : bytes) {
    word += "0123456789abcdef"[byte >> 4];
    word += "0123456789abcdef"[byte & 15];
  }
  return word;
}

std::string hex_of(std::string_view text, const char* digits) {
  std::string out;
  for (const unsigned char c : text) {
    out += digits[c >> 4];
    out += digits[c & 15];
  }
  return out;
}

std::string base64_of(std::string_view text) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i + 3 <= text.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t j = 0; j < 3; ++j)
      group = group << 8 | static_cast<unsigned char>(text[i + j]);
    for (int shift = 18; shift >= 0; shift -= 6)
      out += kDigits[group >> shift & 63];
  }
  return out;
}

// The word itself, in hexadecimal, and in base64 wherever it begins.
std::vector<std::string> forms_of(const std::string& word) {
  return {word,
          hex_of(word, "0123456789abcdef"),
          hex_of(word, "0123456789ABCDEF"),
          base64_of(word),
          base64_of(word.substr(1)),
          base64_of(word.substr(2))};
}

bool holds(std::string_view text, const std::vector<std::string>& forms) {
  return std::any_of(forms.begin(), forms.end(), [text](const std::string& form) {
    return text.find(form) != std::string_view::npos;
  });
}

std::string replaced(std::string text, std::string_view old_text, std::string_view new_text) {
  for (std::size_t at = 0; (at = text.find(old_text, at)) != std::string::npos;) {
    text.replace(at, old_text.size(), new_text);
    at += new_text.size();
  }
  return text;
}

// One file of the host, and words that must stay there.
struct Canary {
  std::string kind;
  std::string path;
  bool is_file = true;  // else an environment in /proc
  std::string word = random_word();
  std::string marker = random_word();
};

std::string filled(std::string_view text, const Canary& canary) {
  const fs::path path = canary.path;
  std::string up;
  for (int i = 0; i < 12; ++i)
    up += "../";
  std::string out = replaced(std::string(text), "@P@", canary.path);
  out = replaced(out, "@R@", up + canary.path.substr(1));
  out = replaced(out, "@D@", path.parent_path().string());
  out = replaced(out, "@N@", path.filename().string());
  out = replaced(out, "@O@", "\\057" + canary.path.substr(1));
  return replaced(out, "@M@", canary.marker);
}

struct Corpus {
  KernelLanguage language;
  std::string_view prologue;
  std::span<const CanarySpelling> spellings;
  bool reads_files;
  bool reads_environments;  // whose files have no size
};

std::vector<Corpus> corpora() {
  return {
      {KernelLanguage::kCpp, testing::kCppPrologue, testing::kCppSpellings, true, false},
      {KernelLanguage::kHip, testing::kCppPrologue, testing::kCppSpellings, true, false},
      {KernelLanguage::kAmdgcnAssembly, "", testing::kAssemblySpellings, true, false},
      {KernelLanguage::kGlsl, testing::kGlslPrologue, testing::kGlslSpellings, true, true},
      {KernelLanguage::kSpirvAssembly, "", testing::kSpirvSpellings, false, false},
  };
}

store::KernelPackage package_of(const Corpus& corpus, const CanarySpelling& spelling,
                                const Canary& canary) {
  Source source{corpus.language, concat(corpus.prologue, filled(spelling.text, canary))};
  if (!spelling.other_name.empty()) {
    source.other_files[std::string(spelling.other_name)] = filled(spelling.other_text, canary);
  }
  return testing::package_of(source);
}

// All that is left of a compilation by a compiler as a careless program starts it: in its own
// environment, of which the canary is the first word.
std::string compile_plainly(const store::KernelPackage& package, const Canary& canary) {
  const TemporaryDirectory directory;
  for (const auto& [name, text] : package.files)
    write_file(directory / "package/" + name, text);
  const std::string object = directory / "object";
  std::vector<std::string> arguments = {"env", "-i", canary.word + "=1", "PATH=/usr/bin:/bin"};
  const toolchain::CompileStep step = testing::step_of(package);
  arguments.insert(arguments.end(), step.arguments.begin(), step.arguments.end());
  arguments.push_back(object);
  const auto run = toolchain::run_process(arguments, directory / "package");
  EXPECT_TRUE(run) << run.error().message();
  std::string all = run ? run->output : "";
  if (fs::exists(object)) all += store::testing::read_file(object);
  return all;
}

std::string compile_confinedly(const store::KernelPackage& package, Isolation isolation) {
  const auto result = compile_confined(testing::request_for(package, isolation));
  EXPECT_TRUE(result) << result.error().message();
  if (!result) return {};
  EXPECT_NE(result->limit, CompileResult::Limit::kWall);
  EXPECT_EQ(result->diagnostics.find("/tmp/halyard-compile"), std::string::npos)
      << result->diagnostics;
  return concat(result->sentence, '\n', result->diagnostics, '\n',
                testing::text_of(result->object));
}

// Runs `work` for each index on all processors.
void for_each_index(std::size_t count, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next{0};
  const auto run = [&] {
    for (std::size_t i = next++; i < count; i = next++)
      work(i);
  };
  std::vector<std::thread> threads;
  for (unsigned i = 1; i < std::max(2U, std::thread::hardware_concurrency()); ++i) {
    threads.emplace_back(run);
  }
  run();
  for (std::thread& thread : threads)
    thread.join();
}

// Two files, and the environments of the compiler itself and of another process of the same user.
class CompileCanary : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_FALSE(testing::isolation_levels().empty());
    testing::compilers();
    home_ = fs::current_path() / concat("canary-home-", ::getpid());
    canaries_.push_back({"home", (home_ / ".config/secret").string()});
    canaries_.push_back({"tmp", directory_ / "secret"});
    for (const Canary& canary : canaries_)
      write_file(canary.path, canary.word);
    canaries_.push_back({"own environment", "/proc/self/environ", false});
    Canary other{"other's environment", "", false};
    const std::string variable = other.word + "=1";
    std::array<char*, 2> environment = {const_cast<char*>(variable.c_str()), nullptr};
    std::array<const char*, 3> arguments = {"sleep", "600", nullptr};
    ASSERT_EQ(::posix_spawn(&sleeper_, "/bin/sleep", nullptr, nullptr,
                            const_cast<char**>(arguments.data()), environment.data()),
              0);
    other.path = concat("/proc/", sleeper_, "/environ");
    canaries_.push_back(other);
    for (const Canary& canary : canaries_)
      ::setenv(canary.word.c_str(), "1", 1);
  }

  void TearDown() override {
    for (const Canary& canary : canaries_)
      ::unsetenv(canary.word.c_str());
    if (sleeper_ > 0) {
      ::kill(sleeper_, SIGKILL);
      ::waitpid(sleeper_, nullptr, 0);
    }
    fs::remove_all(home_);
  }

  static std::size_t tried(const Corpus& corpus, const Canary& canary) {
    return canary.is_file ? corpus.spellings.size()
                          : std::min(corpus.spellings.size(), testing::kCoreSpellings);
  }

  struct Leaks {
    std::size_t words = 0;    // spellings that bring out the file's text
    std::size_t oracles = 0;  // that say that the file is there
  };

  static Leaks count_leaks(
      const Corpus& corpus, const Canary& canary,
      const std::function<std::string(const CanarySpelling&, const store::KernelPackage&)>& run) {
    const std::vector<std::string> words = forms_of(canary.word);
    std::atomic<std::size_t> found{0};
    std::atomic<std::size_t> oracles{0};
    for_each_index(tried(corpus, canary), [&](std::size_t i) {
      const CanarySpelling& spelling = corpus.spellings[i];
      const std::string all = run(spelling, package_of(corpus, spelling, canary));
      if (holds(all, words)) ++found;
      if (holds(all, {canary.marker})) ++oracles;
    });
    return {found, oracles};
  }

  TemporaryDirectory directory_;
  fs::path home_;
  pid_t sleeper_ = 0;
  std::vector<Canary> canaries_;
};

TEST_F(CompileCanary, CorpusHasFortySpellingsForClang) {
  EXPECT_GE(testing::kCppSpellings.size(), 40U);
  EXPECT_GE(testing::kAssemblySpellings.size() + testing::kGlslSpellings.size(), 38U);
}

TEST_F(CompileCanary, BareCompilersLeak) {
  for (const Corpus& corpus : corpora()) {
    for (const Canary& canary : canaries_) {
      const Leaks leaks = count_leaks(
          corpus, canary, [&](const CanarySpelling&, const store::KernelPackage& package) {
            return compile_plainly(package, canary);
          });
      std::printf("%-10s %-19s bare: of %2zu spellings %2zu leak it, %zu say that it is there\n",
                  std::string(store::word_of(corpus.language)).c_str(), canary.kind.c_str(),
                  tried(corpus, canary), leaks.words, leaks.oracles);
      const bool can_leak = canary.is_file ? corpus.reads_files : corpus.reads_environments;
      EXPECT_GE(leaks.words, can_leak ? 1U : 0U);
    }
  }
}

TEST_F(CompileCanary, ConfinedCompilersLeakNothing) {
  for (const Isolation isolation : testing::isolation_levels()) {
    std::size_t total = 0;
    std::size_t oracles = 0;
    for (const Corpus& corpus : corpora()) {
      for (const Canary& canary : canaries_) {
        const Leaks leaks =
            count_leaks(corpus, canary,
                        [&](const CanarySpelling& spelling, const store::KernelPackage& package) {
                          const std::string all = compile_confinedly(package, isolation);
                          EXPECT_FALSE(holds(all, forms_of(canary.word)))
                              << store::word_of(corpus.language) << ' ' << spelling.name
                              << " leaks " << canary.kind << ":\n"
                              << all.substr(0, 2000);
                          return all;
                        });
        EXPECT_EQ(leaks.words, 0U);
        total += tried(corpus, canary);
        oracles += leaks.oracles;
      }
    }
    std::printf("%s isolation: of %zu spellings 0 leak it, %zu say that it is there\n",
                std::string(isolation_name(isolation)).c_str(), total, oracles);
    // Without namespaces, nothing hides from stat() that there is a file.
    EXPECT_TRUE(isolation != Isolation::kFull || oracles == 0);
  }
  EXPECT_FALSE(testing::has_compile_folders());
}

// Not even whether a file is there: without it, the answers are the same.
TEST_F(CompileCanary, FullIsolationHidesWhetherAFileIsThere) {
  if (testing::isolation_levels().front() != Isolation::kFull) {
    GTEST_SKIP() << "Full isolation is not to be had here.";
  }
  const Canary& canary = canaries_[0];
  const auto answers_to = [&](const Corpus& corpus) {
    std::vector<std::string> answers(corpus.spellings.size());
    for_each_index(answers.size(), [&](std::size_t i) {
      // Names of temporary files are random.
      answers[i] = std::regex_replace(
          compile_confinedly(package_of(corpus, corpus.spellings[i], canary), Isolation::kFull),
          std::regex("-[0-9a-f]{6}\\.o"), ".o");
    });
    return answers;
  };
  std::vector<std::vector<std::string>> with_file;
  for (const Corpus& corpus : corpora())
    with_file.push_back(answers_to(corpus));
  fs::remove(canary.path);
  for (std::size_t at = 0; const Corpus& corpus : corpora()) {
    EXPECT_EQ(with_file[at++], answers_to(corpus)) << store::word_of(corpus.language);
  }
}

TEST_F(CompileCanary, LinkInAPackageIsRefusedBeforeItIsRead) {
  const std::string folder = directory_ / "package";
  write_file(folder + "/kernel.json", store::testing::kernel_json());
  ASSERT_EQ(::symlink(canaries_[0].path.c_str(), (folder + "/a.cpp").c_str()), 0);
  const auto package = store::load_kernel_package(
      folder, [](const std::string&) { return base::Result<store::Digest>(store::Digest{}); });
  ASSERT_FALSE(package);
  EXPECT_EQ(package.error().code(), base::ErrorCode::kPermissionDenied);
  EXPECT_THAT(package.error().message(), ::testing::HasSubstr("is a symbolic link"));
  EXPECT_EQ(package.error().message().find(canaries_[0].word), std::string::npos);
}

}  // namespace
}  // namespace halyard::worker
