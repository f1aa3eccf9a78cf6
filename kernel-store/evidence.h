// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/kernel_id.h"
#include "kernel-store/kernel_record.h"
#include "runtime/base/result.h"

#include <boost/json/object.hpp>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::store {

enum class EvidenceKind : std::uint8_t { kStatic, kEmulated, kHardware, kSelfTest };
enum class Verdict : std::uint8_t { kPass, kFail };
enum class Isolation : std::uint8_t { kNone, kReduced, kFull };

using AxisValues = std::map<std::string, std::int64_t>;

// The worst element of one shape; an empty ratio is one that is not finite.
struct EvidenceCheck {
  TypeBinding types;
  AxisValues axes;
  std::optional<double> worst_error_ratio;  // Error over its tolerance; at most 1 passes.
  std::optional<bool> guards_intact;
};

struct EvidenceTiming {
  TypeBinding types;
  AxisValues axes;
  boost::json::object attributes;
  std::string clock;
  std::vector<double> samples_ns;
  std::optional<double> roofline_fraction;
};

// What was found out about a kernel, and under which conditions. Immutable once stored.
struct EvidenceRecord {
  KernelId kernel;
  ParameterValues parameters;
  std::string target;
  TypeBinding types;
  std::string device;  // Fingerprint.
  std::string driver;  // Driver id with its version.
  std::string toolchain;
  std::string verifier_name;
  std::string verifier_version;
  EvidenceKind kind = EvidenceKind::kSelfTest;
  Verdict verdict = Verdict::kFail;
  std::string message;
  std::vector<EvidenceCheck> checks;
  std::vector<EvidenceTiming> timings;
  Isolation isolation = Isolation::kNone;
  boost::json::object environment;
  std::string time;  // "2026-02-03T04:05:06Z".
};

// A member of the environment of what was found on an emulated device.
inline constexpr std::string_view kEmulatedMember = "emulated";

// Whether the record was made on a device that exists, verification or self-test: an emulated
// device says nothing of those.
bool is_of_hardware(const EvidenceRecord& record);

using EvidenceId = Digest;

// The canonical `halyard.evidence/1` text, and its SHA-256.
std::string evidence_json(const EvidenceRecord& record);
EvidenceId evidence_id(const EvidenceRecord& record);

// Errors: kCorruptData with the JSON pointer of what is wrong.
base::Result<EvidenceRecord> parse_evidence(std::string_view json_text,
                                            std::string_view source_name);

std::string_view evidence_kind_name(EvidenceKind kind);

}  // namespace halyard::store
