// SPDX-License-Identifier: Apache-2.0
#include "tools/worker/serve.h"

#include "runtime/base/text.h"
#include "runtime/worker/message_channel.h"
#include "runtime/worker/shared_memory.h"
#include "runtime/worker/worker_request.h"
#include "tools/worker/fault_note.h"
#include "tools/worker/kernel_confinement.h"
#include "tools/worker/launch_thread.h"
#include "tools/worker/loaded_kernel.h"

#include <sys/mman.h>

#include <exception>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

namespace halyard::worker {
namespace {

using base::Error;
using base::ErrorCode;

constexpr std::chrono::milliseconds kNoLimit{-1};
constexpr std::string_view kPrepare = "prepare ";

class Server {
 public:
  explicit Server(MessageChannel channel) : channel_(std::move(channel)) {}

  int run() {
    while (true) {
      auto message = channel_.receive(kNoLimit);
      if (!message) return message.error().code() == ErrorCode::kUnavailable ? 0 : 1;
      const base::Status status = answer(std::move(*message));
      Reply reply;
      if (!status) reply = {Reply::Code::kRefused, status.error().message()};
      if (!channel_.send(encode_reply(reply), {}, kNoLimit)) return 1;
    }
  }

 private:
  base::Status answer(Message message) {
    try {
      if (message.text == "load") return load(std::move(message.files));
      if (message.text.starts_with(kPrepare)) {
        return prepare(std::string_view(message.text).substr(kPrepare.size()));
      }
    } catch (const std::exception& failure) {
      return Error(ErrorCode::kInternal, failure.what());
    }
    return Error(ErrorCode::kInvalidArgument, "The request is neither load nor prepare.");
  }

  base::Status load(std::vector<base::FileDescriptor> files) {
    if (kernel_ || files.size() != 3) {
      return Error(ErrorCode::kInvalidArgument, "A worker loads one kernel, from three files.");
    }
    HALYARD_TRY_ASSIGN(document_, SharedMemory::map(std::move(files[0])));
    HALYARD_TRY_ASSIGN(code_, SharedMemory::map(std::move(files[1])));
    HALYARD_TRY_ASSIGN(arena_, SharedMemory::map(std::move(files[2])));
    const std::span<const std::byte> text = document_->bytes();
    HALYARD_TRY_ASSIGN(
        const LoadRequest request,
        parse_load_request({reinterpret_cast<const char*>(text.data()), text.size()}));
    ArenaPlan plan = plan_arena(request.capacities);
    if (plan.slots.empty() || plan.size_bytes != arena_->bytes().size()) {
      return Error(ErrorCode::kInvalidArgument, "The shared memory does not have its slots.");
    }
    HALYARD_TRY(raise_fences(plan));
    auto& control = *reinterpret_cast<LaunchControl*>(arena_->bytes().data());
    control.arena_address = reinterpret_cast<std::uint64_t>(arena_->bytes().data());
    note_faults_in(control);
    const bool is_on_cpu = is_in_place(request.device);
    HALYARD_TRY_ASSIGN(
        LoadedKernel kernel,
        LoadedKernel::load(request, code_->bytes(), is_on_cpu ? &enter_kernel_thread : nullptr));
    kernel_ = std::make_unique<LoadedKernel>(std::move(kernel));
    launcher_ = std::make_unique<ArenaLauncher>(arena_->bytes(), std::move(plan.slots));
    return start_launch_thread(control, *launcher_, is_on_cpu);
  }

  base::Status raise_fences(const ArenaPlan& plan) const {
    std::byte* const base = arena_->bytes().data();
    for (const ArenaSlot& slot : plan.slots) {
      if (slot.capacity_bytes == 0) continue;
      for (const std::uint64_t offset :
           {slot.offset_bytes - kPageBytes, slot.offset_bytes + slot.capacity_bytes}) {
        if (::mprotect(base + offset, kPageBytes, PROT_NONE) == 0) continue;
        return Error(ErrorCode::kUnsupported, "The shared memory cannot be fenced.");
      }
    }
    return base::ok();
  }

  base::Status prepare(std::string_view json) {
    if (!kernel_) return Error(ErrorCode::kInvalidArgument, "No kernel is loaded.");
    HALYARD_TRY_ASSIGN(const PrepareRequest request, parse_prepare_request(json));
    HALYARD_TRY_ASSIGN(PreparedKernel prepared, kernel_->prepare(request));
    // The launching thread sleeps: the verifier asks for one thing at a time.
    launcher_->prepare(kernel_->device(), std::move(prepared), kernel_->told());
    return base::ok();
  }

  MessageChannel channel_;
  std::optional<SharedMemory> document_;
  std::optional<SharedMemory> code_;
  std::optional<SharedMemory> arena_;
  std::unique_ptr<LoadedKernel> kernel_;
  std::unique_ptr<ArenaLauncher> launcher_;
};

}  // namespace

int serve(int file) {
  // Never destroyed: the launching thread uses it until the process ends.
  auto* const server = new Server(MessageChannel(base::FileDescriptor(file)));
  return server->run();
}

}  // namespace halyard::worker
