# SPDX-License-Identifier: Apache-2.0
# Where outputs lie, and the tools that make a build faster where they are installed.

set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/archive)

# What is installed finds the libraries wherever the installation is moved to.
set(CMAKE_INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")

# The data directory of the build tree. It stands beside libhalyard.so, as it does when installed.
set(HALYARD_DATA_BUILD_DIR ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/halyard)
set(HALYARD_DATA_INSTALL_DIR ${CMAKE_INSTALL_LIBDIR}/halyard)

find_program(HALYARD_CCACHE ccache)
mark_as_advanced(HALYARD_CCACHE)
if(HALYARD_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Without this, ccache passes on what is compiled with a precompiled header.
  set(launcher ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${HALYARD_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
endif()

# Debug links are frequent and large; a release is linked by the system's own linker.
find_program(HALYARD_MOLD mold)
mark_as_advanced(HALYARD_MOLD)
if(HALYARD_MOLD AND CMAKE_BUILD_TYPE STREQUAL "Debug")
  add_link_options(-fuse-ld=mold)
endif()
