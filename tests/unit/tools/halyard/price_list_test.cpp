// SPDX-License-Identifier: Apache-2.0
#include "tools/halyard/price_list.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace halyard::command_line {
namespace {

class PriceListTest : public ::testing::Test {
 protected:
  PriceListTest()
      : path_(std::filesystem::temp_directory_path() /
              ("prices-" + std::to_string(::getpid()) + ".json")) {}
  ~PriceListTest() override { std::filesystem::remove(path_); }

  PriceList read(const std::string& text) const {
    std::ofstream(path_) << text;
    return PriceList::read(path_.string());
  }

  static std::string entry(const std::string& device, const std::string& amount,
                           const std::string& source) {
    return R"({"format":"halyard.prices/1","prices":[{"device":")" + device + R"(","amount":")" +
           amount + R"(","currency":"PHP","date":"2026-01-02","source":")" + source + R"("}]})";
  }

  static halyard_device_info device() {
    halyard_device_info info = HALYARD_DEVICE_INFO_INIT;
    info.id = "vulkan:0";
    info.backend = "vulkan";
    info.name = "Radeon RX 7900";
    return info;
  }

  std::filesystem::path path_;
};

TEST_F(PriceListTest, StepsPerSecondAreDividedByThePrice) {
  const PriceList prices = read(entry("radeon rx", "50.00", "a shop"));
  const std::string line = prices.value_line(device(), 1e6);
  EXPECT_TRUE(line.starts_with("20.0 steps per second per PHP at 50.00 PHP (a shop, 2026-01-02"))
      << line;
}

TEST_F(PriceListTest, BackendAndIdAreTakenWhole) {
  EXPECT_TRUE(read(entry("vulkan", "50", "x")).value_line(device(), 1e6).starts_with("20.0 "));
  EXPECT_TRUE(read(entry("vulkan:0", "50", "x")).value_line(device(), 1e6).starts_with("20.0 "));
  EXPECT_TRUE(read(entry("vulk", "50", "x")).value_line(device(), 1e6).starts_with("No figure"));
}

TEST_F(PriceListTest, ExampleIsCalledNoPrice) {
  const std::string line = read(entry("vulkan", "50", "edit me")).value_line(device(), 1e6);
  EXPECT_NE(line.find("an example and no price"), std::string::npos) << line;
}

TEST_F(PriceListTest, WithoutPriceOrTimeThereIsNoFigure) {
  const PriceList prices = read(entry("toaster", "50", "x"));
  EXPECT_NE(prices.value_line(device(), 1e6).find("because"), std::string::npos);
  EXPECT_NE(prices.value_line(device(), 0).find("not timed"), std::string::npos);
}

TEST_F(PriceListTest, AmountIsDecimalAboveZero) {
  for (const char* amount : {"0", "-1", "1e3", "1,000", "nan", "12x"}) {
    EXPECT_THROW(read(entry("cpu", amount, "x")), std::runtime_error) << amount;
  }
}

}  // namespace
}  // namespace halyard::command_line
