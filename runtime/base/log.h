// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string_view>

namespace halyard::base {

enum class LogLevel : std::uint32_t { kOff = 0, kError = 1, kWarning = 2, kInfo = 3, kDebug = 4 };

// "off", "error", "warning", "info", "debug".
std::string_view log_level_name(LogLevel level);
std::optional<LogLevel> log_level_from_name(std::string_view name);

// Where one instance tells what it does: standard error, or the application's callback.
//
// Threads: any number may write at once; the callback is called by one at a time. It must not write
// to this log or set its callback.
class Log {
 public:
  using Callback = std::function<void(LogLevel level, std::string_view sentence)>;

  // Sentences of levels beyond `level` are dropped.
  explicit Log(LogLevel level) : level_(level) {}

  void write(LogLevel level, std::string_view sentence);

  LogLevel level() const { return level_.load(std::memory_order_relaxed); }
  void set_level(LogLevel level) { level_.store(level, std::memory_order_relaxed); }
  bool enabled(LogLevel level) const { return level != LogLevel::kOff && level <= this->level(); }

  // Replaces standard error; an empty callback puts it back.
  void set_callback(Callback callback);

 private:
  std::atomic<LogLevel> level_;
  std::mutex mutex_;  // guards callback_ and its calls
  Callback callback_;
};

}  // namespace halyard::base
