// SPDX-License-Identifier: Apache-2.0
#include "tools/kernel_builder/kernel_builder.h"

#include "kernel-store/bundle.h"
#include "runtime/base/file.h"
#include "runtime/base/text.h"
#include "runtime/toolchain/compile_plan.h"
#include "runtime/toolchain/process.h"
#include "runtime/toolchain/resource_use.h"
#include "tools/kernel_builder/data_directory.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <ostream>
#include <set>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace halyard::kernel_builder {
namespace {

namespace fs = std::filesystem;
using base::concat;
using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;
using toolchain::CompileStep;
using toolchain::Tool;

constexpr std::size_t kMaxBinaryBytes = std::size_t{64} << 20;
constexpr std::string_view kAmdgcnPrefix = "amdgcn-";

// A kernel of the sources with the binaries it is to have.
struct Package {
  fs::path source;
  fs::path out;
  store::KernelPackage kernel;
  std::vector<CompileStep> steps;
  std::vector<std::optional<store::Digest>> digests;  // Of each step's binary, once it is there.
};

Result<store::Digest> digest_of(const fs::path& path) {
  HALYARD_TRY_ASSIGN(const std::string bytes, base::read_text_file(path.string(), kMaxBinaryBytes));
  return base::Sha256::of(bytes);
}

// One making of the data directory.
class Build {
 public:
  Build(const BuilderOptions& options, std::ostream& log, std::ostream& errors)
      : options_(options),
        log_(log),
        errors_(errors) {}

  bool run() {
    for (const char* const folder : {"contracts", "prelude", "suites", "schema"}) {
      report(mirror_folder(options_.source / folder, options_.out / folder));
    }
    if (!options_.descriptors.empty()) {
      report(mirror_folder(options_.descriptors / "data", options_.out / "descriptors"));
      report(mirror_folder(options_.descriptors / "schema", options_.out / "descriptor-schema"));
    }
    std::error_code code;
    fs::create_directories(options_.out / "kernels", code);
    load_packages();
    find_compilers();
    for (Package& package : packages_)
      plan(package);
    compile_all();
    for (const Package& package : packages_)
      report(write(package));
    report(remove_vanished());
    log_ << packages_.size() << " kernels, " << present_ + made_ << " binaries (" << made_
         << " made now) in " << options_.out.string() << '\n';
    return !failed_;
  }

 private:
  void fail(const std::string& sentence) {
    const std::lock_guard lock(mutex_);
    errors_ << sentence << '\n';
    failed_ = true;
  }

  template <typename T>
  bool report(const Result<T>& result) {
    if (!result) fail(result.error().message());
    return result.has_value();
  }

  static std::vector<fs::path> folders_of(const fs::path& path) {
    std::vector<fs::path> folders;
    std::error_code code;
    fs::directory_iterator entry(path, code);
    for (; !code && entry != fs::directory_iterator(); entry.increment(code)) {
      if (entry->is_directory(code)) folders.push_back(entry->path());
    }
    std::sort(folders.begin(), folders.end());
    return folders;
  }

  void load_packages() {
    std::map<std::string, Result<store::Digest>> preludes;
    const auto prelude_source = [&](const std::string& name) {
      auto found = preludes.find(name);
      if (found == preludes.end()) {
        const std::string root = (options_.source / "prelude").string();
        found = preludes.emplace(name, store::load_prelude_digest(root, name)).first;
      }
      return found->second;
    };
    for (const fs::path& contract : folders_of(options_.source / "kernels")) {
      for (const fs::path& folder : folders_of(contract)) {
        std::error_code code;
        if (!fs::exists(folder / "kernel.json", code)) continue;
        Result<store::KernelPackage> kernel =
            store::load_kernel_package(folder.string(), prelude_source);
        if (!report(kernel)) continue;
        const fs::path out = options_.out / "kernels" / contract.filename() / folder.filename();
        packages_.push_back({folder, out, std::move(*kernel), {}, {}});
      }
    }
  }

  static bool needs(const Package& package, Tool tool) {
    const Result<Tool> needed = toolchain::tool_of(package.kernel.record.language);
    return needed && *needed == tool;
  }

  // Packages whose compiler is missing are left out; one sentence tells which.
  void find_compiler(Tool tool, const std::string& program,
                     std::optional<toolchain::Compiler>* compiler) {
    const auto needs_it = [tool](const Package& package) { return needs(package, tool); };
    if (std::none_of(packages_.begin(), packages_.end(), needs_it)) return;
    Result<toolchain::Compiler> found = toolchain::probe_compiler(program);
    if (found) {
      *compiler = std::move(*found);
      return;
    }
    fail(concat(found.error().message(),
                " Bundled kernels need it: install the packages clang-19 and glslc, or name others "
                "with --clang and --glslc."));
    std::erase_if(packages_, needs_it);
  }

  void find_compilers() {
    find_compiler(Tool::kClang, options_.clang, &compilers_.clang);
    find_compiler(Tool::kGlslc, options_.glslc, &compilers_.glslc);
  }

  // Whether the binary is for a processor of AMD that none are made for.
  bool is_left_out(const CompileStep& step) const {
    const std::string_view target = step.build.target;
    if (!target.starts_with(kAmdgcnPrefix)) return false;
    const std::string_view features = target.substr(kAmdgcnPrefix.size());
    const std::string_view processor = features.substr(0, features.find(':'));
    return std::find(options_.processors.begin(), options_.processors.end(), processor) ==
           options_.processors.end();
  }

  // Plans the binaries and marks those that an earlier run has made alike.
  void plan(Package& package) {
    const std::string prelude = fs::absolute(options_.source / "prelude").string();
    auto steps = toolchain::plan_package(package.kernel, prelude, compilers_);
    if (!report(steps)) return;
    package.steps = std::move(*steps);
    std::erase_if(package.steps, [this](const CompileStep& step) { return is_left_out(step); });
    package.digests.resize(package.steps.size());
    std::error_code code;
    fs::create_directories(package.out, code);
    const std::string builds_path = (package.out / "builds.json").string();
    const auto text = base::read_text_file(builds_path, kMaxBinaryBytes);
    if (!text) return;
    const auto earlier = store::parse_builds(*text, builds_path, package.kernel.id);
    if (!earlier) return;
    for (std::size_t i = 0; i < package.steps.size(); ++i) {
      const store::KernelBuild& wanted = package.steps[i].build;
      for (const store::KernelBuild& build : *earlier) {
        if (build.file != wanted.file || build.toolchain != wanted.toolchain ||
            build.flags != wanted.flags || build.parameters != wanted.parameters) {
          continue;
        }
        const auto digest = digest_of(package.out / build.file);
        if (digest && *digest == build.sha256) package.digests[i] = *digest;
      }
    }
  }

  void compile_all() {
    std::vector<std::pair<Package*, std::size_t>> work;
    for (Package& package : packages_) {
      for (std::size_t i = 0; i < package.steps.size(); ++i) {
        package.digests[i] ? ++present_ : (work.emplace_back(&package, i), 0);
      }
    }
    std::atomic<std::size_t> next{0};
    const auto worker = [&] {
      for (std::size_t at = next++; at < work.size(); at = next++) {
        const Result<store::Digest> digest = compile(*work[at].first, work[at].second);
        if (!report(digest)) continue;
        work[at].first->digests[work[at].second] = *digest;
        ++made_;
      }
    };
    std::vector<std::thread> threads;
    const std::size_t count = std::min<std::size_t>(std::max(options_.jobs, 1U), work.size());
    for (std::size_t i = 1; i < count; ++i)
      threads.emplace_back(worker);
    worker();
    for (std::thread& thread : threads)
      thread.join();
  }

  // By the step's compiler, or as a copy of the source.
  static Status write_binary(const Package& package, const CompileStep& step,
                             const std::string& path) {
    const store::KernelRecord& record = package.kernel.record;
    if (step.tool == Tool::kNone) {
      return base::write_file_atomic(path, package.kernel.files.at(record.source));
    }
    std::vector<std::string> arguments = step.arguments;
    arguments.push_back(path);
    HALYARD_TRY_ASSIGN(const toolchain::ProcessResult run,
                       toolchain::run_process(arguments, package.source.string()));
    if (run.exit_code == 0) return base::ok();
    std::error_code code;
    fs::remove(path, code);
    return Error(ErrorCode::kInvalidArgument,
                 concat("Kernel \"", record.name, "\" does not compile to ", step.build.file,
                        " (exit code ", run.exit_code, "):\n", run.output));
  }

  static Result<store::Digest> compile(const Package& package, std::size_t index) {
    const CompileStep& step = package.steps[index];
    const fs::path output = fs::absolute(package.out / step.build.file);
    const fs::path fresh = output.string() + ".new";
    HALYARD_TRY(write_binary(package, step, fresh.string()));
    std::error_code code;
    HALYARD_TRY_ASSIGN(const store::Digest digest, digest_of(fresh));
    fs::rename(fresh, output, code);
    if (code) {
      return Error(ErrorCode::kIoError,
                   concat("\"", output.string(), "\" is not written: ", code.message(), "."));
    }
    return digest;
  }

  // Notes what the binary says that it occupies; one that is no code object says nothing.
  static Status note_resources(const Package& package, store::KernelBuild& build) {
    if (!build.target.starts_with(kAmdgcnPrefix)) return base::ok();
    const std::string path = (package.out / build.file).string();
    HALYARD_TRY_ASSIGN(const std::string bytes, base::read_text_file(path, kMaxBinaryBytes));
    auto resources = toolchain::resource_use(bytes, path);
    if (resources) build.resources = std::move(*resources);
    return base::ok();
  }

  static Status write(const Package& package) {
    if (package.steps.empty()) return base::ok();
    std::set<std::string> keep = {"kernel.json", "builds.json"};
    HALYARD_TRY_ASSIGN(
        const std::string record,
        store::read_plain_file((package.source / "kernel.json").string(), kMaxBinaryBytes));
    HALYARD_TRY(write_if_changed(package.out / "kernel.json", record));
    for (const auto& [name, contents] : package.kernel.files) {
      keep.insert(name);
      HALYARD_TRY(write_if_changed(package.out / name, contents));
    }
    std::vector<store::KernelBuild> builds;
    for (std::size_t i = 0; i < package.steps.size(); ++i) {
      if (!package.digests[i]) continue;
      builds.push_back(package.steps[i].build);
      builds.back().sha256 = *package.digests[i];
      HALYARD_TRY(note_resources(package, builds.back()));
      keep.insert(builds.back().file);
    }
    HALYARD_TRY(write_if_changed(package.out / "builds.json",
                                 store::builds_json(package.kernel.id, builds)));
    return remove_others(package.out, keep);
  }

  // Kernels whose sources are gone, or do not load, go from the data directory too.
  Status remove_vanished() {
    std::map<std::string, std::set<std::string>> keep;
    for (const Package& package : packages_) {
      if (package.steps.empty()) continue;
      keep[package.out.parent_path().filename().string()].insert(package.out.filename().string());
    }
    std::set<std::string> contracts;
    for (const auto& [contract, kernels] : keep) {
      contracts.insert(contract);
      HALYARD_TRY(remove_others(options_.out / "kernels" / contract, kernels));
    }
    return remove_others(options_.out / "kernels", contracts);
  }

  const BuilderOptions& options_;
  std::ostream& log_;
  std::mutex mutex_;  // Guards errors_ and failed_.
  std::ostream& errors_;
  bool failed_ = false;
  toolchain::Compilers compilers_;
  std::vector<Package> packages_;
  std::size_t present_ = 0;
  std::atomic<std::size_t> made_{0};
};

}  // namespace

bool build_data_directory(const BuilderOptions& options, std::ostream& log, std::ostream& errors) {
  return Build(options, log, errors).run();
}

}  // namespace halyard::kernel_builder
