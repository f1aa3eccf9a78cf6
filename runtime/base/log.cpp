// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/log.h"

#include "runtime/base/control_character.h"

#include <spdlog/sinks/ansicolor_sink.h>
#include <spdlog/spdlog.h>

#include <array>
#include <memory>
#include <string>
#include <utility>

namespace halyard::base {
namespace {

constexpr std::array<std::string_view, 5> kNames = {"off", "error", "warning", "info", "debug"};

spdlog::level::level_enum sink_level(LogLevel level) {
  switch (level) {
    case LogLevel::kOff:
      return spdlog::level::off;
    case LogLevel::kError:
      return spdlog::level::err;
    case LogLevel::kWarning:
      return spdlog::level::warn;
    case LogLevel::kInfo:
      return spdlog::level::info;
    case LogLevel::kDebug:
      return spdlog::level::debug;
  }
  return spdlog::level::off;
}

// Never destroyed: a thread may still write while the process ends.
spdlog::sinks::ansicolor_stderr_sink_mt& standard_error() {
  static auto* const sink = [] {
    auto made = std::make_unique<spdlog::sinks::ansicolor_stderr_sink_mt>();
    made->set_pattern("%Y-%m-%d %H:%M:%S.%e %n %^%l%$: %v");
    return made.release();
  }();
  return *sink;
}

}  // namespace

std::string_view log_level_name(LogLevel level) {
  const auto index = static_cast<std::uint32_t>(level);
  return index < kNames.size() ? kNames[index] : "unknown";
}

std::optional<LogLevel> log_level_from_name(std::string_view name) {
  for (std::uint32_t index = 0; index < kNames.size(); ++index) {
    if (kNames[index] == name) return static_cast<LogLevel>(index);
  }
  return std::nullopt;
}

void Log::write(LogLevel level, std::string_view sentence) {
  if (!enabled(level)) return;
  {
    const std::lock_guard lock(mutex_);
    if (callback_) {
      callback_(level, sentence);
      return;
    }
  }
  // Names in it may come from strangers, and a terminal acts on such characters.
  const std::string shown = spell_control_characters(sentence);
  standard_error().log(spdlog::details::log_msg("halyard", sink_level(level),
                                                spdlog::string_view_t(shown.data(), shown.size())));
}

void Log::set_callback(Callback callback) {
  const std::lock_guard lock(mutex_);
  callback_ = std::move(callback);
}

}  // namespace halyard::base
