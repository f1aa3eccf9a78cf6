// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::descriptors {

enum class CapabilityKey : std::uint32_t {
#define HALYARD_CAPABILITY_KEY(enumerator, name, kind, unit, meaning) enumerator,
#include "capability-descriptors/capability_keys.inc"
#undef HALYARD_CAPABILITY_KEY
};

enum class CapabilityKind : std::uint32_t { kFlag = 1, kNumber = 2, kText = 3 };

// Who says so. A measured or derived value never passes for the driver's.
enum class CapabilityOrigin : std::uint32_t {
  kDriver = 1,
  kDocumented = 2,
  kComputed = 3,
  kMeasured = 4,
  kDerived = 5,
};

struct CapabilityKeyInfo {
  std::string_view name;
  CapabilityKind kind;
  std::string_view unit;
  std::string_view meaning;
};

// Another name of a known key.
struct CapabilityAlias {
  std::string_view name;
  CapabilityKey key;
};

const CapabilityKeyInfo& capability_key_info(CapabilityKey key);
// By name or alias.
std::optional<CapabilityKey> capability_key_from_name(std::string_view name);
const std::vector<CapabilityKey>& all_capability_keys();
std::span<const CapabilityAlias> capability_aliases();
// The end of a message about an unknown key: "; the nearest is "cpu.avx2"", or nothing.
std::string nearest_capability_clause(std::string_view name);
// Whether `name` has the form "vendor.<name>.<key>", in lower case.
bool is_vendor_capability_name(std::string_view name);
// Whether a fact is about the instructions of a device (types, matrix operations, machine code)
// rather than about what it is made of.
bool is_about_instructions(std::string_view name);
// The only texts that a key may have; empty where any text may stand.
std::span<const std::string_view> capability_choices(CapabilityKey key);

// "flag", "number" or "text".
std::string_view capability_kind_name(CapabilityKind kind);
// "driver", "documented", "computed", "measured" or "derived", and back.
std::string_view capability_origin_name(CapabilityOrigin origin);
std::optional<CapabilityOrigin> capability_origin_from_name(std::string_view name);

// A named fact about a device. Flags are 0 or 1 in `number`.
struct Capability {
  CapabilityKind kind = CapabilityKind::kFlag;
  CapabilityOrigin origin = CapabilityOrigin::kDriver;
  double number = 0;
  std::string text;
  std::string unit;
  std::string source;  // title of the document that says so; empty for a driver
};

// Whether both say the same thing; who says so does not matter.
bool same_value(const Capability& left, const Capability& right);

// The facts known of one device; a key that is absent is *unknown*, which is neither no nor zero.
// Immutable once the device is listed, so any number of threads may read it.
class CapabilitySet {
 public:
  void set_flag(CapabilityKey key, bool value, CapabilityOrigin origin = CapabilityOrigin::kDriver);
  void set_number(CapabilityKey key, double value,
                  CapabilityOrigin origin = CapabilityOrigin::kDriver);
  void set_text(CapabilityKey key, std::string value,
                CapabilityOrigin origin = CapabilityOrigin::kDriver);

  // A value of any kind, as it stands; the name of a known key, or `vendor.<name>.<key>`.
  void set(std::string name, Capability capability);

  // Null when unknown. `name` may be a known key, an alias of one or `vendor.<name>.<key>`.
  const Capability* find(std::string_view name) const;
  std::optional<double> number(CapabilityKey key) const;
  // True only for a known flag that is set.
  bool has(CapabilityKey key) const;

  const std::map<std::string, Capability, std::less<>>& all() const { return values_; }

 private:
  std::map<std::string, Capability, std::less<>> values_;
};

}  // namespace halyard::descriptors
