// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/conformance/package_files_check.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <string>
#include <string_view>

namespace halyard::verification {
namespace {

constexpr std::size_t kMostFiles = 64;

using store::KernelLanguage;

struct LanguageRule {
  KernelLanguage language;
  std::string_view extensions;  // with blanks around each
  std::string_view targets;     // starts of targets, with blanks around each
  bool has_host_parts;          // whether the language itself lets host code stand beside
};

constexpr std::array kRules = {
    LanguageRule{KernelLanguage::kCpp, " .cpp .cc .h .hpp .inc ", " x86_64-v ", false},
    LanguageRule{KernelLanguage::kGlsl, " .comp .glsl .h ", " spirv-1. ", false},
    LanguageRule{KernelLanguage::kHip, " .hip .cpp .h .hpp .inc ", " amdgcn-gfx ", true},
    LanguageRule{KernelLanguage::kCuda, " .cu .cuh .h .hpp .inc ", " nvsass-sm_ ptx- ", true},
    LanguageRule{KernelLanguage::kPtx, " .ptx ", " nvsass-sm_ ptx- ", false},
    LanguageRule{KernelLanguage::kAmdgcnAssembly, " .s .S .inc ", " amdgcn-gfx ", false},
    LanguageRule{KernelLanguage::kSpirvAssembly, " .spvasm ", " spirv-1. ", false},
    LanguageRule{KernelLanguage::kSpirv, " .spv ", " spirv-1. ", false},
    LanguageRule{KernelLanguage::kObject, " .so .o .co .hsaco .cubin ",
                 " x86_64-v amdgcn-gfx nvsass-sm_ ", false},
};

// What only host code says.
constexpr auto kHostWords = std::to_array<std::string_view>({
    "<<<",        "hipLaunch",       "cudaLaunch",
    "hipModule",  "cuModule",        "cuLaunch",
    "hipMalloc",  "cudaMalloc",      "hipMemcpy",
    "cudaMemcpy", "hipStream",       "cudaStream",
    "cudaDevice", "hipDevice",       "dlopen",
    "int main",   "PYBIND11_MODULE", "TORCH_LIBRARY",
    "<torch/",    "<cuda_runtime",   "<hip/hip_runtime",
});

const LanguageRule& rule_of(KernelLanguage language) {
  return *std::find_if(kRules.begin(), kRules.end(),
                       [&](const LanguageRule& rule) { return rule.language == language; });
}

// The text with blanks for what comments and string literals hold.
std::string without_comments(std::string_view text) {
  std::string out(text);
  const auto blank = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < std::min(to, out.size()); ++i)
      out[i] = out[i] == '\n' ? '\n' : ' ';
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = text.substr(i);
    std::size_t end = 0;
    if (rest.starts_with("//")) {
      end = std::min(text.find('\n', i), text.size());
    } else if (rest.starts_with("/*")) {
      end = std::min(text.find("*/", i + 2), text.size());
    } else {
      continue;
    }
    blank(i, end);
    i = end;
  }
  return out;
}

bool is_one_of(std::string_view list, std::string_view word) {
  return !word.empty() && list.find(base::concat(' ', word, ' ')) != std::string_view::npos;
}

}  // namespace

void check_package_files(const store::KernelRecord& record, const store::PackageFiles& files,
                         FindingList& findings) {
  const LanguageRule& rule = rule_of(record.language);
  if (files.size() > kMostFiles) {
    findings.refuse("has ", files.size(), " files; the limit is ", kMostFiles);
  }
  std::set<std::string> folded;
  for (const auto& [name, content] : files) {
    std::string lower = name;
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (!folded.insert(std::move(lower)).second) {
      findings.refuse("has the file \"", printable(name),
                      "\", which is another's name on systems that take letters of either case "
                      "for the same");
    }
    const std::size_t dot = name.rfind('.');
    const std::string_view extension =
        dot == std::string::npos ? std::string_view{} : std::string_view(name).substr(dot);
    if (!is_one_of(rule.extensions, extension)) {
      findings.refuse("has the file \"", printable(name), "\", which is no ",
                      store::word_of(record.language),
                      " code: host code not allowed in a device kernel");
      continue;
    }
    if (!rule.has_host_parts) continue;
    const std::string text = without_comments(content);
    for (const std::string_view word : kHostWords) {
      if (text.find(word) == std::string::npos) continue;
      findings.refuse("has \"", word, "\" in \"", printable(name),
                      "\": host code not allowed in a device kernel");
      break;
    }
  }
}

void check_targets(const store::KernelRecord& record, FindingList& findings) {
  const LanguageRule& rule = rule_of(record.language);
  for (const std::string& target : record.targets) {
    bool is_known = false;
    for (std::size_t at = 1; at < rule.targets.size();) {
      const std::size_t end = rule.targets.find(' ', at);
      is_known = is_known || (target.starts_with(rule.targets.substr(at, end - at)) &&
                              target.size() > end - at);
      at = end + 1;
    }
    if (is_known) continue;
    findings.refuse("is for target \"", printable(target), "\", which no ",
                    store::word_of(record.language), " is compiled for");
  }
}

}  // namespace halyard::verification
