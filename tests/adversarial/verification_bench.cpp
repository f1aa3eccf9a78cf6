// SPDX-License-Identifier: Apache-2.0
#include "tests/adversarial/verification_bench.h"

#include "runtime/base/data_type.h"
#include "runtime/base/environment.h"
#include "runtime/base/text.h"

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <utility>

namespace halyard::adversarial {
namespace {

namespace fs = std::filesystem;
using base::concat;

// A folder that goes with its owner.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "halyard-adversarial-XXXXXX").string();
    if (::mkdtemp(name.data()) != nullptr) path_ = name;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::optional<store::TypeBinding> first_types(const Package& package) {
  const boost::json::value* const types = package.record.if_contains("types");
  if (types == nullptr || !types->is_array() || types->get_array().empty()) return std::nullopt;
  const boost::json::value& first = types->get_array().front();
  if (!first.is_object()) return std::nullopt;
  store::TypeBinding binding;
  for (const auto& member : first.get_object()) {
    if (!member.value().is_string()) return std::nullopt;
    const auto type = base::data_type_from_name(member.value().get_string().c_str());
    if (!type) return std::nullopt;
    binding.emplace(std::string(member.key().data(), member.key().size()), *type);
  }
  return binding;
}

}  // namespace

VerificationBench* VerificationBench::shared() {
  static const std::unique_ptr<VerificationBench> kBench = [] {
    std::unique_ptr<VerificationBench> bench(new VerificationBench);
    const std::string fault = bench->open();
    if (fault.empty()) return bench;
    std::cout << "The bench does not open: " << fault << '\n';
    return std::unique_ptr<VerificationBench>();
  }();
  return kBench.get();
}

VerificationBench::~VerificationBench() {
  for (halyard_device* const handle : handles_)
    halyard_device_release(handle);
  halyard_instance_release(instance_);
}

std::string VerificationBench::open() {
  if (halyard_instance_create(nullptr, &instance_) != HALYARD_STATUS_OK) {
    return halyard_last_error_message();
  }
  open_device("cpu:0");
  open_device("vulkan:0");
  for (const char* const id : {"emulator:gfx1100", "emulator:gfx1201", "emulator:gfx942"})
    open_device(id);
  if (devices_.empty()) return "There is no device.";
  contracts_ = std::make_unique<operators::ContractCatalog>(HALYARD_BUNDLED_DATA);
  auto bundle = store::Bundle::open(HALYARD_BUNDLED_DATA);
  if (!bundle) return bundle.error().message();
  bundle_.emplace(std::move(*bundle));
  return "";
}

void VerificationBench::open_device(const char* id) {
  halyard_device* handle = nullptr;
  if (halyard_device_get(instance_, id, &handle) != HALYARD_STATUS_OK) return;
  handles_.push_back(handle);
  auto device = verification::describe_device(handle, nullptr);
  if (device) devices_.push_back(std::move(*device));
}

const verification::VerifiedDevice* VerificationBench::device_of(const Package& package) const {
  std::string start = is_vulkan(package) ? "vulkan:" : "cpu:";
  if (const std::string processor = amd_processor(package); !processor.empty())
    start = concat("emulator:", processor == "gfx90a" ? "gfx942" : processor);
  for (const verification::VerifiedDevice& device : devices_) {
    if (device.id.starts_with(start)) return &device;
  }
  return nullptr;
}

std::optional<std::string> VerificationBench::shortfall(const Package& package) const {
  const verification::VerifiedDevice* const device = device_of(package);
  if (device == nullptr) return "There is no device for this package.";
  const boost::json::value* const required = package.record.if_contains("requires");
  if (required == nullptr || !required->is_array()) return std::nullopt;
  for (const boost::json::value& each : required->get_array()) {
    const std::string key(each.at("capability").as_string().c_str());
    const descriptors::Capability* const found = device->capabilities.find(key);
    if (found == nullptr || found->number == 0) {
      return concat("The device \"", device->id, "\" has no ", key, '.');
    }
  }
  return std::nullopt;
}

base::Result<verification::VerificationReport> VerificationBench::verify(
    const Package& package, const BenchRequest& request) const {
  const verification::VerifiedDevice* const device = device_of(package);
  if (device == nullptr) {
    return base::Error(base::ErrorCode::kUnavailable, "There is no device for this package.");
  }
  const TemporaryFolder folder;
  if (folder.path().empty() || !write_package(package, folder.path())) {
    return base::Error(base::ErrorCode::kIoError, "The package cannot be written.");
  }
  verification::VerificationSetting setting;
  setting.contracts = contracts_.get();
  setting.bundle = &*bundle_;
  setting.data_directory = HALYARD_BUNDLED_DATA;
  setting.worker_program = HALYARD_WORKER_PROGRAM;
  verification::VerificationOptions options;
  options.times = false;
  options.launch_patience = std::chrono::milliseconds(2000);
  options.is_foreign = request.is_foreign;
  if (request.has_one_type) options.types = first_types(package);
  return verification::verify_package(folder.path().string(), *device, setting, options);
}

base::Result<verification::BuildOutcome> VerificationBench::build(const Package& package) const {
  const verification::VerifiedDevice* const device = device_of(package);
  if (device == nullptr) {
    return base::Error(base::ErrorCode::kUnavailable, "There is no device for this package.");
  }
  const TemporaryFolder folder;
  if (folder.path().empty() || !write_package(package, folder.path())) {
    return base::Error(base::ErrorCode::kIoError, "The package cannot be written.");
  }
  const std::string preludes = concat(HALYARD_BUNDLED_DATA, "/prelude");
  HALYARD_TRY_ASSIGN(
      const store::KernelPackage loaded,
      store::load_kernel_package(folder.path().string(), [&preludes](const std::string& name) {
        return store::load_prelude_digest(preludes, name);
      }));
  HALYARD_TRY_ASSIGN(const base::Configuration configuration, base::read_configuration({}));
  verification::BuildSetting setting;
  HALYARD_TRY_ASSIGN(setting.compilers, toolchain::find_compilers(configuration));
  setting.data_directory = HALYARD_BUNDLED_DATA;
  setting.worker_program = HALYARD_WORKER_PROGRAM;
  setting.isolation = worker::probe_isolation(HALYARD_WORKER_PROGRAM).level;
  setting.targets = device->targets;
  return verification::build_package(loaded, setting);
}

std::string verdict_text(const verification::VerificationReport& report) {
  const std::string_view verdict = verification::verdict_class_name(report.decision.verdict);
  if (!report.decision.finding) return std::string(verdict);
  const verification::Finding& finding = *report.decision.finding;
  return concat(verdict, " (", verification::stage_name(finding.stage), "): ", finding.sentence);
}

}  // namespace halyard::adversarial
