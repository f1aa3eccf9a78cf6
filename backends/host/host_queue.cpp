// SPDX-License-Identifier: Apache-2.0
#include "backends/host/host_queue.h"

#include "backends/host/host_deadline.h"
#include "backends/host/host_semaphore.h"
#include "backends/host/host_thread.h"
#include "runtime/base/text.h"
#include "runtime/core/buffer.h"

#include <pthread.h>

#include <cstring>
#include <exception>
#include <new>
#include <utility>

namespace halyard::host {
namespace {

constexpr std::chrono::nanoseconds kForEver{-1};

template <typename T>
base::Ref<T> hold(T& object) {
  return base::Ref<T>::share(&object);
}

void fill_words(std::byte* bytes, std::uint64_t length_bytes, std::uint32_t pattern) {
  for (std::uint64_t i = 0; i < length_bytes; i += sizeof(pattern))
    std::memcpy(bytes + i, &pattern, sizeof(pattern));
}

base::Status check_slot(std::uint32_t slot) {
  if (slot < core::kTimestampSlots) return base::ok();
  return base::Error(base::ErrorCode::kInvalidArgument,
                     base::concat("Timestamp slot ", slot, " is past the last one (",
                                  core::kTimestampSlots - 1, ")."));
}

// Of a thread of ours, which nothing of the interface is around: what the standard library throws
// is a failure of the command.
base::Status run_guarded(const std::function<base::Status()>& run) {
  try {
    return run();
  } catch (const std::bad_alloc&) {
    return base::Error(base::ErrorCode::kOutOfMemory,
                       "The host has no memory for a command of the queue.");
  } catch (const std::exception& exception) {
    return base::Error(base::ErrorCode::kInternal,
                       base::concat("A command of the queue has thrown: ", exception.what(), "."));
  }
}

std::uint64_t now_ns() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::nanoseconds(now).count());
}

}  // namespace

HostQueue::HostQueue(core::Device& device, const base::ForkGuard& fork_guard)
    : core::Queue(device),
      fork_guard_(fork_guard) {}

HostQueue::~HostQueue() = default;

base::Status HostQueue::copy(core::Buffer& source, std::uint64_t source_offset,
                             core::Buffer& destination, std::uint64_t destination_offset,
                             std::uint64_t length_bytes) {
  return run_or_defer([=, from = hold(source), to = hold(destination)] {
    std::memcpy(to->host_pointer() + destination_offset, from->host_pointer() + source_offset,
                length_bytes);
    return base::ok();
  });
}

base::Status HostQueue::fill(core::Buffer& buffer, std::uint64_t offset_bytes,
                             std::uint64_t length_bytes, std::uint32_t pattern) {
  return run_or_defer([=, held = hold(buffer)] {
    fill_words(held->host_pointer() + offset_bytes, length_bytes, pattern);
    return base::ok();
  });
}

base::Status HostQueue::wait(core::Semaphore& semaphore, std::uint64_t value) {
  HALYARD_TRY(fork_guard_.check());
  const base::Ref<HostTimeline>& timeline = static_cast<HostSemaphore&>(semaphore).timeline();
  Command command{[timeline, value] { return timeline->wait(value, kForEver); }, true};
  if (is_deferring() && defer(command)) return base::ok();
  if (timeline->value() >= value) return base::ok();
  return start_deferring(std::move(command));
}

base::Status HostQueue::signal(core::Semaphore& semaphore, std::uint64_t value) {
  return run_or_defer([held = hold(semaphore), value] { return held->signal(value); });
}

base::Status HostQueue::flush() {
  return base::ok();
}

base::Status HostQueue::synchronize(std::chrono::nanoseconds timeout) {
  HALYARD_TRY(fork_guard_.check());
  const auto held = hold(*this);  // a forked child must not end what a thread waits in
  std::unique_lock lock(mutex_);
  const auto done = [&] { return commands_.empty(); };
  if (!wait_until_done(caught_up_, lock, timeout, done)) {
    return base::Error(base::ErrorCode::kDeadlineExceeded,
                       base::concat(commands_.size(), " commands of the queue are not done after ",
                                    timeout.count(), " ns."));
  }
  if (!failure_) return base::ok();
  base::Error failure = std::move(*failure_);
  failure_.reset();
  return failure;
}

base::Status HostQueue::write_timestamp(std::uint32_t slot) {
  HALYARD_TRY(check_slot(slot));
  return run_or_defer([this, slot] {
    timestamps_[slot].store(now_ns(), std::memory_order_relaxed);
    return base::ok();
  });
}

base::Result<std::uint64_t> HostQueue::read_timestamp(std::uint32_t slot) {
  HALYARD_TRY(check_slot(slot));
  const std::uint64_t time = timestamps_[slot].load(std::memory_order_relaxed);
  if (time != 0) return time;
  return base::Error(base::ErrorCode::kInvalidArgument,
                     base::concat("Timestamp slot ", slot, " has not been written."));
}

bool HostQueue::defer(Command& command) {
  const std::lock_guard lock(mutex_);
  if (!deferring_.load(std::memory_order_relaxed)) return false;
  commands_.push_back(std::move(command));
  return true;
}

base::Status HostQueue::start_deferring(Command command) {
  HALYARD_TRY(fork_guard_.check());
  HostThreadDesc desc;
  desc.name = "halyard-queue";
  desc.detached = true;
  base::Ref<HostQueue> self = hold(*this);
  const std::lock_guard lock(mutex_);  // the thread waits for it
  HALYARD_TRY(start_thread(desc, &catch_up_body, self.get()));
  self.detach();
  commands_.push_back(std::move(command));
  deferring_.store(true, std::memory_order_release);
  return base::ok();
}

void* HostQueue::catch_up_body(void* queue) {
  ::pthread_setname_np(::pthread_self(), "halyard-queue");
  const auto self = base::Ref<HostQueue>::adopt(static_cast<HostQueue*>(queue));
  self->catch_up();
  return nullptr;
}

void HostQueue::catch_up() {
  std::unique_lock lock(mutex_);
  while (!commands_.empty()) {
    Command& command = commands_.front();
    lock.unlock();
    base::Status status = run_guarded(command.run);
    command.run = nullptr;  // frees what it held, before anybody learns that it is done
    lock.lock();
    if (!status && !failure_) failure_ = std::move(status.error());
    if (!status && command.is_wait) drop_behind(lock);
    commands_.pop_front();
  }
  deferring_.store(false, std::memory_order_release);
  caught_up_.notify_all();
}

void HostQueue::drop_behind(std::unique_lock<std::mutex>& lock) {
  while (commands_.size() > 1) {
    Command last = std::move(commands_.back());
    commands_.pop_back();
    lock.unlock();
    last.run = nullptr;
    lock.lock();
  }
}

}  // namespace halyard::host
