// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/runtime/selection/stored_kernel_fixture.h"

#include "backends/cpu/cpu_device.h"
#include "backends/host/host_machine.h"
#include "kernel-store/open_store.h"
#include "kernel-store/trust/approval_check.h"
#include "kernel-store/trust/trust_list.h"
#include "runtime/base/file.h"
#include "runtime/base/utc_time.h"

#include <chrono>
#include <filesystem>
#include <utility>

namespace halyard::selection {
namespace {

namespace fs = std::filesystem;

class ApartBackend final : public core::Backend {
 public:
  std::string_view name() const override { return "apart"; }
  base::Result<std::vector<base::Ref<core::Device>>> enumerate() override {
    HALYARD_TRY_ASSIGN(cpu::CpuDescription description, cpu::describe_cpu(1));
    description.info.id = "apart:0";
    description.info.kind = core::DeviceKind::kEmulator;
    return std::vector<base::Ref<core::Device>>{base::make_ref<cpu::CpuDevice>(
        std::move(description), std::vector<int>{host::allowed_cpus().front()})};
  }
  std::vector<std::string> notes() const override { return {}; }
};

constexpr core::NamedBackendFactory kBackends[] = {
    {"cpu", &cpu::create_cpu_backend},
    {"apart", [](const core::BackendSettings&) -> std::unique_ptr<core::Backend> {
       return std::make_unique<ApartBackend>();
     }}};

std::int64_t now_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

}  // namespace

std::span<const core::NamedBackendFactory> backends_with_apart() {
  return kBackends;
}

std::string cpu_driver() {
  const auto description = cpu::describe_cpu(1);
  EXPECT_TRUE(description) << description.error().message();
  return description->info.driver_id;
}

void StoredKernelTest::SetUp() {
  SelectionTest::SetUp();
  auto bundle = store::Bundle::open((root_ / "data").string());
  ASSERT_TRUE(bundle) << bundle.error().message();
  const auto bundled = bundle->kernels("rms_norm");
  ASSERT_TRUE(bundled) << bundled.error().message();
  for (const store::BuiltKernel& kernel : (*bundled)->kernels) {
    if (kernel.package.record.name == "rms_norm_cpu") kernel_ = kernel;
  }
  ASSERT_EQ("rms_norm_cpu", kernel_.package.record.name);
  for (const store::KernelBuild& build : kernel_.builds) {
    auto code = bundle->load_code(kernel_, build);
    ASSERT_TRUE(code) << code.error().message();
    codes_.push_back(std::move(*code));
  }
  store_ = std::move(*store::open_store(store_url()));
}

void StoredKernelTest::change_record(const std::string& from, const std::string& to) {
  std::string text = kernel_.package.record.canonical_json;
  text.replace(text.find(from), from.size(), to);
  auto record = store::parse_kernel_record(text, "kernel.json");
  ASSERT_TRUE(record) << record.error().message();
  auto package = store::make_kernel_package(std::move(*record), kernel_.package.files,
                                            kernel_.package.prelude_digest);
  ASSERT_TRUE(package) << package.error().message();
  kernel_.package = std::move(*package);
}

void StoredKernelTest::store_kernel() {
  fs::remove_all(root_ / "data/kernels/rms_norm/rms_norm_cpu");
  ASSERT_TRUE(store_->put_kernel(kernel_.package));
}

void StoredKernelTest::store_builds() {
  for (std::size_t i = 0; i < kernel_.builds.size(); ++i) {
    const store::KernelBuild& build = kernel_.builds[i];
    ASSERT_TRUE(store_->put_build({kernel_.package.id, build.parameters, build.target, build.types,
                                   build.toolchain, "", build.flags},
                                  codes_[i]));
  }
}

std::optional<store::EvidenceId> StoredKernelTest::put_evidence(const std::string& target,
                                                                const std::string& driver,
                                                                const std::string& toolchain) {
  store::EvidenceRecord record;
  record.kernel = kernel_.package.id;
  record.parameters = kernel_.builds.front().parameters;
  record.target = target;
  record.types = kernel_.builds.front().types;
  record.device = "a device";
  record.driver = driver;
  record.toolchain = toolchain;
  record.verifier_name = "test";
  record.verifier_version = "1";
  record.kind = store::EvidenceKind::kHardware;
  record.verdict = store::Verdict::kPass;
  record.time = base::utc_now();
  const auto id = store_->put_evidence(record);
  EXPECT_TRUE(id) << id.error().message();
  return id ? std::optional(*id) : std::nullopt;
}

void StoredKernelTest::append(store::StateChange change) {
  change.kernel = kernel_.package.id;
  if (change.who.empty()) change.who = "test";
  change.why = "the test says so";
  const auto appended = store_->append_state(change);
  ASSERT_TRUE(appended) << appended.error().message();
  EXPECT_TRUE(*appended);
}

void StoredKernelTest::set_state(store::KernelState state) {
  for (const std::string& target : kernel_.package.record.targets) {
    store::StateChange change;
    change.target = target;
    change.state = state;
    if (state == store::KernelState::kVerified || state == store::KernelState::kPromoted) {
      change.evidence = put_evidence(target, cpu_driver(), kernel_.builds.front().toolchain);
    }
    append(change);
  }
}

void StoredKernelTest::sign(const store::SigningKey& key, store::KernelState state,
                            std::int64_t expires_ms, const std::vector<store::Digest>& builds) {
  for (const std::string& target : kernel_.package.record.targets) {
    store::Approval approval;
    approval.kernel = kernel_.package.id;
    approval.target = target;
    approval.state = state;
    approval.expires_ms = expires_ms;
    approval.builds = builds;
    approval.evidence = put_evidence(target, cpu_driver(), kernel_.builds.front().toolchain);
    const auto issued = store::issue_approval(store_->approvals(), approval, key, now_ms());
    ASSERT_TRUE(issued) << issued.error().message();
  }
}

void StoredKernelTest::trust(const store::SigningKey& key, bool local) {
  const auto status =
      store::change_trust_list(config_file("trust.json"), [&](store::TrustList& list) {
        store::TrustedKey trusted;
        trusted.key = key.public_key();
        trusted.label = local ? "mine" : "theirs";
        trusted.may_say = {store::KernelState::kVerified, store::KernelState::kPromoted,
                           store::KernelState::kQuarantined, store::KernelState::kRetired};
        trusted.local = local;
        return list.add(trusted);
      });
  ASSERT_TRUE(status) << status.error().message();
}

void StoredKernelTest::write_file(const std::string& name, const std::string& text) {
  const std::string path = config_file(name);
  fs::create_directories(fs::path(path).parent_path());
  ASSERT_TRUE(base::write_file_atomic(path, text));
}

Candidate StoredKernelTest::first_candidate(const char* device_id) {
  const auto instance = make_instance(kBackends);
  const auto device = *instance->backends().device(device_id);
  const auto bound = bind_request(*instance, *device, norm_request());
  EXPECT_TRUE(bound) << bound.error().message();
  auto candidates = find_candidates(*instance, *device, *bound);
  EXPECT_TRUE(candidates) << candidates.error().message();
  if (!candidates || candidates->empty()) return {};
  EXPECT_TRUE(candidates->front().stored);
  return candidates->front();
}

void StoredKernelTest::expect_refused(const char* device_id, const std::string& part) {
  const Candidate candidate = first_candidate(device_id);
  EXPECT_EQ(CandidateVerdict::kRefused, candidate.verdict);
  EXPECT_NE(candidate.reason.find(part), std::string::npos) << candidate.reason;
}

}  // namespace halyard::selection
