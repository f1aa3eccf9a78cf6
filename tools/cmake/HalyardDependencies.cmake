# SPDX-License-Identifier: Apache-2.0
# Targets: Boost::headers, tl::expected, SQLite::SQLite3, PkgConfig::libsodium, halyard_spdlog,
# Vulkan::Headers, Threads::Threads, pugixml::pugixml, PkgConfig::libzip, PkgConfig::libarchive,
# SPIRV-Tools-static (the services library), PkgConfig::libseccomp,
# CLI11::CLI11 (tools), GTest::gtest_main and GTest::gmock (tests).

find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(Boost 1.81 REQUIRED)
find_package(tl-expected REQUIRED)
find_package(SQLite3 3.40 REQUIRED)
find_package(VulkanHeaders REQUIRED CONFIG)
find_package(spdlog 1.10 REQUIRED)
find_package(pugixml 1.13 REQUIRED)
find_package(SPIRV-Tools REQUIRED CONFIG)
pkg_check_modules(libsodium REQUIRED IMPORTED_TARGET libsodium>=1.0.18)
pkg_check_modules(libzip REQUIRED IMPORTED_TARGET libzip>=1.7)
pkg_check_modules(libarchive REQUIRED IMPORTED_TARGET libarchive>=3.6)
pkg_check_modules(libseccomp REQUIRED IMPORTED_TARGET libseccomp>=2.5)
# Its header only: the library is loaded when a store on a server is opened.
pkg_check_modules(libpq REQUIRED libpq>=13)

# spdlog and fmt as headers only, so that libhalyard.so needs neither library.
add_library(halyard_spdlog INTERFACE)
target_compile_definitions(halyard_spdlog INTERFACE SPDLOG_FMT_EXTERNAL FMT_HEADER_ONLY)
target_link_libraries(halyard_spdlog INTERFACE Threads::Threads)

if(HALYARD_BUILD_TOOLS)
  find_package(CLI11 2.1 REQUIRED)
endif()
if(HALYARD_BUILD_TESTS)
  find_package(GTest 1.12 REQUIRED)
  # The distribution's interpreter, for which the distribution's modules are installed.
  find_program(HALYARD_PYTHON python3 REQUIRED PATHS /usr/bin NO_DEFAULT_PATH)
  mark_as_advanced(HALYARD_PYTHON)
endif()
