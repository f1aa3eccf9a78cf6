// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/dynamic_library.h"

#include <gtest/gtest.h>

#include <array>
#include <utility>

namespace halyard::base {
namespace {

TEST(DynamicLibrary, FirstCandidateThatLoadsIsTaken) {
  constexpr std::array<const char*, 3> kCandidates = {"libhalyard_absent.so.1", "libm.so.6",
                                                      "libc.so.6"};
  const Result<DynamicLibrary> library = DynamicLibrary::open(kCandidates);
  ASSERT_TRUE(library) << library.error().message();
  EXPECT_EQ(library->name(), "libm.so.6");
  EXPECT_TRUE(library->path().ends_with("/libm.so.6")) << library->path();
}

TEST(DynamicLibrary, MissingLibraryNamesEveryCandidateAndTheReason) {
  constexpr std::array<const char*, 2> kCandidates = {"libhalyard_absent.so.1",
                                                      "libhalyard_absent.so"};
  const Result<DynamicLibrary> library = DynamicLibrary::open(kCandidates);
  ASSERT_FALSE(library);
  EXPECT_EQ(library.error().code(), ErrorCode::kUnavailable);
  EXPECT_EQ(library.error().message(),
            "The library libhalyard_absent.so.1 or libhalyard_absent.so does not load: "
            "cannot open shared object file: No such file or directory.");
}

TEST(DynamicLibrary, CandidatesThatDifferHaveAReasonEach) {
  constexpr std::array<const char*, 2> kCandidates = {"libhalyard_absent.so", "/dev/null"};
  const Result<DynamicLibrary> library = DynamicLibrary::open(kCandidates);
  ASSERT_FALSE(library);
  EXPECT_TRUE(library.error().message().starts_with(
      "The library libhalyard_absent.so or /dev/null does not load: libhalyard_absent.so: cannot "
      "open shared object file: No such file or directory; /dev/null: "))
      << library.error().message();
}

TEST(DynamicLibrary, FunctionIsCallable) {
  const DynamicLibrary library = DynamicLibrary::open("libm.so.6").value();
  const auto cosine = library.function<double(double)>("cos");
  ASSERT_TRUE(cosine);
  EXPECT_EQ((*cosine)(0.0), 1.0);
}

TEST(DynamicLibrary, MissingSymbolNamesSymbolAndFile) {
  const DynamicLibrary library = DynamicLibrary::open("libm.so.6").value();
  EXPECT_EQ(library.find("halyard_absent"), nullptr);
  const auto function = library.function<void()>("halyard_absent");
  ASSERT_FALSE(function);
  EXPECT_EQ(function.error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(function.error().message(),
            "The library " + library.path() + " has no symbol \"halyard_absent\".");
}

TEST(DynamicLibrary, MovedFromLibraryFindsNothing) {
  DynamicLibrary first = DynamicLibrary::open("libm.so.6").value();
  const DynamicLibrary second = std::move(first);
  EXPECT_EQ(first.find("cos"), nullptr);  // NOLINT(bugprone-use-after-move): the promise tested.
  EXPECT_NE(second.find("cos"), nullptr);
}

TEST(DynamicLibrary, AddressLeadsToItsFile) {
  const DynamicLibrary library = DynamicLibrary::open("libm.so.6").value();
  EXPECT_TRUE(path_of_address(library.find("cos")).ends_with("libm.so.6"));
  const int on_stack = 0;
  EXPECT_EQ(path_of_address(&on_stack), "");
}

}  // namespace
}  // namespace halyard::base
