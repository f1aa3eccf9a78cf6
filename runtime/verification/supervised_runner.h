// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/verification/runner.h"
#include "runtime/worker/launch_arena.h"
#include "runtime/worker/shared_memory.h"
#include "runtime/worker/worker_process.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace halyard::verification {

// A candidate's build, and where it is to run.
struct CandidateDesc {
  worker::WorkerDesc worker;
  worker::LoadRequest load;     // without capacities
  std::vector<std::byte> code;  // conformance has been checked
  std::chrono::milliseconds launch_patience{10'000};
  std::uint64_t workspace_bytes = std::uint64_t{256} << 20;  // at most, for the kernel's workspace
};

// A runner over confined workers: one process for the candidate, replaced when it ends.
class SupervisedRunner final : public Runner {
 public:
  explicit SupervisedRunner(CandidateDesc desc);

  base::Result<std::vector<TensorMemory>> place(const LaunchDesc& desc) override;
  base::Result<LaunchOutcome> launch() override;
  // The process of an emulated device goes on: it remembers nothing of a launch.
  void restart() override;

  // As place(), with `set_count` copies of every tensor, which launches take in turn.
  base::Result<std::vector<std::vector<TensorMemory>>> place_sets(const LaunchDesc& desc,
                                                                  std::uint32_t set_count);
  // Takes tensors, constants and axes over, so that run() does nothing but launch.
  base::Result<LaunchOutcome> bind();
  // `repeat` launches in a row and the wait for the last, with the time of all of them.
  base::Result<LaunchOutcome> run(std::uint32_t repeat);
  // Takes over what the tensors hold by now, where the device has memory of its own.
  base::Result<LaunchOutcome> upload();
  // As run(), over what the tensors hold by now.
  base::Result<LaunchOutcome> rerun(std::uint32_t repeat);
  // Brings back what the launches left, where the device has memory of its own.
  base::Result<LaunchOutcome> collect();

  // Of the processes so far; the least of them.
  worker::Isolation isolation() const { return isolation_; }
  std::uint32_t process_count() const { return process_count_; }

 private:
  void end_process();
  base::Status make_room(const std::vector<std::uint64_t>& needed);
  void place_tensor(std::size_t tensor, std::uint64_t size_bytes, std::uint64_t alignment_bytes,
                    Fence fence, std::uint32_t set_count);
  TensorMemory memory_of(const worker::TensorPlace& place, std::uint32_t set) const;
  base::Result<LaunchOutcome> act(std::uint32_t actions, std::uint32_t repeat);
  base::Result<std::optional<LaunchOutcome>> ensure_prepared();
  std::optional<std::uint64_t> find_stray_page() const;
  void fill_control();
  LaunchOutcome outcome_of(const worker::WorkerAnswer& answer);
  std::string place_of_fault(std::uint64_t offset) const;
  bool is_in_place() const;

  CandidateDesc desc_;
  std::optional<worker::SharedMemory> arena_;
  worker::ArenaPlan plan_;
  std::optional<worker::WorkerProcess> process_;  // borrows arena_
  worker::Isolation isolation_;
  std::uint32_t process_count_ = 0;

  // As of the last place().
  worker::PrepareRequest prepare_;
  std::string prepare_text_;   // of prepare_
  std::string prepared_text_;  // what process_ has prepared; empty: nothing
  std::vector<std::string> tensor_names_;
  std::vector<std::int64_t> axes_;
  std::vector<std::uint64_t> scalars_;
  std::vector<worker::TensorPlace> places_;
  std::uint32_t set_count_ = 1;
  bool workspace_at_end_ = true;
  std::uint64_t phase_ = 0;  // of tensors without a fence
};

}  // namespace halyard::verification
