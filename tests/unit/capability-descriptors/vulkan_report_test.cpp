// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/vulkan_report.h"

#include "capability-descriptors/descriptor_json.h"
#include "capability-descriptors/vulkan_facts.h"
#include "runtime/base/file.h"
#include "tests/test_data.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace halyard::descriptors {
namespace {

using Key = CapabilityKey;
using Texts = std::vector<std::string>;

constexpr const char* kName = "acme.gpuinfo-7.json";

std::string fixture() {
  return base::read_text_file(std::string(HALYARD_DESCRIPTOR_FIXTURES "/vulkan/") + kName, 1 << 20)
      .value();
}

// The fixture with the first `from` replaced by `to`.
std::string with(const std::string& from, const std::string& to) {
  std::string text = fixture();
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

Descriptor read(const std::string& text) {
  return read_vulkan_report(text, kName).value();
}

std::string refusal(const std::string& text) {
  const auto descriptor = read_vulkan_report(text, "r.json");
  if (descriptor) return "accepted";
  EXPECT_EQ(descriptor.error().code(), base::ErrorCode::kCorruptData);
  return descriptor.error().message();
}

bool is_missing(const Descriptor& descriptor, Key key) {
  const auto& missing = descriptor.missing;
  const bool named =
      std::find(missing.begin(), missing.end(), capability_key_info(key).name) != missing.end();
  EXPECT_EQ(named, descriptor.capabilities.find(capability_key_info(key).name) == nullptr);
  return named;
}

std::string note_of(const Descriptor& descriptor, std::string_view topic) {
  for (const Note& note : descriptor.notes) {
    if (note.topic == topic) return note.text;
  }
  return "";
}

TEST(VulkanReport, EveryPartIsRead) {
  const Descriptor descriptor = read(fixture());
  EXPECT_EQ(descriptor.id, "report/moorethreads-acme-anvil-9-rev.-2");
  EXPECT_EQ(descriptor.kind, DescriptorKind::kReport);
  EXPECT_EQ(descriptor.version, "");
  EXPECT_EQ(descriptor.name, "Acme(R) Anvil(TM) 9 (rev. 2)");
  EXPECT_EQ(descriptor.vendor, "Moore Threads");
  EXPECT_EQ(descriptor.aliases, Texts{"gpuinfo-7"});
  EXPECT_EQ(descriptor.targets, (Texts{"spirv-1.6", "spirv-1.5", "spirv-1.4", "spirv-1.3"}));
  EXPECT_EQ(descriptor.instruction_set, "khronos/spirv1_6");
  ASSERT_EQ(descriptor.products.size(), 1U);
  EXPECT_EQ(descriptor.products[0].pci_ids, Texts{"1ed5:0201"});
  EXPECT_EQ(descriptor.missing, Texts());
  const std::map<Key, double> numbers = {
      {Key::kComputeUnits, 24},
      {Key::kClockTimestampPeriodNs, 52.08333206176758},
      {Key::kClockTimestampValidBits, 36},
      {Key::kClockTimestamps, 1},
      {Key::kMemoryTotalBytes, 0x3fb000000},
      {Key::kMemoryUnified, 0},
      {Key::kTypeF16, 1},
      {Key::kTypeF64, 0},
      {Key::kTypeI64, 1},
      {Key::kTypeI16, 1},
      {Key::kTypeI8, 0},
      {Key::kStorage16bit, 1},
      {Key::kStorage8bit, 1},
      {Key::kSubgroupSize, 64},
      {Key::kSubgroupSizeMin, 32},
      {Key::kSubgroupSizeMax, 64},
      {Key::kSubgroupSizeControl, 1},
      {Key::kSubgroupArithmetic, 1},
      {Key::kSubgroupShuffle, 1},
      {Key::kLimitWorkgroupInvocations, 1024},
      {Key::kLimitWorkgroupSizeX, 1023},
      {Key::kLimitWorkgroupSizeY, 512},
      {Key::kLimitWorkgroupSizeZ, 64},
      {Key::kLimitGridX, 4294967295},
      {Key::kLimitGridY, 65535},
      {Key::kLimitGridZ, 65534},
      {Key::kLimitSharedBytes, 32768},
      {Key::kLimitPushConstantBytes, 256},
      {Key::kLimitStorageBufferRangeBytes, 4294967295},
      {Key::kLimitAllocationBytes, 2147483648},
      {Key::kLimitBufferOffsetAlignmentBytes, 64},
      {Key::kVulkanBufferDeviceAddress, 1},
      {Key::kVulkanPushDescriptor, 1},
      {Key::kMatrixCooperative, 1},
  };
  for (const auto& [key, number] : numbers)
    EXPECT_EQ(descriptor.capabilities.number(key), number) << capability_key_info(key).name;
  EXPECT_EQ(descriptor.capabilities.find("vulkan.api_version")->text, "1.3.274");
  EXPECT_EQ(descriptor.capabilities.all().size(), numbers.size() + 1);
}

TEST(VulkanReport, ValuesSayWhoseReportTheyAreOf) {
  const Descriptor descriptor = read(fixture());
  ASSERT_EQ(descriptor.sources.size(), 1U);
  const DescriptorSource& source = descriptor.sources[0];
  EXPECT_EQ(source.title, "Vulkan hardware database by Sascha Willems, report 7");
  EXPECT_EQ(source.url, "https://vulkan.gpuinfo.org/displayreport.php?id=7");
  EXPECT_EQ(source.licence, "CC BY 4.0");
  EXPECT_EQ(source.sha256.size(), 64U);
  for (const auto& [key, value] : descriptor.capabilities.all()) {
    EXPECT_EQ(value.source, source.title) << key;
    EXPECT_EQ(value.origin, CapabilityOrigin::kDriver) << key;
  }
  EXPECT_EQ(note_of(descriptor, "driver"),
            "Reported by acmevk Build: , Date: 7 (driver version 24.0.9) on ubuntu 22.04 x86_64.");
  const Descriptor local = read_vulkan_report(fixture(), "mine.json").value();
  EXPECT_EQ(local.sources[0].title, "Report of the Vulkan Hardware Capability Viewer");
  EXPECT_EQ(local.sources[0].licence, "");
  EXPECT_TRUE(local.aliases.empty());
}

TEST(VulkanReport, WhatIsReadCanBeWrittenAndReadAgain) {
  const std::string text = write_descriptor(read(fixture()));
  const auto again = parse_descriptor(text, "d.json");
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ(write_descriptor(*again), text);
}

TEST(VulkanReport, TimestampsOfPeriodZeroAreUnsupported) {
  const Descriptor descriptor = read(with("52.08333206176758", "0"));
  EXPECT_EQ(descriptor.capabilities.number(Key::kClockTimestampPeriodNs), 0);
  EXPECT_EQ(descriptor.capabilities.number(Key::kClockTimestampValidBits), 0);
  EXPECT_EQ(descriptor.capabilities.number(Key::kClockTimestamps), 0);
  EXPECT_EQ(note_of(descriptor, "timestamps"), "Device timestamps are unsupported.");
  EXPECT_EQ(note_of(read(fixture()), "timestamps"), "");
}

TEST(VulkanReport, TimestampsWithoutBitsAreUnsupported) {
  const Descriptor descriptor =
      read(with("\"timestampValidBits\": 36", "\"timestampValidBits\": 0"));
  EXPECT_EQ(descriptor.capabilities.number(Key::kClockTimestampPeriodNs), 0);
  EXPECT_EQ(note_of(descriptor, "timestamps"), "Device timestamps are unsupported.");
}

TEST(VulkanReport, WindowOntoTheSameMemoryIsNoMoreMemory) {
  const Descriptor descriptor = read(with("\"0xf600000\"", "\"0x3fb000000\""));
  EXPECT_EQ(descriptor.capabilities.number(Key::kMemoryTotalBytes), 0x3fb000000);
}

TEST(VulkanReport, OnlyHostMemoryLeavesTheMemoryUnknown) {
  const Descriptor descriptor =
      read(with("{\"flags\": 3, \"size\": \"0x3fb000000\"},\n      {\"flags\": 1,",
                "{\"flags\": 2, \"size\": \"0x3fb000000\"},\n      {\"flags\": 0,"));
  EXPECT_TRUE(is_missing(descriptor, Key::kMemoryTotalBytes));
}

TEST(VulkanReport, IntegratedDeviceSharesMemory) {
  EXPECT_TRUE(
      read(with("\"deviceType\": 2", "\"deviceType\": 1")).capabilities.has(Key::kMemoryUnified));
  EXPECT_TRUE(
      read(with("\"deviceType\": 2", "\"deviceType\": 4")).capabilities.has(Key::kMemoryUnified));
}

TEST(VulkanReport, ExtensionOfBeforeACoreVersionCounts) {
  // Vulkan 1.2 with VK_EXT_subgroup_size_control: no "core13".
  std::string text = with("\"core13\"", "\"core13_gone\"");
  const auto replace = [&](const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
  };
  replace("4206866", "4202792");
  EXPECT_TRUE(read(text).capabilities.has(Key::kTypeF16));
  EXPECT_EQ(read(text).capabilities.number(Key::kSubgroupSizeControl), 0);
  EXPECT_EQ(read(text).capabilities.number(Key::kLimitAllocationBytes), 4294967292);
  replace("\"devicefeatures2\": [",
          "\"devicefeatures2\": [{\"extension\": \"VK_EXT_subgroup_size_control\", "
          "\"name\": \"subgroupSizeControl\", \"supported\": true},");
  replace("\"extensions\": [",
          "\"extensions\": [{\"extensionName\": \"VK_EXT_subgroup_size_control\"},");
  EXPECT_TRUE(is_missing(read(text), Key::kSubgroupSizeControl));
  replace("\"deviceproperties2\": [",
          "\"deviceproperties2\": [{\"extension\": \"VK_EXT_subgroup_size_control\", "
          "\"name\": \"requiredSubgroupSizeStages\", \"value\": \"0\"},");
  EXPECT_EQ(read(text).capabilities.number(Key::kSubgroupSizeControl), 0);
  EXPECT_EQ(read(text).capabilities.number(Key::kSubgroupSizeMin), 64);
}

TEST(VulkanReport, MatricesOfAnotherVendorsExtensionDoNotCount) {
  std::string text = with("{\"extension\": \"VK_KHR_cooperative_matrix\"",
                          "{\"extension\": \"VK_NV_cooperative_matrix2\"");
  text.replace(text.find("VK_KHR_cooperative_matrix"), 25, "VK_NV_cooperative_matrix2");
  const Descriptor descriptor = read(text);
  EXPECT_EQ(descriptor.capabilities.number(Key::kMatrixCooperative), 0);
  EXPECT_FALSE(is_missing(descriptor, Key::kMatrixCooperative));
  EXPECT_EQ(note_of(descriptor, "matrix"), "");
  EXPECT_NE(note_of(read(fixture()), "matrix"), "");
}

TEST(VulkanReport, ReportWithoutExtensionsLeavesThemUnknown) {
  std::string text = with("\"extensions\": [", "\"extensions_gone\": [");
  text.replace(text.find("VK_KHR_cooperative_matrix"), 25, "VK_KHR_cooperative_xxxxxx");
  const Descriptor descriptor = read(text);
  EXPECT_TRUE(is_missing(descriptor, Key::kVulkanPushDescriptor));
  EXPECT_TRUE(is_missing(descriptor, Key::kMatrixCooperative));
}

TEST(VulkanReport, SubgroupsOfTheFirstVersionsStructureCount) {
  const Descriptor descriptor = read(with("\"core11\"", "\"core11_gone\""));
  EXPECT_EQ(descriptor.capabilities.number(Key::kSubgroupSize), 16);
  EXPECT_EQ(descriptor.capabilities.number(Key::kSubgroupArithmetic), 0);
  EXPECT_TRUE(is_missing(descriptor, Key::kStorage16bit));
  EXPECT_TRUE(is_missing(descriptor, Key::kLimitAllocationBytes));
}

TEST(VulkanReport, DeviceThatTheBackendRefusesIsReadAndTold) {
  const Descriptor old = read(with("4206866", "4198470"));
  EXPECT_EQ(old.targets, Texts{"spirv-1.3"});
  EXPECT_EQ(note_of(old, "use"),
            "The Vulkan backend takes no such device: Vulkan 1.1.70 of the device is below 1.2.");
  EXPECT_EQ(note_of(read(fixture()), "use"), "");
}

TEST(VulkanReport, NumberOfAVendorsOwnIsNoPciId) {
  EXPECT_TRUE(read(with("\"deviceID\": 513", "\"deviceID\": 909329200")).products.empty());
  EXPECT_TRUE(read(with("\"deviceID\": 513", "\"deviceID\": 0")).products.empty());
}

TEST(VulkanReport, IdIsLegalWhateverTheNameIs) {
  const auto id_of = [](const std::string& name) {
    return read(with("Acme(R) Anvil(TM) 9 (rev. 2)", name)).id;
  };
  EXPECT_EQ(id_of("MTT S80"), "report/moorethreads-mtt-s80");
  EXPECT_EQ(id_of("MooreThreads S80"), "report/moorethreads-s80");
  EXPECT_EQ(id_of("../../etc/passwd"), "report/moorethreads-etc-passwd");
  EXPECT_EQ(id_of("\u6469\u5c14"), "report/moorethreads");
  EXPECT_EQ(id_of(""), "report/moorethreads-moore-threads-device");
  const std::string longest = id_of(std::string(200, 'x') + " y");
  EXPECT_EQ(longest, "report/moorethreads-" + std::string(51, 'x'));
}

TEST(VulkanReport, WrongFormsAreRefusedWithTheirPlace) {
  EXPECT_EQ(refusal("[]"), "r.json: the document is an array, not an object.");
  EXPECT_EQ(refusal("{}"), "r.json: /properties is missing.");
  EXPECT_EQ(refusal(with("\"vendorID\"", "\"vendorId\"")),
            "r.json: /properties/vendorID is missing.");
  EXPECT_EQ(refusal(with("\"0x3fb000000\"", "\"0x3fb00000G\"")),
            "r.json: /memory/memoryHeaps/1/size is a string, no whole number.");
  EXPECT_EQ(refusal(with("\"0x3fb000000\"", "\"0x10000000000000000\"")),
            "r.json: /memory/memoryHeaps/1/size is a string, no whole number.");
  EXPECT_EQ(refusal(with("32768", "-1")),
            "r.json: /properties/limits/maxComputeSharedMemorySize is a number, no whole number.");
  EXPECT_EQ(refusal(with("\"shaderInt64\": 1", "\"shaderInt64\": 2")),
            "r.json: /features/shaderInt64 is neither true nor false.");
  EXPECT_EQ(refusal(with("[1023, 512, 64]", "[1023, 512]")),
            "r.json: /properties/limits/maxComputeWorkGroupSize is no list of three numbers.");
  EXPECT_EQ(refusal(with("\"value\": \"3\"", "\"value\": []")),
            "r.json: /extended/deviceproperties2/1/value is an array, no whole number.");
  EXPECT_EQ(refusal(with("\"value\": \"3\"", "\"value\": {}")),
            "r.json: /extended/deviceproperties2/1/value is an object, no whole number.");
  EXPECT_EQ(refusal(with("7893", "4294967296")),
            "r.json: /properties/vendorID is 4294967296, more than 4294967295.");
  EXPECT_EQ(refusal(with("\"queueFlags\": 14,", "")), "r.json: /queues/2/queueFlags is missing.");
  EXPECT_EQ(refusal(with("acmevk", std::string(300, 'a'))),
            "r.json: /core12/properties/driverName has 300 bytes, more than 256.");
}

// Values read off the files by hand.
struct Expected {
  const char* file;
  const char* id;
  const char* name;
  std::map<Key, double> numbers;
  const char* api_version;
  Texts missing;
};

const std::vector<Expected>& expected_reports() {
  static const std::vector<Expected> all = {
      {"nvidia-rtx-5090-windows.gpuinfo-38847.json",
       "report/nvidia-geforce-rtx-5090",
       "NVIDIA GeForce RTX 5090",
       {{Key::kComputeUnits, 170},
        {Key::kMemoryTotalBytes, 33660338176},
        {Key::kMemoryUnified, 0},
        {Key::kSubgroupSize, 32},
        {Key::kSubgroupSizeControl, 1},
        {Key::kLimitSharedBytes, 49152},
        {Key::kLimitGridX, 2147483647},
        {Key::kLimitWorkgroupSizeZ, 64},
        {Key::kLimitAllocationBytes, 4292870144},
        {Key::kLimitBufferOffsetAlignmentBytes, 16},
        {Key::kClockTimestampPeriodNs, 1},
        {Key::kClockTimestampValidBits, 64},
        {Key::kMatrixCooperative, 1},
        {Key::kVulkanPushDescriptor, 1},
        {Key::kTypeF64, 1}},
       "1.4.303",
       {}},
      {"nvidia-tesla-t4-ubuntu.gpuinfo-36732.json",
       "report/nvidia-tesla-t4",
       "Tesla T4",
       {{Key::kComputeUnits, 40},
        {Key::kMemoryTotalBytes, 16106127360},
        {Key::kSubgroupSizeMin, 32},
        {Key::kLimitAllocationBytes, 4292870144},
        {Key::kMatrixCooperative, 1}},
       "1.3.277",
       {}},
      {"amd-rx-9070-xt-windows.gpuinfo-38798.json",
       "report/amd-radeon-rx-9070-xt",
       "AMD Radeon RX 9070 XT",
       {{Key::kComputeUnits, 64},
        {Key::kMemoryTotalBytes, 17095983104},
        {Key::kLimitSharedBytes, 32768},
        {Key::kSubgroupSize, 64},
        {Key::kSubgroupSizeMin, 32},
        {Key::kSubgroupSizeMax, 64},
        {Key::kLimitAllocationBytes, 2147483648},
        {Key::kClockTimestampPeriodNs, 10},
        {Key::kMatrixCooperative, 1}},
       "1.4.308",
       {}},
      {"amd-rx-7900-xtx-radv.gpuinfo-38697.json",
       "report/amd-radeon-rx-7900-xtx-radv-navi31",
       "AMD Radeon RX 7900 XTX (RADV NAVI31)",
       {{Key::kComputeUnits, 96},
        {Key::kMemoryTotalBytes, 25753026560},
        {Key::kLimitSharedBytes, 65536},
        {Key::kSubgroupSize, 64},
        {Key::kSubgroupSizeMin, 32},
        {Key::kLimitAllocationBytes, 4294967292},
        {Key::kMatrixCooperative, 1}},
       "1.4.305",
       {}},
      {"amd-instinct-mi210-radv.gpuinfo-34860.json",
       "report/amd-instinct-mi210-radv-mi200",
       "AMD Instinct MI210 (RADV MI200)",
       {{Key::kMemoryTotalBytes, 68702699520},
        {Key::kSubgroupSize, 64},
        {Key::kSubgroupSizeControl, 0},
        {Key::kSubgroupSizeMin, 64},
        {Key::kLimitSharedBytes, 65536},
        {Key::kClockTimestampPeriodNs, 40},
        {Key::kMatrixCooperative, 0},
        {Key::kVulkanPushDescriptor, 1}},
       "1.3.274",
       {}},
      {"intel-arc-b580-windows.gpuinfo-38073.json",
       "report/intel-arc-b580-graphics",
       "Intel(R) Arc(TM) B580 Graphics",
       {{Key::kMemoryTotalBytes, 12704546816},
        {Key::kSubgroupSize, 32},
        {Key::kSubgroupSizeMin, 16},
        {Key::kLimitStorageBufferRangeBytes, 1073741820},
        {Key::kLimitAllocationBytes, 4294901760},
        {Key::kLimitBufferOffsetAlignmentBytes, 64},
        {Key::kMatrixCooperative, 1}},
       "1.4.303",
       {"compute.units"}},
      {"moorethreads-mtt-s80-ubuntu.gpuinfo-36623.json",
       "report/moorethreads-mtt-s80",
       "MTT S80",
       {{Key::kMemoryTotalBytes, 17089384448},
        {Key::kMemoryUnified, 0},
        {Key::kSubgroupSize, 128},
        {Key::kSubgroupSizeMin, 4},
        {Key::kSubgroupSizeMax, 128},
        {Key::kLimitSharedBytes, 16384},
        {Key::kClockTimestampPeriodNs, 0},
        {Key::kClockTimestamps, 0},
        {Key::kClockTimestampValidBits, 0},
        {Key::kMatrixCooperative, 0},
        {Key::kTypeF64, 0},
        {Key::kLimitAllocationBytes, 68719476736}},
       "1.3.225",
       {"compute.units"}},
      {"qualcomm-adreno-x1-85-windows.gpuinfo-36066.json",
       "report/qualcomm-adreno-x1-85-gpu",
       "Qualcomm(R) Adreno(TM) X1-85 GPU",
       {{Key::kMemoryTotalBytes, 16947924992},
        {Key::kMemoryUnified, 1},
        {Key::kSubgroupSize, 64},
        {Key::kSubgroupSizeMax, 128},
        {Key::kLimitAllocationBytes, 1073741824},
        {Key::kClockTimestampValidBits, 48}},
       "1.3.284",
       {"compute.units"}},
      {"arm-mali-g715-android.gpuinfo-38123.json",
       "report/arm-mali-g715-immortalis-mc11",
       "Mali-G715-Immortalis MC11",
       {{Key::kMemoryTotalBytes, 16067702784},
        {Key::kSubgroupSize, 16},
        {Key::kTypeI64, 0},
        {Key::kVulkanPushDescriptor, 0},
        {Key::kMemoryUnified, 1}},
       "1.3.219",
       {"compute.units"}},
      {"imgtec-powervr-bxt-32-1024-ubuntu.gpuinfo-15920.json",
       "report/imagination-powervr-b-series-bxt-32-1024",
       "PowerVR B-Series BXT-32-1024",
       {{Key::kSubgroupSize, 128},
        {Key::kLimitWorkgroupInvocations, 512},
        {Key::kLimitSharedBytes, 16384},
        {Key::kClockTimestampPeriodNs, 0},
        {Key::kClockTimestamps, 0},
        {Key::kClockTimestampValidBits, 0}},
       "1.3.204",
       {"compute.units"}},
      {"apple-m4-moltenvk.gpuinfo-35772.json",
       "report/apple-m4",
       "Apple M4",
       {{Key::kMemoryTotalBytes, 25769803776},
        {Key::kMemoryUnified, 1},
        {Key::kSubgroupSize, 32},
        {Key::kSubgroupSizeControl, 0},
        {Key::kSubgroupSizeMin, 32},
        {Key::kLimitPushConstantBytes, 4096},
        {Key::kLimitAllocationBytes, 12884901888}},
       "1.2.296",
       {"compute.units"}},
      {"mesa-llvmpipe-256bit.gpuinfo-38866.json",
       "report/mesa-llvmpipe-llvm-20.1.3-256-bits",
       "llvmpipe (LLVM 20.1.3, 256 bits)",
       {{Key::kMemoryUnified, 1}, {Key::kSubgroupSize, 8}, {Key::kMemoryTotalBytes, 33573433344}},
       "1.4.305",
       {"compute.units"}},
      {"broadcom-v3d-7.1-pi5.gpuinfo-38154.json",
       "report/broadcom-v3d-7.1.7.0",
       "V3D 7.1.7.0",
       {{Key::kSubgroupSize, 16},
        {Key::kLimitSharedBytes, 16384},
        {Key::kTypeF16, 0},
        {Key::kTypeI8, 0},
        {Key::kStorage8bit, 1},
        {Key::kSubgroupArithmetic, 0},
        {Key::kSubgroupShuffle, 1},
        {Key::kVulkanPushDescriptor, 0}},
       "1.3.305",
       {"compute.units"}},
      {"vp_gpuinfo_intel_r__arc_tm__a770_graphics__dg2__26_1_2_arch_unknown.json",
       "report/intel-arc-a770-graphics-dg2",
       "Intel(R) Arc(tm) A770 Graphics (DG2)",
       {{Key::kSubgroupSizeMin, 8},
        {Key::kSubgroupSizeMax, 32},
        {Key::kLimitSharedBytes, 49152},
        {Key::kClockTimestampPeriodNs, 52.0833},
        {Key::kClockTimestampValidBits, 36},
        {Key::kClockTimestamps, 1},
        {Key::kLimitAllocationBytes, 4294967296},
        {Key::kMatrixCooperative, 1},
        {Key::kTypeF64, 0},
        {Key::kSubgroupArithmetic, 1}},
       "1.4.348",
       {"compute.units", "memory.total_bytes", "memory.unified"}},
      {"vp_gpuinfo_apple_m5_26_0_99_macos_26_4_1.json",
       "report/apple-m5",
       "Apple M5",
       {{Key::kSubgroupSize, 32},
        {Key::kSubgroupSizeControl, 0},
        {Key::kSubgroupArithmetic, 0},
        {Key::kSubgroupShuffle, 1},
        {Key::kClockTimestampPeriodNs, 0},
        {Key::kClockTimestamps, 0},
        {Key::kClockTimestampValidBits, 0},
        {Key::kLimitAllocationBytes, 2147483648},
        {Key::kMatrixCooperative, 0},
        {Key::kVulkanPushDescriptor, 1}},
       "1.3.340",
       {"compute.units", "memory.total_bytes", "memory.unified"}},
  };
  return all;
}

TEST(VulkanReport, RealReportsGiveWhatTheySay) {
  const auto data = testing::test_data("15 reports of real Vulkan devices");
  if (!data) return;
  std::size_t read = 0;
  for (const Expected& expected : expected_reports()) {
    SCOPED_TRACE(expected.file);
    const std::string path = (*data / "vulkan-reports" / expected.file).string();
    const std::string text = base::read_text_file(path, 1 << 20).value();
    const bool is_profile = std::string_view(expected.file).starts_with("vp_");
    const auto descriptor = is_profile ? read_vulkan_profile(text, expected.file)
                                       : read_vulkan_report(text, expected.file);
    ASSERT_TRUE(descriptor) << descriptor.error().message();
    EXPECT_EQ(descriptor->id, expected.id);
    EXPECT_EQ(descriptor->name, expected.name);
    EXPECT_EQ(descriptor->missing, expected.missing);
    EXPECT_EQ(descriptor->sources[0].licence, "CC BY 4.0");
    EXPECT_EQ(descriptor->capabilities.find("vulkan.api_version")->text, expected.api_version);
    for (const auto& [key, number] : expected.numbers)
      EXPECT_EQ(descriptor->capabilities.number(key), number) << capability_key_info(key).name;
    EXPECT_EQ(descriptor->capabilities.all().size() + descriptor->missing.size(),
              vulkan_capability_keys().size());
    const std::string written = write_descriptor(*descriptor);
    const auto again = parse_descriptor(written, "d.json");
    ASSERT_TRUE(again) << again.error().message();
    EXPECT_EQ(write_descriptor(*again), written);
    ++read;
  }
  EXPECT_EQ(read, 15U);
}

}  // namespace
}  // namespace halyard::descriptors
