// SPDX-License-Identifier: Apache-2.0
#include "runtime/worker/worker_process.h"

#include "runtime/base/text.h"
#include "runtime/worker/futex.h"
#include "runtime/worker/worker_files.h"

#include <algorithm>
#include <array>
#include <utility>

namespace halyard::worker {
namespace {

using std::chrono::steady_clock;

constexpr int kChannelFile = 3;
// Longer than a small launch, shorter than a scheduler's turn.
constexpr std::chrono::microseconds kSpin{40};
// How often a wait looks whether the process is still there.
constexpr std::chrono::milliseconds kLook{20};

// Of a launch that is not done.
WorkerAnswer::Kind kind_of(std::uint32_t answer) {
  switch (static_cast<LaunchAnswer>(answer)) {
    case LaunchAnswer::kOutOfBounds:
      return WorkerAnswer::Kind::kOutOfBounds;
    case LaunchAnswer::kReported:
      return WorkerAnswer::Kind::kReported;
    default:
      return WorkerAnswer::Kind::kRefused;
  }
}

}  // namespace

WorkerProcess::WorkerProcess(SandboxedProcess process, MessageChannel channel,
                             const SharedMemory& arena, std::chrono::milliseconds patience)
    : process_(std::move(process)),
      channel_(std::move(channel)),
      arena_(&arena),
      patience_(patience) {}

LaunchControl& WorkerProcess::control() const {
  return *reinterpret_cast<LaunchControl*>(arena_->bytes().data());
}

base::Result<WorkerProcess> WorkerProcess::start(const WorkerDesc& desc, const LoadRequest& request,
                                                 std::span<const std::byte> code,
                                                 const SharedMemory& arena) {
  const std::string document = load_request_json(request);
  HALYARD_TRY_ASSIGN(const SharedMemory document_memory,
                     SharedMemory::create_sealed(std::as_bytes(std::span(document))));
  HALYARD_TRY_ASSIGN(const SharedMemory code_memory, SharedMemory::create_sealed(code));
  HALYARD_TRY_ASSIGN(auto ends, MessageChannel::open_pair());
  SandboxDesc sandbox;
  HALYARD_TRY(describe_worker(desc.program, request.device, request.data_directory, sandbox));
  sandbox.limits = desc.limits;
  sandbox.limits.memory_bytes += arena.bytes().size();
  sandbox.files = {{ends.second.file(), kChannelFile}};
  HALYARD_TRY_ASSIGN(SandboxedProcess process,
                     SandboxedProcess::start(desc.program, desc.isolation, sandbox));
  auto& control = *reinterpret_cast<LaunchControl*>(arena.bytes().data());
  control.requested.store(0, std::memory_order_relaxed);
  control.finished.store(0, std::memory_order_relaxed);
  control.fault_signal.store(0, std::memory_order_release);
  WorkerProcess worker(std::move(process), std::move(ends.first), arena, desc.load_patience);
  ends.second = MessageChannel(base::FileDescriptor());  // So that its end shows as one.
  const std::array<int, 3> files = {document_memory.file(), code_memory.file(), arena.file()};
  worker.loaded_ = worker.ask("load", files);
  return worker;
}

WorkerAnswer WorkerProcess::ask(std::string_view text, std::span<const int> files) {
  if (ended_) return *ended_;
  auto message = channel_.send(text, files, patience_)
                     ? channel_.receive(patience_)
                     : base::Result<Message>(base::Error(base::ErrorCode::kUnavailable, ""));
  if (!message) {
    return end(message.error().code() == base::ErrorCode::kDeadlineExceeded);
  }
  const auto reply = parse_reply(message->text);
  if (!reply) return end(false);
  WorkerAnswer answer;
  if (reply->code != Reply::Code::kDone) answer.kind = WorkerAnswer::Kind::kRefused;
  answer.sentence = reply->sentence;
  return answer;
}

WorkerAnswer WorkerProcess::prepare(const PrepareRequest& request) {
  return ask(base::concat("prepare ", prepare_request_json(request)), {});
}

WorkerAnswer WorkerProcess::launch(std::uint32_t actions, std::uint32_t repeat,
                                   std::chrono::milliseconds patience) {
  if (ended_) return *ended_;
  LaunchControl& block = control();
  block.actions = actions;
  block.repeat = repeat;
  block.answer = static_cast<std::uint32_t>(LaunchAnswer::kNone);
  const std::uint32_t ticket = ++tickets_;
  const auto begin = steady_clock::now();
  block.requested.store(ticket, std::memory_order_release);
  futex_wake_shared(block.requested);
  WorkerAnswer answer = await_launch(ticket, patience);
  answer.wall = steady_clock::now() - begin;
  return answer;
}

WorkerAnswer WorkerProcess::await_launch(std::uint32_t ticket, std::chrono::milliseconds patience) {
  LaunchControl& block = control();
  const auto deadline = steady_clock::now() + patience;
  spin_until_changed(block.finished, ticket - 1, kSpin);
  while (true) {
    const std::uint32_t finished = block.finished.load(std::memory_order_acquire);
    if (finished == ticket) break;
    if (finished != ticket - 1) return end(false);  // Only a kernel writes anything else there.
    if (process_.poll(std::chrono::milliseconds(0))) return end(false);
    const auto now = steady_clock::now();
    if (now >= deadline) return end(true);
    futex_wait_shared(block.finished, finished,
                      std::min<std::chrono::nanoseconds>(deadline - now, kLook));
  }
  WorkerAnswer answer;
  const bool is_done = block.answer == static_cast<std::uint32_t>(LaunchAnswer::kDone);
  if (is_done && block.message_bytes == 0) return answer;
  if (!is_done) answer.kind = kind_of(block.answer);
  const std::size_t length = std::min<std::size_t>(block.message_bytes, block.message.size());
  const auto reply = parse_reply(base::concat('1', std::string(block.message.data(), length)));
  answer.sentence = reply ? reply->sentence : std::string();
  return answer;
}

WorkerAnswer WorkerProcess::end(bool is_past_deadline) {
  WorkerAnswer answer;
  answer.kind = WorkerAnswer::Kind::kEnded;
  answer.is_past_deadline = is_past_deadline;
  // A process that has closed its channel is about to end by itself, which tells how.
  auto exit = is_past_deadline ? std::nullopt : process_.poll(std::chrono::milliseconds(500));
  answer.exit = exit ? *exit : process_.kill();
  const LaunchControl& block = control();
  if (block.fault_signal.load(std::memory_order_acquire) != 0) {
    const std::uint64_t offset = block.fault_address - block.arena_address;
    if (offset < arena_->bytes().size()) answer.fault_offset = offset;
  }
  ended_ = answer;
  return answer;
}

}  // namespace halyard::worker
