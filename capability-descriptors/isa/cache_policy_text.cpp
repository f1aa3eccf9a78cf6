// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/isa/cache_policy_text.h"

#include "capability-descriptors/isa/constant_text.h"
#include "runtime/base/text.h"

#include <array>
#include <string_view>

namespace halyard::isa {
namespace {

using base::concat;

enum class Access : std::uint8_t { kLoad, kStore, kAtomic };

Access access_of(const FormView& view) {
  const std::string_view name = view.name();
  if (name.find("ATOMIC") != std::string_view::npos) return Access::kAtomic;
  if (name.find("STORE") != std::string_view::npos) return Access::kStore;
  return Access::kLoad;
}

constexpr std::uint64_t kDeviceScope = 2;
constexpr std::uint64_t kSystemScope = 3;

std::string atomic_hint_text(std::uint64_t hint, std::uint64_t scope) {
  constexpr std::uint64_t kReturn = 1;
  constexpr std::uint64_t kNonTemporal = 2;
  constexpr std::uint64_t kCascade = 4;
  if ((hint & kCascade) != 0) {
    if (scope < kDeviceScope) return concat("TH_ATOMIC_", hex_text(hint));
    return (hint & kNonTemporal) != 0 ? "TH_ATOMIC_CASCADE_NT" : "TH_ATOMIC_CASCADE_RT";
  }
  if ((hint & kNonTemporal) != 0) {
    return (hint & kReturn) != 0 ? "TH_ATOMIC_NT_RETURN" : "TH_ATOMIC_NT";
  }
  return "TH_ATOMIC_RETURN";
}

std::string hint_text(Access access, std::uint64_t hint, std::uint64_t scope) {
  if (access == Access::kAtomic) return atomic_hint_text(hint, scope);
  constexpr std::array<std::string_view, 8> kLoads = {"",      "NT",    "HT",    "LU",
                                                      "NT_RT", "RT_NT", "NT_HT", ""};
  constexpr std::array<std::string_view, 8> kStores = {"",      "NT",    "HT",    "RT_WB",
                                                       "NT_RT", "RT_NT", "NT_HT", "NT_WB"};
  const bool is_store = access == Access::kStore;
  if (hint == 3 && scope == kSystemScope) return is_store ? "TH_STORE_BYPASS" : "TH_LOAD_BYPASS";
  const std::string_view name = is_store ? kStores[hint & 7] : kLoads[hint & 7];
  if (name.empty()) return hex_text(hint);
  return concat(is_store ? "TH_STORE_" : "TH_LOAD_", name);
}

// The formats that gfx11 and later number in one list.
constexpr std::array<std::string_view, 64> kUnifiedFormats = {
    "INVALID",
    "8_UNORM",
    "8_SNORM",
    "8_USCALED",
    "8_SSCALED",
    "8_UINT",
    "8_SINT",
    "16_UNORM",
    "16_SNORM",
    "16_USCALED",
    "16_SSCALED",
    "16_UINT",
    "16_SINT",
    "16_FLOAT",
    "8_8_UNORM",
    "8_8_SNORM",
    "8_8_USCALED",
    "8_8_SSCALED",
    "8_8_UINT",
    "8_8_SINT",
    "32_UINT",
    "32_SINT",
    "32_FLOAT",
    "16_16_UNORM",
    "16_16_SNORM",
    "16_16_USCALED",
    "16_16_SSCALED",
    "16_16_UINT",
    "16_16_SINT",
    "16_16_FLOAT",
    "10_11_11_FLOAT",
    "11_11_10_FLOAT",
    "10_10_10_2_UNORM",
    "10_10_10_2_SNORM",
    "10_10_10_2_UINT",
    "10_10_10_2_SINT",
    "2_10_10_10_UNORM",
    "2_10_10_10_SNORM",
    "2_10_10_10_USCALED",
    "2_10_10_10_SSCALED",
    "2_10_10_10_UINT",
    "2_10_10_10_SINT",
    "8_8_8_8_UNORM",
    "8_8_8_8_SNORM",
    "8_8_8_8_USCALED",
    "8_8_8_8_SSCALED",
    "8_8_8_8_UINT",
    "8_8_8_8_SINT",
    "32_32_UINT",
    "32_32_SINT",
    "32_32_FLOAT",
    "16_16_16_16_UNORM",
    "16_16_16_16_SNORM",
    "16_16_16_16_USCALED",
    "16_16_16_16_SSCALED",
    "16_16_16_16_UINT",
    "16_16_16_16_SINT",
    "16_16_16_16_FLOAT",
    "32_32_32_UINT",
    "32_32_32_SINT",
    "32_32_32_FLOAT",
    "32_32_32_32_UINT",
    "32_32_32_32_SINT",
    "32_32_32_32_FLOAT",
};

constexpr std::array<std::string_view, 16> kDataFormats = {
    "INVALID",     "8",        "16",          "8_8",        "32",      "16_16",
    "10_11_11",    "11_11_10", "10_10_10_2",  "2_10_10_10", "8_8_8_8", "32_32",
    "16_16_16_16", "32_32_32", "32_32_32_32", "RESERVED_15"};
constexpr std::array<std::string_view, 8> kNumberFormats = {
    "UNORM", "SNORM", "USCALED", "SSCALED", "UINT", "SINT", "RESERVED_6", "FLOAT"};

}  // namespace

std::string cache_policy_text(const FormView& view) {
  std::string out;
  struct Bit {
    FieldId id;
    std::string_view text;
  };
  constexpr std::array kBits = {Bit{FieldId::kGlc, " glc"}, Bit{FieldId::kSc0, " sc0"},
                                Bit{FieldId::kSlc, " slc"}, Bit{FieldId::kNt, " nt"},
                                Bit{FieldId::kDlc, " dlc"}, Bit{FieldId::kSc1, " sc1"}};
  for (const Bit& bit : kBits) {
    if (view.is_set(bit.id)) out += bit.text;
  }
  const std::uint64_t hint = view.value(FieldId::kTemporalHint);
  const std::uint64_t scope = view.value(FieldId::kScope);
  if (hint != 0) out += concat(" th:", hint_text(access_of(view), hint, scope));
  constexpr std::array<std::string_view, 4> kScopes = {"", " scope:SCOPE_SE", " scope:SCOPE_DEV",
                                                       " scope:SCOPE_SYS"};
  return out += kScopes[scope & 3];
}

std::string buffer_format_text(const FormView& view) {
  if (view.has(FieldId::kFormat)) {
    const std::uint64_t format = view.value(FieldId::kFormat);
    if (format == 1) return {};
    if (format >= kUnifiedFormats.size()) return concat(" format:", format);
    return concat(" format:[BUF_FMT_", kUnifiedFormats[format], ']');
  }
  const std::uint64_t data = view.value(FieldId::kDataFormat);
  const std::uint64_t number = view.value(FieldId::kNumberFormat);
  if (data == 1 && number == 0) return {};
  std::string out = " format:[";
  if (data != 1) out += concat("BUF_DATA_FORMAT_", kDataFormats[data & 15]);
  if (data != 1 && number != 0) out += ',';
  if (number != 0) out += concat("BUF_NUM_FORMAT_", kNumberFormats[number & 7]);
  return out + ']';
}

}  // namespace halyard::isa
