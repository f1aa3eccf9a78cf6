// SPDX-License-Identifier: Apache-2.0
#include "runtime/evaluation/evaluation.h"

#include "runtime/base/json.h"
#include "runtime/base/text.h"
#include "runtime/base/utc_time.h"
#include "runtime/evaluation/device_facts.h"
#include "runtime/evaluation/launch_capture.h"
#include "runtime/evaluation/replay_check.h"

#include <algorithm>
#include <utility>

namespace halyard::services {
namespace {

using Clock = std::chrono::steady_clock;

// Where a device does not tell the size of its last-level cache.
constexpr std::int64_t kUsualCacheBytes = std::int64_t{32} << 20;

// The contracts of an instance, each read once.
class ContractReader {
 public:
  explicit ContractReader(Instance instance) : instance_(std::move(instance)) {}

  base::Result<base::Ref<const operators::Contract>> find(const std::string& name) {
    const auto known = contracts_.find(name);
    if (known != contracts_.end()) return known->second;
    halyard_contract* handle = nullptr;
    HALYARD_TRY(library_status(halyard_contract_get(instance_.get(), name.c_str(), &handle)));
    const Contract owner(handle);
    HALYARD_TRY_ASSIGN(base::Ref<const operators::Contract> contract,
                       operators::Contract::parse(halyard_contract_json(handle), name));
    contracts_.emplace(name, contract);
    return contract;
  }

 private:
  Instance instance_;
  std::map<std::string, base::Ref<const operators::Contract>> contracts_;
};

// The reason given for the chosen kernel in a "halyard.explanation/1".
std::string chosen_reason(const char* explanation) {
  const auto document = base::parse_json(explanation, "explanation");
  if (!document || !document->is_object()) return {};
  const boost::json::value* chosen = document->get_object().if_contains("chosen");
  if (chosen == nullptr || !chosen->is_object()) return {};
  const boost::json::value* reason = chosen->get_object().if_contains("reason");
  return reason != nullptr && reason->is_string() ? std::string(reason->get_string())
                                                  : std::string();
}

// The name of the contract that a kernel, named as halyard_kernel_store_show takes it, serves.
base::Result<std::string> contract_of_kernel(halyard_instance* instance, const char* kernel) {
  std::size_t size = 0;
  HALYARD_TRY(library_status(halyard_kernel_store_show(instance, kernel, 0, nullptr, &size)));
  std::string text(size, '\0');
  HALYARD_TRY(
      library_status(halyard_kernel_store_show(instance, kernel, size, text.data(), &size)));
  text.resize(size - 1);
  HALYARD_TRY_ASSIGN(const boost::json::value document, base::parse_json(text, "kernel"));
  HALYARD_TRY_ASSIGN(const base::JsonObject object, base::JsonObject::from(document, "kernel"));
  HALYARD_TRY_ASSIGN(const base::JsonObject record, object.required_object("record"));
  HALYARD_TRY_ASSIGN(const std::string contract, record.required_string("contract"));
  return contract.substr(0, contract.find('@'));
}

// Refuses a kernel that no operation can use.
base::Status check_kernel_contract(const BoundWorkload& workload, const std::string& contract,
                                   const char* kernel) {
  for (const BoundOperation& operation : workload.operations) {
    if (operation.problem.contract().name() == contract) return base::ok();
  }
  return base::Error(base::ErrorCode::kInvalidArgument,
                     base::concat("Kernel \"", kernel, "\" is for contract \"", contract,
                                  "\", which workload \"", workload.name, "\" does not use."));
}

class Evaluation {
 public:
  Evaluation(const EvaluationRequest& request, BoundWorkload workload, ContractSource contracts,
             std::string wished_contract)
      : request_(request),
        workload_(std::move(workload)),
        contracts_(std::move(contracts)),
        wished_contract_(std::move(wished_contract)) {}

  base::Status open();
  base::Status run_operations();
  base::Status measure();
  EvaluationOutcome outcome() const { return {results_json(findings_), findings_.passed()}; }

 private:
  void announce(const std::string& what);
  base::Status run_operation(std::size_t index);
  base::Status check_operation(std::size_t index);
  base::Status time_operation(std::size_t index);
  base::Status run_sequence();
  base::Status check_replay(halyard_sequence* sequence, SequenceResult& result);
  base::Status synchronize() const { return wait_for(queue_.get(), kDeviceDeadline); }
  std::chrono::nanoseconds time_left() const { return deadline_ - Clock::now(); }
  bool has_reference() const;

  const EvaluationRequest& request_;
  BoundWorkload workload_;
  ContractSource contracts_;
  std::string wished_contract_;  // Of the kernel that was asked for.
  std::optional<TensorSet> tensors_;
  Queue queue_;
  std::vector<PreparedOperation> prepared_;
  std::vector<HostBytes> one_by_one_;  // What the operations left when run one by one.
  EvaluationFindings findings_;
  Clock::time_point deadline_;
  std::uint64_t cache_bytes_ = 0;  // Of the last level.
  std::uint32_t steps_done_ = 0;
};

void Evaluation::announce(const std::string& what) {
  const auto operations = static_cast<std::uint32_t>(workload_.operations.size());
  const std::uint32_t total = request_.measure ? 2 * operations + 2 : operations;
  if (request_.progress) request_.progress(steps_done_++, total, what);
}

base::Status Evaluation::open() {
  findings_.workload = &workload_;
  findings_.device = device_members(request_.device);
  findings_.environment = environment_members();
  findings_.date = base::utc_now();
  const std::int64_t cache_bytes = last_level_cache_bytes(request_.device);
  cache_bytes_ = static_cast<std::uint64_t>(cache_bytes > 0 ? cache_bytes : kUsualCacheBytes);
  HALYARD_TRY_ASSIGN(TensorSet tensors,
                     TensorSet::create(request_.device, workload_, request_.seed));
  tensors_.emplace(std::move(tensors));
  halyard_queue* queue = nullptr;
  HALYARD_TRY(library_status(halyard_queue_create(request_.device, &queue)));
  queue_ = Queue(queue);
  return base::ok();
}

base::Status Evaluation::check_operation(std::size_t index) {
  LaunchCapture capture(workload_.operations[index], *tensors_);
  HALYARD_TRY(capture.read_before());
  HALYARD_TRY(prepared_[index].enqueue(queue_.get()));
  HALYARD_TRY(synchronize());
  HALYARD_TRY(capture.read_after());
  CheckLimits limits;
  limits.seed = request_.seed;
  HALYARD_TRY_ASSIGN(findings_.operations[index].check, check_outputs(capture.record(), limits));
  return base::ok();
}

base::Status Evaluation::run_operation(std::size_t index) {
  const BoundOperation& bound = workload_.operations[index];
  announce(bound.name);
  HALYARD_TRY(tensors_->provide_constants(bound));
  KernelWish wish = request_.wish;
  if (bound.problem.contract().name() != wished_contract_) wish.kernel = nullptr;
  HALYARD_TRY_ASSIGN(PreparedOperation prepared,
                     PreparedOperation::create(request_.device, bound, *tensors_, wish));
  const halyard_operation_info info = prepared.info();
  OperationResult result;
  result.kernel_id = info.kernel_id;
  result.kernel_name = info.kernel_name;
  result.target = info.target;
  result.state = info.state;
  result.reason = chosen_reason(prepared.explanation());
  result.is_reference = info.is_reference != 0;
  result.work = {prepared.flops(), prepared.bytes()};
  findings_.operations.push_back(std::move(result));
  prepared_.push_back(std::move(prepared));
  base::Status done = base::ok();
  if (request_.check) {
    done = check_operation(index);
  } else {
    done = prepared_[index].enqueue(queue_.get());
    if (done) done = synchronize();
  }
  if (!done) {
    return std::move(done.error()).with_context(base::concat("running \"", bound.name, "\""));
  }
  tensors_->release_host(index);
  return base::ok();
}

base::Status Evaluation::run_operations() {
  for (std::size_t i = 0; i < workload_.operations.size(); ++i)
    HALYARD_TRY(run_operation(i));
  if (request_.check && request_.measure) {
    HALYARD_TRY_ASSIGN(one_by_one_, read_written(workload_, *tensors_));
  }
  return base::ok();
}

bool Evaluation::has_reference() const {
  return std::any_of(findings_.operations.begin(), findings_.operations.end(),
                     [](const OperationResult& result) { return result.is_reference; });
}

base::Status Evaluation::time_operation(std::size_t index) {
  OperationResult& result = findings_.operations[index];
  announce(workload_.operations[index].name);
  const auto left = static_cast<std::int64_t>(workload_.operations.size() - index);
  TimingLimits limits;
  limits.budget = std::max(std::chrono::nanoseconds(0), time_left() * 3 / 4 / left);
  limits.min_samples = result.is_reference ? 1 : 3;
  if (result.is_reference) limits.min_sample = std::chrono::nanoseconds(0);
  HALYARD_TRY_ASSIGN(
      result.timing,
      time_on_queue(
          queue_.get(), [&] { return prepared_[index].enqueue(queue_.get()); }, limits));
  result.is_warm = result.work.bytes <= cache_bytes_;
  return base::ok();
}

base::Status Evaluation::check_replay(halyard_sequence* sequence, SequenceResult& result) {
  HALYARD_TRY(tensors_->restore_inputs());
  HALYARD_TRY(library_status(halyard_sequence_enqueue(sequence, queue_.get())));
  HALYARD_TRY(synchronize());
  HALYARD_TRY_ASSIGN(const std::vector<HostBytes> replayed, read_written(workload_, *tensors_));
  result.replay = compare_runs(workload_, one_by_one_, replayed);
  one_by_one_.clear();
  return base::ok();
}

base::Status Evaluation::run_sequence() {
  announce("step");
  SequenceResult& result = findings_.sequence.emplace();
  if (has_reference()) {
    result.notes.emplace_back("Not timed as a sequence: the f64 reference runs in it.");
    return base::ok();
  }
  halyard_sequence* handle = nullptr;
  HALYARD_TRY(library_status(halyard_sequence_create(request_.device, &handle)));
  const Sequence sequence(handle);
  for (const PreparedOperation& operation : prepared_)
    HALYARD_TRY(operation.append_to(handle));
  if (request_.check) HALYARD_TRY(check_replay(handle, result));
  TimingLimits limits;
  limits.budget = std::max(std::chrono::nanoseconds(0), time_left());
  limits.min_samples = 3;
  HALYARD_TRY_ASSIGN(
      result.timing,
      time_on_queue(
          queue_.get(),
          [&] { return library_status(halyard_sequence_enqueue(handle, queue_.get())); }, limits));
  return base::ok();
}

base::Status Evaluation::measure() {
  if (is_emulated(request_.device)) {
    findings_.ceilings.notes.emplace_back(
        "Nothing is timed: the device is interpreted, and takes as long as its interpreter.");
    return base::ok();
  }
  deadline_ = Clock::now() + request_.time_budget;
  announce("ceilings");
  std::set<base::DataType> types;
  for (const BoundOperation& operation : workload_.operations)
    types.insert(product_type(operation.problem));
  HALYARD_TRY_ASSIGN(findings_.ceilings, measure_ceilings(request_.device, contracts_, types,
                                                          request_.time_budget / 8));
  for (std::size_t i = 0; i < prepared_.size(); ++i) {
    base::Status timed = time_operation(i);
    if (timed) continue;
    return std::move(timed.error())
        .with_context(base::concat("timing \"", workload_.operations[i].name, "\""));
  }
  return run_sequence();
}

}  // namespace

base::Result<EvaluationOutcome> evaluate(const EvaluationRequest& request) {
  HALYARD_TRY_ASSIGN(const Workload workload, Workload::parse(request.workload_json, "workload"));
  halyard_instance* instance = nullptr;
  HALYARD_TRY(library_status(halyard_device_get_instance(request.device, &instance)));
  const Instance owner(instance);
  ContractReader reader(owner);
  const ContractSource contracts = [&reader](const std::string& name) { return reader.find(name); };
  HALYARD_TRY_ASSIGN(BoundWorkload bound, BoundWorkload::bind(workload, request.axes, contracts));
  std::string wished_contract;
  if (request.wish.kernel != nullptr) {
    HALYARD_TRY_ASSIGN(wished_contract, contract_of_kernel(instance, request.wish.kernel));
    HALYARD_TRY(check_kernel_contract(bound, wished_contract, request.wish.kernel));
  }
  Evaluation evaluation(request, std::move(bound), contracts, std::move(wished_contract));
  HALYARD_TRY(evaluation.open());
  HALYARD_TRY(evaluation.run_operations());
  if (request.measure) HALYARD_TRY(evaluation.measure());
  return evaluation.outcome();
}

}  // namespace halyard::services
