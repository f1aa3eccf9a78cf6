// SPDX-License-Identifier: Apache-2.0
#include "runtime/worker/confinement_policy.h"

#include "runtime/worker/sandbox.h"

#include <cstring>
#include <type_traits>

namespace halyard::worker {
namespace {

constexpr std::uint64_t kMagic = 0x31796c6f50796c48;  // "HlyPoly1"

class PolicyWriter {
 public:
  template <typename Number>
  void number(Number value) {
    static_assert(std::is_integral_v<Number>);
    const auto wide = static_cast<std::uint64_t>(value);
    out_.append(reinterpret_cast<const char*>(&wide), sizeof wide);
  }
  void text(const std::string& value) {
    number(value.size());
    out_.append(value);
  }
  void texts(const std::vector<std::string>& values) {
    number(values.size());
    for (const std::string& value : values)
      text(value);
  }
  std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

// Reads in the order of writing; after a failure everything reads as zero or empty.
class PolicyReader {
 public:
  explicit PolicyReader(std::string_view bytes) : rest_(bytes) {}

  std::uint64_t number() {
    std::uint64_t value = 0;
    if (rest_.size() < sizeof value) return fail();
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_.remove_prefix(sizeof value);
    return value;
  }
  template <typename Number>
  void number(Number& out) {
    const std::uint64_t value = number();
    out = static_cast<Number>(value);
    if (static_cast<std::uint64_t>(out) != value) fail();
  }
  // Each element takes eight bytes at least.
  std::uint64_t count() {
    const std::uint64_t value = number();
    return value <= rest_.size() / 8 ? value : fail();
  }
  std::string text() {
    const std::uint64_t size = number();
    if (size > rest_.size()) {
      fail();
      return {};
    }
    std::string value(rest_.substr(0, size));
    rest_.remove_prefix(size);
    if (value.find('\0') != std::string::npos) fail();
    return value;
  }
  std::vector<std::string> texts() {
    std::vector<std::string> values;
    for (std::uint64_t left = count(); left > 0; --left)
      values.push_back(text());
    return values;
  }
  bool is_whole() const { return !failed_ && rest_.empty(); }

 private:
  std::uint64_t fail() {
    failed_ = true;
    rest_ = {};
    return 0;
  }

  std::string_view rest_;
  bool failed_ = false;
};

}  // namespace

std::string encode_policy(const ConfinementPolicy& policy) {
  PolicyWriter writer;
  writer.number(kMagic);
  writer.number(static_cast<std::uint8_t>(policy.profile));
  writer.number(policy.is_namespaced);
  writer.number(policy.has_landlock);
  writer.number(policy.has_filter);
  writer.number(policy.user);
  writer.number(policy.control_file);
  writer.number(policy.limits.memory_bytes);
  writer.number(policy.limits.file_bytes);
  writer.number(policy.limits.cpu_seconds);
  writer.number(policy.limits.user_processes);
  writer.text(policy.working_directory);
  writer.number(policy.kept_files.size());
  for (const std::int32_t file : policy.kept_files)
    writer.number(file);
  writer.number(policy.paths.size());
  for (const PathRule& rule : policy.paths) {
    writer.text(rule.path);
    writer.number(rule.rights);
  }
  writer.texts(policy.arguments);
  writer.texts(policy.environment);
  return writer.take();
}

std::optional<ConfinementPolicy> decode_policy(std::string_view bytes) {
  PolicyReader reader(bytes);
  if (reader.number() != kMagic) return std::nullopt;
  ConfinementPolicy policy;
  const std::uint64_t profile = reader.number();
  if (profile > static_cast<std::uint64_t>(SyscallProfile::kDevice)) return std::nullopt;
  policy.profile = static_cast<SyscallProfile>(profile);
  policy.is_namespaced = reader.number() != 0;
  policy.has_landlock = reader.number() != 0;
  policy.has_filter = reader.number() != 0;
  reader.number(policy.user);
  reader.number(policy.control_file);
  reader.number(policy.limits.memory_bytes);
  reader.number(policy.limits.file_bytes);
  reader.number(policy.limits.cpu_seconds);
  reader.number(policy.limits.user_processes);
  policy.working_directory = reader.text();
  for (std::uint64_t left = reader.count(); left > 0; --left) {
    std::int32_t file = 0;
    reader.number(file);
    policy.kept_files.push_back(file);
  }
  for (std::uint64_t left = reader.count(); left > 0; --left) {
    PathRule rule;
    rule.path = reader.text();
    reader.number(rule.rights);
    policy.paths.push_back(std::move(rule));
  }
  policy.arguments = reader.texts();
  policy.environment = reader.texts();
  if (!reader.is_whole() || policy.arguments.empty()) return std::nullopt;
  return policy;
}

}  // namespace halyard::worker
