# SPDX-License-Identifier: Apache-2.0
# The few ways in which a target of this project is made.

include(GoogleTest)
add_custom_target(concurrency_tests)

# How tests are compiled: quickly, since compiling them takes longer than running them.
set(HALYARD_TEST_OPTIONS -O0 -g1 $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)

# What nearly every test includes, read once: reading it takes longer than the test itself.
if(HALYARD_BUILD_TESTS)
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/test_headers.cpp CONTENT "")
  add_library(halyard_test_headers OBJECT ${CMAKE_BINARY_DIR}/test_headers.cpp)
  target_compile_features(halyard_test_headers PRIVATE cxx_std_20)
  set_target_properties(halyard_test_headers PROPERTIES CXX_STANDARD 20 CXX_EXTENSIONS OFF)
  target_compile_options(halyard_test_headers PRIVATE ${HALYARD_TEST_OPTIONS})
  target_link_libraries(halyard_test_headers PRIVATE GTest::gmock)
  target_precompile_headers(halyard_test_headers PRIVATE
    <gmock/gmock.h> <gtest/gtest.h> <boost/json/array.hpp> <boost/json/object.hpp> <algorithm>
    <filesystem> <fstream> <functional> <map> <memory> <optional> <sstream> <string> <vector>)
endif()

# What half of the product's files include, read once.
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/product_headers.cpp CONTENT "")
add_library(halyard_product_headers OBJECT ${CMAKE_BINARY_DIR}/product_headers.cpp)
set_target_properties(halyard_product_headers PROPERTIES
  CXX_STANDARD 20 CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON
  CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
target_compile_features(halyard_product_headers PRIVATE cxx_std_20)
target_compile_options(halyard_product_headers PRIVATE
  $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
target_precompile_headers(halyard_product_headers PRIVATE
  <boost/json/value.hpp> <tl/expected.hpp> <algorithm> <chrono> <functional> <map> <memory>
  <optional> <sstream> <string> <string_view> <vector>)

# halyard_add_internal_library(NAME SOURCES file... [LIBRARIES target...] [OBJECT]
#   [OWN_OPTIONS])
# A layer: a static library (or a set of objects) with hidden symbols, included from the source root.
# OWN_OPTIONS: it is compiled with options of its own, so without the precompiled headers.
function(halyard_add_internal_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "OBJECT;OWN_OPTIONS" "" "SOURCES;LIBRARIES")
  halyard_refuse_unparsed("${arg_UNPARSED_ARGUMENTS}")
  set(kind STATIC)
  if(arg_OBJECT)
    set(kind OBJECT)
  endif()
  add_library(${name} ${kind} ${arg_SOURCES})
  halyard_set_language(${name})
  set_target_properties(${name} PROPERTIES
    POSITION_INDEPENDENT_CODE ON
    C_VISIBILITY_PRESET hidden
    CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON)
  target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(${name} PUBLIC tl::expected ${arg_LIBRARIES})
  if(NOT arg_OWN_OPTIONS)
    target_compile_options(${name} PRIVATE
      $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess>)
    target_precompile_headers(${name} REUSE_FROM halyard_product_headers)
  endif()
endfunction()

# halyard_add_unit_test(FILE... [LIBRARIES target...] [LABELS label...])
# FILE is a path below tests/unit without "_test.cpp", e.g. runtime/base/sha256. The tests of one
# folder become one executable, halyard_<folder>_tests; a label gives an executable of its own.
function(halyard_add_unit_test)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "LIBRARIES;LABELS")
  string(REPLACE ";" "_" label_suffix "${arg_LABELS}")
  foreach(file IN LISTS arg_UNPARSED_ARGUMENTS)
    cmake_path(GET file PARENT_PATH folder)
    cmake_path(GET folder FILENAME layer)
    string(REPLACE "-" "_" layer "${layer}")
    string(JOIN "_" name halyard ${layer} ${label_suffix} tests)
    if(NOT TARGET ${name})
      halyard_add_test_executable(${name} SOURCES LABELS ${arg_LABELS})
    endif()
    target_sources(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests/unit/${file}_test.cpp)
    target_link_libraries(${name} PRIVATE ${arg_LIBRARIES})
  endforeach()
endfunction()

# halyard_add_test_executable(NAME SOURCES file... [LIBRARIES target...] [LABELS label...]
#   [TIMEOUT seconds])
# A GoogleTest executable, each of whose tests is one test of CTest. Labels with a meaning:
# concurrency (run under the thread sanitizer), heavy (optimised build only), long (on request only),
# timing (nothing else runs meanwhile), worker (starts halyard-worker: not under sanitizers).
function(halyard_add_test_executable name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "SOURCES;LIBRARIES;LABELS")
  halyard_refuse_unparsed("${arg_UNPARSED_ARGUMENTS}")
  add_executable(${name} ${arg_SOURCES})
  halyard_set_language(${name})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} GTest::gtest_main GTest::gmock)
  target_compile_options(${name} PRIVATE ${HALYARD_TEST_OPTIONS})
  target_precompile_headers(${name} REUSE_FROM halyard_test_headers)
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  set(properties TIMEOUT ${arg_TIMEOUT})
  if(arg_LABELS)
    list(APPEND properties LABELS "${arg_LABELS}")
  endif()
  if("timing" IN_LIST arg_LABELS)
    list(APPEND properties RUN_SERIAL TRUE)
  endif()
  if("concurrency" IN_LIST arg_LABELS)
    add_dependencies(concurrency_tests ${name} halyard_data)
    target_sources(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests/thread_sanitizer.cpp)
  endif()
  halyard_test_environment(environment)
  list(JOIN environment "\\;" environment)  # Bare, the list would end after its first entry.
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
    PROPERTIES ${properties} ENVIRONMENT "${environment}")
endfunction()

# halyard_test_environment(OUT): what every test gets, so that none touches the user's own store.
function(halyard_test_environment out)
  set(home ${CMAKE_BINARY_DIR}/test-home)
  set(${out} XDG_DATA_HOME=${home}/data XDG_CONFIG_HOME=${home}/config
    XDG_CACHE_HOME=${home}/cache PARENT_SCOPE)
endfunction()

function(halyard_set_language name)
  target_compile_features(${name} PUBLIC cxx_std_20)
  set_target_properties(${name} PROPERTIES
    CXX_STANDARD 20 CXX_EXTENSIONS OFF C_STANDARD 99 C_EXTENSIONS OFF)
endfunction()

function(halyard_refuse_unparsed arguments)
  if(arguments)
    message(FATAL_ERROR "Arguments are not understood: ${arguments}")
  endif()
endfunction()
