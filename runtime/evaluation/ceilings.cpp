// SPDX-License-Identifier: Apache-2.0
#include "runtime/evaluation/ceilings.h"

#include "runtime/base/json.h"
#include "runtime/base/text.h"
#include "runtime/evaluation/device_facts.h"
#include "runtime/evaluation/prepared_operation.h"
#include "runtime/evaluation/timing.h"

#include <algorithm>
#include <memory>
#include <thread>
#include <utility>

namespace halyard::services {
namespace {

constexpr std::int64_t kRowElements = 16384;
constexpr std::int64_t kRowBytes = kRowElements * 4;
constexpr std::int64_t kReadBytes = std::int64_t{256} << 20;
constexpr std::int64_t kMaxReadBytes = std::int64_t{2} << 30;
constexpr std::int64_t kSumsPerUnit = std::int64_t{1} << 15;
constexpr std::int64_t kMaxSums = std::int64_t{1} << 22;
constexpr std::int64_t kFirstSteps = 1024;  // Enough to make the loads of a launch negligible.
constexpr std::int64_t kMaxSteps = 1 << 20;
// Short, so that some of many samples run undisturbed.
constexpr std::chrono::milliseconds kFmaSample{3};

using TensorNames = std::map<std::string, std::string>;
using AxisNumbers = std::map<std::string, std::int64_t>;

// A contract with its tensors, ready to be timed.
class Probe {
 public:
  static base::Result<std::unique_ptr<Probe>> create(halyard_device* device,
                                                     const ContractSource& contracts,
                                                     const WorkloadOperation& operation) {
    Workload workload;
    workload.name = operation.contract;
    workload.operations.push_back(operation);
    HALYARD_TRY_ASSIGN(BoundWorkload bound, BoundWorkload::bind(workload, {}, contracts));
    auto probe = std::make_unique<Probe>(std::move(bound));
    HALYARD_TRY_ASSIGN(TensorSet tensors, TensorSet::create(device, probe->bound_, 1));
    probe->tensors_.emplace(std::move(tensors));
    HALYARD_TRY_ASSIGN(
        PreparedOperation prepared,
        PreparedOperation::create(device, probe->bound_.operations.front(), *probe->tensors_, {}));
    probe->operation_.emplace(std::move(prepared));
    return probe;
  }

  explicit Probe(BoundWorkload bound) : bound_(std::move(bound)) {}

  const PreparedOperation& operation() const { return *operation_; }
  base::Result<Timing> time(halyard_queue* queue, const TimingLimits& limits) const {
    return time_on_queue(
        queue, [&] { return operation_->enqueue(queue); }, limits);
  }

 private:
  BoundWorkload bound_;
  std::optional<TensorSet> tensors_;
  std::optional<PreparedOperation> operation_;
};

WorkloadOperation probe_operation(const std::string& contract, base::DataType type,
                                  const AxisNumbers& axes) {
  WorkloadOperation operation;
  operation.name = contract;
  operation.contract = contract;
  operation.types["T"] = type;
  for (const auto& [name, value] : axes)
    operation.axes[name] = base::concat(value);
  operation.tensors["x"].tensor = "x";
  operation.tensors["y"].tensor = "y";
  return operation;
}

// Whether a kernel would be chosen; asked so that a device without one leaves no request behind.
base::Result<bool> has_kernel(halyard_device* device, const WorkloadOperation& operation) {
  std::vector<halyard_axis> axes;
  for (const auto& [name, text] : operation.axes) {
    axes.push_back({name.c_str(), std::stoll(text)});
  }
  const halyard_type_binding binding{"T", static_cast<std::uint32_t>(operation.types.at("T"))};
  halyard_operation_desc desc = HALYARD_OPERATION_DESC_INIT;
  desc.contract = operation.contract.c_str();
  desc.type_count = 1;
  desc.types = &binding;
  desc.axis_count = static_cast<std::uint32_t>(axes.size());
  desc.axes = axes.data();
  std::size_t size = 0;
  HALYARD_TRY(library_status(halyard_operation_explain(device, &desc, 0, nullptr, &size)));
  std::string text(size, '\0');
  HALYARD_TRY(library_status(halyard_operation_explain(device, &desc, size, text.data(), &size)));
  text.resize(size - 1);
  HALYARD_TRY_ASSIGN(const boost::json::value document, base::parse_json(text, "explanation"));
  HALYARD_TRY_ASSIGN(const base::JsonObject object,
                     base::JsonObject::from(document, "explanation"));
  const boost::json::value* chosen = object.find("chosen");
  return chosen != nullptr && !chosen->is_null();
}

// Cores or compute units; where a GPU does not tell, many.
std::int64_t compute_units(halyard_device* device) {
  const std::optional<double> units = capability_number(device, "compute.units");
  if (units && *units >= 1) return static_cast<std::int64_t>(*units);
  halyard_device_info info = HALYARD_DEVICE_INFO_INIT;
  halyard_device_get_info(device, &info);
  const bool is_host =
      info.kind == HALYARD_DEVICE_KIND_CPU || info.kind == HALYARD_DEVICE_KIND_SOFTWARE;
  return is_host ? std::max<std::int64_t>(1, std::thread::hardware_concurrency()) : 64;
}

// Far past the caches, and within what one binding and a share of the memory hold.
std::int64_t read_rows(halyard_device* device) {
  std::int64_t bytes = std::clamp(4 * last_level_cache_bytes(device), kReadBytes, kMaxReadBytes);
  const auto limit_to = [&](const char* key, double share) {
    const std::optional<double> limit = capability_number(device, key);
    if (limit && *limit > 0) {
      bytes = std::min(bytes, static_cast<std::int64_t>(std::min(*limit * share, 9e18)));
    }
  };
  limit_to("limit.storage_buffer_range_bytes", 1);
  limit_to("limit.allocation_bytes", 1);
  limit_to("memory.total_bytes", 0.125);
  return std::max<std::int64_t>(1, bytes / kRowBytes);
}

Ceiling ceiling_of(const Timing& timing, std::uint64_t work, std::string method) {
  Ceiling ceiling;
  ceiling.method = std::move(method);
  ceiling.clock = timing.clock;
  for (const double ns : timing.samples_ns) {
    if (ns > 0) ceiling.samples.push_back(static_cast<double>(work) / ns);
  }
  for (const double sample : ceiling.samples)
    ceiling.value = std::max(ceiling.value, sample);
  return ceiling;
}

class CeilingMeter {
 public:
  CeilingMeter(halyard_device* device, const ContractSource& contracts, halyard_queue* queue,
               std::chrono::nanoseconds share)
      : device_(device),
        contracts_(contracts),
        queue_(queue) {
    limits_.budget = share;
    limits_.min_samples = 3;
    limits_.max_samples = 200;
  }

  base::Status measure_reads(Ceilings& out) const {
    const std::int64_t rows = read_rows(device_);
    const WorkloadOperation operation = probe_operation(
        "probe_read", base::DataType::kF32, {{"rows", rows}, {"columns", kRowElements}});
    HALYARD_TRY_ASSIGN(const bool offered, has_kernel(device_, operation));
    if (!offered) {
      out.notes.emplace_back("Memory reads are not measured: no probe_read kernel runs here.");
      return base::ok();
    }
    HALYARD_TRY_ASSIGN(const auto probe, Probe::create(device_, contracts_, operation));
    HALYARD_TRY_ASSIGN(const Timing timing, probe->time(queue_, limits_));
    Ceiling ceiling = ceiling_of(
        timing, probe->operation().bytes(),
        base::concat("best of ", timing.samples_ns.size(), " reads of ", rows * kRowBytes >> 20,
                     " MiB by kernel ", probe->operation().info().kernel_name));
    if (ceiling.value > 0) out.bandwidth = std::move(ceiling);
    return base::ok();
  }

  base::Status measure_products(base::DataType type, Ceilings& out) const {
    const std::int64_t sums = std::min(compute_units(device_) * kSumsPerUnit, kMaxSums);
    AxisNumbers axes{{"n", sums}, {"steps", kFirstSteps}};
    const WorkloadOperation first = probe_operation("probe_fma", type, axes);
    HALYARD_TRY_ASSIGN(const bool offered, has_kernel(device_, first));
    if (!offered) {
      out.notes.push_back(
          base::concat("Products of ", base::data_type_name(type),
                       " are not measured: no probe_fma kernel for them runs "
                       "here",
                       type == base::DataType::kF32 ? "." : "; those of f32 stand in for them."));
      return base::ok();
    }
    HALYARD_TRY_ASSIGN(auto probe, Probe::create(device_, contracts_, first));
    TimingLimits quick = limits_;
    quick.budget = std::chrono::nanoseconds(0);
    HALYARD_TRY_ASSIGN(Timing timing, probe->time(queue_, quick));
    const double best = *std::min_element(timing.samples_ns.begin(), timing.samples_ns.end());
    const double wanted = std::chrono::duration<double, std::nano>(kFmaSample).count();
    axes["steps"] = std::clamp(
        static_cast<std::int64_t>(static_cast<double>(kFirstSteps) * wanted / std::max(best, 1.0)),
        kFirstSteps, kMaxSteps);
    HALYARD_TRY_ASSIGN(
        probe, Probe::create(device_, contracts_, probe_operation("probe_fma", type, axes)));
    HALYARD_TRY_ASSIGN(timing, probe->time(queue_, limits_));
    Ceiling ceiling =
        ceiling_of(timing, probe->operation().flops(),
                   base::concat("best of ", timing.samples_ns.size(), " runs of ", axes["steps"],
                                " multiply-adds by two on ", sums, " sums by kernel ",
                                probe->operation().info().kernel_name));
    if (ceiling.value > 0) out.arithmetic[type] = std::move(ceiling);
    return base::ok();
  }

 private:
  halyard_device* device_;
  const ContractSource& contracts_;
  halyard_queue* queue_;
  TimingLimits limits_;
};

}  // namespace

const Ceiling* Ceilings::arithmetic_of(base::DataType type) const {
  auto found = arithmetic.find(type);
  if (found == arithmetic.end()) found = arithmetic.find(base::DataType::kF32);
  return found == arithmetic.end() ? nullptr : &found->second;
}

base::Result<Ceilings> measure_ceilings(halyard_device* device, const ContractSource& contracts,
                                        const std::set<base::DataType>& types,
                                        std::chrono::nanoseconds budget) {
  halyard_queue* handle = nullptr;
  HALYARD_TRY(library_status(halyard_queue_create(device, &handle)));
  const Queue queue(handle);
  const bool wants_bf16 = types.count(base::DataType::kBf16) != 0;
  const CeilingMeter meter(device, contracts, queue.get(), budget / (wants_bf16 ? 3 : 2));
  Ceilings ceilings;
  HALYARD_TRY(meter.measure_reads(ceilings));
  HALYARD_TRY(meter.measure_products(base::DataType::kF32, ceilings));
  if (wants_bf16) HALYARD_TRY(meter.measure_products(base::DataType::kBf16, ceilings));
  return ceilings;
}

}  // namespace halyard::services
