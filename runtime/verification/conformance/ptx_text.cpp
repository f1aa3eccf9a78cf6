// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/conformance/ptx_text.h"

#include "runtime/verification/conformance/finding_list.h"
#include "runtime/verification/conformance/ptx_reader.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

namespace halyard::verification {
namespace {

using descriptors::CapabilityKey;

// "sm_90a": 90 and "a".
struct Processor {
  std::uint32_t number = 0;
  std::string_view suffix;
};

std::optional<Processor> processor_of(std::string_view text) {
  constexpr std::string_view kPrefix = "sm_";
  if (!text.starts_with(kPrefix)) return std::nullopt;
  Processor out;
  const char* const last = text.data() + text.size();
  const auto end = std::from_chars(text.data() + kPrefix.size(), last, out.number);
  if (end.ec != std::errc()) return std::nullopt;
  out.suffix = std::string_view(end.ptr, static_cast<std::size_t>(last - end.ptr));
  return out;
}

// "8.0" as 80.
std::optional<std::uint32_t> version_of(std::string_view text) {
  std::uint32_t major = 0;
  std::uint32_t minor = 0;
  const char* const last = text.data() + text.size();
  const auto dot = std::from_chars(text.data(), last, major);
  if (dot.ec != std::errc() || dot.ptr == last || *dot.ptr != '.') return std::nullopt;
  const auto end = std::from_chars(dot.ptr + 1, last, minor);
  if (end.ec != std::errc() || end.ptr != last || minor > 9 || major > 99) return std::nullopt;
  return major * 10 + minor;
}

class PtxCheck {
 public:
  PtxCheck(const PtxModule& module, const PtxExpectation& expectation, FindingList& findings)
      : module_(module),
        expectation_(expectation),
        findings_(findings) {}

  void run() {
    check_head();
    for (const std::string& fault : module_.faults)
      findings_.refuse(fault);
    check_calls();
    for (const CodeStage& stage : expectation_.stages)
      check_stage(stage);
  }

 private:
  void check_head();
  void check_version(std::string_view allowed);
  void check_target(std::string_view allowed);
  void check_calls();
  void check_stage(const CodeStage& stage);
  void check_block(const CodeStage& stage, const PtxEntry& entry);

  const PtxModule& module_;
  const PtxExpectation& expectation_;
  FindingList& findings_;
};

void PtxCheck::check_head() {
  constexpr std::string_view kPrefix = "ptx-";
  const std::string_view target = expectation_.target;
  const std::size_t slash = target.find('/');
  if (!target.starts_with(kPrefix) || slash == std::string_view::npos) {
    return findings_.refuse("is built for target \"", printable(target),
                            "\", which is no version of PTX and processor");
  }
  check_version(target.substr(kPrefix.size(), slash - kPrefix.size()));
  check_target(target.substr(slash + 1));
  if (module_.address_size != "64") {
    findings_.refuse("has addresses of \"", printable(module_.address_size), "\" bits, not 64");
  }
}

void PtxCheck::check_version(std::string_view allowed) {
  const auto version = version_of(module_.version);
  const auto most = version_of(allowed);
  if (!version || !most) {
    return findings_.refuse("has PTX version \"", printable(module_.version),
                            "\", which is none like ", printable(allowed));
  }
  if (*version > *most) {
    findings_.refuse("has PTX version ", module_.version, ", newer than its target's (", allowed,
                     ")");
  }
  const std::uint32_t newest = expectation_.newest_version;
  if (newest != 0 && *version > newest) {
    findings_.refuse("has PTX version ", module_.version, ", newer than the driver takes (",
                     newest / 10, '.', newest % 10, ")");
  }
}

void PtxCheck::check_target(std::string_view allowed) {
  const auto device = processor_of(allowed);
  if (module_.targets.size() != 1 || !device) {
    return findings_.refuse("names ", module_.targets.size(), " targets, not one");
  }
  const auto processor = processor_of(module_.targets.front());
  const bool fits = processor && (processor->suffix.empty() ? processor->number <= device->number
                                                            : module_.targets.front() == allowed);
  if (fits) return;
  findings_.refuse("is for ", printable(module_.targets.front()), ", which ", printable(allowed),
                   " does not run");
}

void PtxCheck::check_calls() {
  for (const PtxCall& call : module_.calls) {
    const auto& functions = module_.functions;
    if (std::find(functions.begin(), functions.end(), call.callee) != functions.end()) continue;
    findings_.refuse("calls \"", printable(call.callee), "\" in line ", call.line,
                     ", which it does not define");
    if (findings_.is_full()) return;
  }
}

void PtxCheck::check_stage(const CodeStage& stage) {
  const auto entry = std::find_if(module_.entries.begin(), module_.entries.end(),
                                  [&](const PtxEntry& e) { return e.name == stage.entry; });
  if (entry == module_.entries.end()) {
    return findings_.refuse("has no entry \"", printable(stage.entry), "\"");
  }
  const auto& taken = entry->parameter_bytes;
  if (taken.size() != stage.arguments.size()) {
    findings_.refuse("takes ", taken.size(), " parameters in \"", stage.entry,
                     "\", and kernel.json gives ", stage.arguments.size());
  } else {
    for (std::size_t i = 0; i < taken.size(); ++i) {
      if (taken[i] == stage.arguments[i].size_bytes) continue;
      findings_.refuse("takes parameter ", i, " of \"", stage.entry, "\" with ", taken[i],
                       " bytes, and kernel.json gives ", stage.arguments[i].size_bytes);
    }
  }
  check_block(stage, *entry);
  const auto most = expectation_.capabilities == nullptr
                        ? std::nullopt
                        : expectation_.capabilities->number(CapabilityKey::kLimitSharedBytes);
  const double shared =
      static_cast<double>(module_.shared_bytes) +
      static_cast<double>(std::max<std::int64_t>(stage.shared_bytes.value_or(0), 0));
  if (most && shared > *most) {
    findings_.refuse("has ", shared, " bytes of shared memory in \"", stage.entry, "\", and ",
                     expectation_.target, " has ", *most);
  }
}

void PtxCheck::check_block(const CodeStage& stage, const PtxEntry& entry) {
  for (std::size_t d = 0; d < 3; ++d) {
    if (!stage.block[d]) continue;
    const auto size = static_cast<std::uint64_t>(*stage.block[d]);
    if (entry.required_block && (*entry.required_block)[d] != size) {
      findings_.refuse("has workgroups of ", (*entry.required_block)[d], " in dimension ", d,
                       " of \"", stage.entry, "\", and kernel.json says ", size);
    }
    if (entry.largest_block && size > (*entry.largest_block)[d]) {
      findings_.refuse("takes workgroups of ", (*entry.largest_block)[d], " in dimension ", d,
                       " of \"", stage.entry, "\", and kernel.json says ", size);
    }
  }
}

}  // namespace

std::vector<Finding> check_ptx_text(std::string_view text, const PtxExpectation& expectation) {
  FindingList findings(base::concat("The code of kernel \"", printable(expectation.kernel), "\""));
  if (text.size() > kMostPtxBytes) {
    findings.refuse("has ", text.size(), " bytes, more than ", kMostPtxBytes);
    return std::move(findings).take();
  }
  const auto strange = std::find_if(text.begin(), text.end(), [](char c) {
    return c != '\t' && c != '\n' && c != '\r' && (c < 0x20 || c > 0x7e);
  });
  if (strange != text.end()) {
    findings.refuse("has byte ", unsigned{static_cast<unsigned char>(*strange)}, " at offset ",
                    strange - text.begin(), ", which is no text of ASCII");
    return std::move(findings).take();
  }
  const PtxModule module = read_ptx(text);
  PtxCheck(module, expectation, findings).run();
  return std::move(findings).take();
}

}  // namespace halyard::verification
