// SPDX-License-Identifier: Apache-2.0
#include "backends/stream/stream_driver.h"

#include "runtime/base/text.h"

#include <utility>
#include <vector>

namespace halyard::stream {
namespace {

using InitFunction = int(unsigned flags);
using QueryFunction = int(int* value);

base::Error unavailable(std::string sentence) {
  return base::Error(base::ErrorCode::kUnavailable, std::move(sentence));
}

class StreamProbe final : public core::Backend {
 public:
  explicit StreamProbe(const StreamDriver& driver) : driver_(driver) {}

  std::string_view name() const override { return driver_.backend; }
  std::vector<std::string> notes() const override { return notes_; }

  base::Result<std::vector<base::Ref<core::Device>>> enumerate() override {
    HALYARD_TRY_ASSIGN(base::DynamicLibrary library,
                       base::DynamicLibrary::open(driver_.library_names));
    library.leak();
    notes_.push_back(base::concat("Loaded ", library.path(), "."));
    HALYARD_TRY_ASSIGN(const auto init, library.function<InitFunction>(driver_.init));
    const int code = init(0);
    if (code != 0 && code == driver_.stub_code) {
      return unavailable(
          base::concat(library.path(), " is the toolkit's stub, not the driver: ", driver_.init,
                       " answers ", code, " (", driver_.error_name(library, code), ")."));
    }
    if (code != 0) return failure(library, driver_.init, code);
    HALYARD_TRY_ASSIGN(const int version, query(library, driver_.driver_version));
    HALYARD_TRY_ASSIGN(const int count, query(library, driver_.device_count));
    return base::Error(
        base::ErrorCode::kUnsupported,
        base::concat("The driver, version ", driver_.version_text(version), ", has ", count,
                     " devices, but this version of Halyard does "
                     "not dispatch through it."));
  }

 private:
  base::Error failure(const base::DynamicLibrary& library, const char* call, int code) const {
    return unavailable(base::concat(call, " of ", library.path(), " answers ", code, " (",
                                    driver_.error_name(library, code), ")."));
  }
  base::Result<int> query(const base::DynamicLibrary& library, const char* call) const {
    HALYARD_TRY_ASSIGN(const auto function, library.function<QueryFunction>(call));
    int value = 0;
    const int code = function(&value);
    if (code != 0) return failure(library, call, code);
    return value;
  }

  StreamDriver driver_;
  std::vector<std::string> notes_;
};

}  // namespace

std::unique_ptr<core::Backend> create_stream_probe(const StreamDriver& driver) {
  return std::make_unique<StreamProbe>(driver);
}

}  // namespace halyard::stream
