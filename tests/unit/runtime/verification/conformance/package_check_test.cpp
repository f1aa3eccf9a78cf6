// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/conformance/package_check.h"

#include "kernel-store/kernel_record.h"
#include "runtime/operators/contract_catalog.h"
#include "tests/unit/runtime/verification/conformance/test_bytes.h"

#include <gmock/gmock.h>

#include <map>

namespace halyard::verification {
namespace {

using descriptors::CapabilityKey;
using testing::file_bytes;
using ::testing::HasSubstr;

std::string manifest_sentences(const std::vector<Finding>& findings) {
  std::string out;
  for (const Finding& finding : findings) {
    EXPECT_EQ(finding.stage, Stage::kManifest);
    EXPECT_EQ(finding.verdict, VerdictClass::kStatic);
    out += finding.sentence + "\n";
  }
  return out;
}

base::Ref<const operators::Contract> contract(const std::string& name) {
  static const operators::ContractCatalog catalog(HALYARD_BUNDLED_DATA);
  return catalog.find(name).value();
}

descriptors::CapabilitySet device() {
  descriptors::CapabilitySet out;
  out.set_number(CapabilityKey::kSubgroupSize, 8);
  out.set_number(CapabilityKey::kComputeUnits, 4);
  out.set_number(CapabilityKey::kLimitWorkgroupInvocations, 1024);
  out.set_number(CapabilityKey::kLimitGridX, 65535);
  out.set_number(CapabilityKey::kLimitGridY, 65535);
  out.set_number(CapabilityKey::kLimitGridZ, 65535);
  out.set_number(CapabilityKey::kLimitSharedBytes, 32768);
  return out;
}

TEST(PackageCheck, EveryBundledPackageIsAccepted) {
  const descriptors::CapabilitySet capabilities = device();
  std::size_t count = 0;
  const auto folder = std::filesystem::path(HALYARD_SOURCE_DIR) / "kernel-store/kernels";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().filename() != "kernel.json") continue;
    ++count;
    const auto record = store::parse_kernel_record(file_bytes(entry.path()), entry.path().string());
    ASSERT_TRUE(record) << record.error().message();
    store::PackageFiles files;
    for (const std::string& name : record->file_names())
      files[name] = file_bytes(entry.path().parent_path() / name);
    for (const descriptors::CapabilitySet* of :
         {static_cast<const descriptors::CapabilitySet*>(nullptr), &capabilities}) {
      // The grid of a CPU has no such limits.
      if (of != nullptr && record->language == store::KernelLanguage::kCpp) continue;
      EXPECT_EQ(
          manifest_sentences(check_package({&*record, &files, contract(record->contract), of})), "")
          << entry.path();
    }
  }
  EXPECT_GT(count, 30U);
}

// A kernel of "cast@1" in CUDA.
class CastPackage : public ::testing::Test {
 protected:
  CastPackage() {
    const auto path = std::filesystem::path(HALYARD_SOURCE_DIR) /
                      "kernel-store/kernels/cast/cast_cpu/kernel.json";
    record_ = store::parse_kernel_record(file_bytes(path), "kernel.json").value();
    record_.language = store::KernelLanguage::kCuda;
    record_.source = "cast.cu";
    record_.targets = {"ptx-8.0/sm_80"};
    files_ = {{"cast.cu", "extern \"C\" __global__ void cast(float* x) {}\n"}};
  }

  std::string verdict() const {
    return manifest_sentences(check_package({&record_, &files_, contract("cast"), capabilities_}));
  }
  store::KernelStage& stage() { return record_.stages.front(); }

  store::KernelRecord record_;
  store::PackageFiles files_;
  const descriptors::CapabilitySet* capabilities_ = nullptr;
};

TEST_F(CastPackage, PlainOneIsAccepted) {
  EXPECT_EQ(verdict(), "");
}

TEST_F(CastPackage, OtherContractAndTypesAreRefused) {
  record_.contract_major = 2;
  record_.types.push_back({{"S", base::DataType::kI8}, {"T", base::DataType::kF32}});
  EXPECT_THAT(verdict(), HasSubstr("Kernel \"cast_cpu\" implements cast@2, not cast@1."));
  EXPECT_THAT(verdict(), HasSubstr("has the types S = i8, T = f32, which cast does not allow."));
}

TEST_F(CastPackage, TargetsAreThoseOfTheLanguage) {
  record_.targets.push_back("amdgcn-gfx942");
  EXPECT_THAT(verdict(),
              HasSubstr("is for target \"amdgcn-gfx942\", which no cuda is compiled for."));
}

TEST_F(CastPackage, HostCodeIsRefused) {
  const std::string end = "host code not allowed in a device kernel.";
  files_["cast.cu"] += "void run() { cast<<<1, 1>>>(nullptr); }\n";
  EXPECT_THAT(verdict(), HasSubstr("has \"<<<\" in \"cast.cu\": " + end));
  files_["cast.cu"] = "// cudaMalloc is not called\n/* <<< */ __global__ void cast() {}\n";
  EXPECT_EQ(verdict(), "");
  files_["cast.cu"] = "#include <cuda_runtime.h>\n";
  EXPECT_THAT(verdict(), HasSubstr("has \"<cuda_runtime\" in \"cast.cu\": " + end));
  files_["cast.cu"] = "int main() { return 0; }";
  EXPECT_THAT(verdict(), HasSubstr("has \"int main\" in \"cast.cu\": " + end));
  files_ = {{"cast.cu", ""}, {"setup.py", ""}, {"contract.json", "{}"}, {"Makefile", ""}};
  EXPECT_THAT(verdict(), HasSubstr("has the file \"setup.py\", which is no cuda code: " + end));
  EXPECT_THAT(verdict(),
              HasSubstr("has the file \"contract.json\", which is no cuda code: " + end));
  EXPECT_THAT(verdict(), HasSubstr("has the file \"Makefile\", which is no cuda code: " + end));
}

TEST_F(CastPackage, ArgumentsNameWhatTheContractHas) {
  const store::KernelArgument axis = stage().arguments[2];
  store::KernelArgument argument = axis;
  const auto with = [&] {
    stage().arguments[2] = argument;
    return verdict();
  };
  argument.name = "rows";
  EXPECT_THAT(with(), HasSubstr("passes the axis \"rows\" to stage \"main\", which cast does not "
                                "have."));
  argument.kind = store::ArgumentKind::kTensor;
  argument.name = "z";
  EXPECT_THAT(with(), HasSubstr("passes the tensor \"z\" to stage \"main\""));
  argument.kind = store::ArgumentKind::kScalar;
  EXPECT_THAT(with(), HasSubstr("passes the scalar \"z\" to stage \"main\""));
  argument.kind = store::ArgumentKind::kAttribute;
  EXPECT_THAT(with(), HasSubstr("passes the attribute \"z\" to stage \"main\""));
  argument.kind = store::ArgumentKind::kStride;
  argument.name = "x";
  argument.dimension = 3;
  EXPECT_THAT(with(), HasSubstr("passes the stride of dimension 3 of tensor \"x\""));
  argument.kind = store::ArgumentKind::kAxisPointer;
  argument.name = "n";
  EXPECT_THAT(with(), HasSubstr("by address, which is held in no buffer."));
}

TEST_F(CastPackage, OutputThatNobodyGetsIsRefused) {
  stage().arguments.erase(stage().arguments.begin() + 1);
  EXPECT_THAT(verdict(), HasSubstr("passes the output \"y\" to no stage of a launch."));
}

TEST_F(CastPackage, EntryIsANameInC) {
  stage().entry = "cast$1";
  EXPECT_THAT(verdict(), HasSubstr("has the entry \"cast$1\", which is no name in C."));
}

TEST_F(CastPackage, ExpressionsHaveValuesThatALaunchTakes) {
  stage().grid[0].text = "ceil_div(rows, 8)";
  EXPECT_THAT(verdict(), HasSubstr("has the grid \"ceil_div(rows, 8)\", which is no expression "
                                   "over cast ("));
  stage().grid[0].text = "n / (n - n)";
  EXPECT_THAT(verdict(), HasSubstr("has the grid \"n / (n - n)\" without a value ("));
  stage().grid[0].text = "0 - 1";
  EXPECT_THAT(verdict(), HasSubstr("has the grid of \"main\" at -1 (\"0 - 1\"), not between 0 and "
                                   "4294967295."));
  stage().grid[0].text = "1";
  stage().block[0].text = "1025";
  EXPECT_THAT(verdict(), HasSubstr("has the block of \"main\" at 1025 (\"1025\"), not between 1 "
                                   "and 1024."));
  stage().block[0].text = "64";
  stage().block[1].text = "32";
  EXPECT_THAT(verdict(), HasSubstr("has 2048 lanes in a group of stage \"main\", more than 1024."));
}

TEST_F(CastPackage, LimitsAreThoseOfTheDevice) {
  const descriptors::CapabilitySet capabilities = device();
  capabilities_ = &capabilities;
  stage().grid[0].text = "65536";
  EXPECT_THAT(verdict(), HasSubstr("at 65536 (\"65536\"), not between 0 and 65535."));
  stage().grid[0].text = "device.compute.units";
  EXPECT_EQ(verdict(), "");
  stage().shared_bytes = store::ExpressionText{"32769", true};
  EXPECT_THAT(verdict(), HasSubstr("has the shared memory of \"main\" at 32769"));
}

TEST_F(CastPackage, ProblemsThatAreNotServedDoNotCount) {
  record_.where = {"n < 0"};
  stage().grid[0].text = "0 - 1";
  EXPECT_EQ(verdict(), "");
}

TEST_F(CastPackage, ParametersAreInTheirDomain) {
  store::KernelParameter parameter;
  parameter.name = "TILE";
  parameter.domain = {8, 16};
  parameter.default_value = 32;
  record_.parameters.push_back(parameter);
  EXPECT_THAT(verdict(), HasSubstr("has parameter \"TILE\" at 32 by default, which is not in its "
                                   "domain."));
}

}  // namespace
}  // namespace halyard::verification
