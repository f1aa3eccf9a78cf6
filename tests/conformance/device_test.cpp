// SPDX-License-Identifier: Apache-2.0
#include "tests/conformance/device_test.h"

#include <algorithm>
#include <cstdlib>
#include <random>
#include <sstream>

namespace halyard::conformance {

std::vector<std::string> device_ids() {
  // One instance stays for good: lavapipe loses 128 bytes when the last one of a process goes and
  // the loader unloads it, which the leak checker would count as ours.
  static const Instance& kept = *new Instance(Instance::create());
  const std::vector<Device> devices = kept.devices();
  std::vector<std::string> ids;
  if (const char* named = std::getenv("HALYARD_TEST_DEVICE"); named != nullptr && *named != '\0') {
    std::istringstream list(named);
    for (std::string id; std::getline(list, id, ',');)
      ids.push_back(id);
    return ids;
  }
  std::vector<std::string> backends;
  for (const Device& device : devices) {
    const std::string backend = device.info().backend;
    if (std::find(backends.begin(), backends.end(), backend) != backends.end()) continue;
    backends.push_back(backend);
    ids.emplace_back(device.info().id);
  }
  return ids;
}

std::string test_name(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); },
      '_');
  return name;
}

void DeviceTest::SetUp() {
  halyard_instance_desc desc = HALYARD_INSTANCE_DESC_INIT;
  desc.store_url = "memory:";
  instance_ = Instance::create(&desc);
  device_ = instance_.device(GetParam().c_str());
  queue_ = Queue::create(device_);
}

void expect_failure(halyard_status status, const std::string& part,
                    const std::function<void()>& call) {
  try {
    call();
    ADD_FAILURE() << "The call succeeded; expected a failure with \"" << part << "\".";
  } catch (const Error& error) {
    EXPECT_EQ(status, error.status())
        << halyard_status_name(error.status()) << ": " << error.what();
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

halyard_operation_desc OperationSpec::desc() const {
  halyard_operation_desc out = HALYARD_OPERATION_DESC_INIT;
  out.contract = contract.c_str();
  out.flags = flags;
  out.types = types.data();
  out.type_count = static_cast<std::uint32_t>(types.size());
  out.axes = axes.data();
  out.axis_count = static_cast<std::uint32_t>(axes.size());
  out.attributes = attributes.data();
  out.attribute_count = static_cast<std::uint32_t>(attributes.size());
  out.constants = constants.data();
  out.constant_count = static_cast<std::uint32_t>(constants.size());
  return out;
}

Operation prepare(const Device& device, const OperationSpec& spec) {
  return Operation::prepare(device, spec.desc());
}

halyard_launch LaunchSpec::record() const {
  halyard_launch out = HALYARD_LAUNCH_INIT;
  out.views = views.data();
  out.view_count = static_cast<std::uint32_t>(views.size());
  out.axes = axes.data();
  out.axis_count = static_cast<std::uint32_t>(axes.size());
  out.scalars = scalars.data();
  out.scalar_count = static_cast<std::uint32_t>(scalars.size());
  out.workspace = workspace;
  return out;
}

std::vector<float> random_floats(std::size_t count, std::uint32_t seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<float> distribution(-1.0F, 1.0F);
  std::vector<float> values(count);
  for (float& value : values)
    value = distribution(generator);
  return values;
}

}  // namespace halyard::conformance
