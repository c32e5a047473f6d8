# Installs the headers, the compiled part, the files that let find_package(stg) and pkg-config find it, and the licence;
# `uninstall` takes them away again, and cpack makes a Debian package of them. Only where stg is the project that is built,
# unless STG_INSTALL says otherwise: a project that has it below itself installs its own files alone.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/stg)

install(DIRECTORY include/stg DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp" PATTERN "*.inc" PATTERN "*.cuh" PATTERN "*.h")
install(TARGETS stg stg_runtime EXPORT stg_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT stg_targets NAMESPACE stg:: DESTINATION ${package_dir})
if(TARGET stg_cuda)  # apart: only who compiles for GPUs needs the toolkit
  install(TARGETS stg_cuda EXPORT stg_cuda_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT stg_cuda_targets NAMESPACE stg:: DESTINATION ${package_dir})
endif()
if(TARGET stg_mpi)  # apart: only who runs processes needs MPI
  install(TARGETS stg_mpi EXPORT stg_mpi_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT stg_mpi_targets NAMESPACE stg:: DESTINATION ${package_dir})
endif()
if(TARGET stg_scotch)
  install(TARGETS stg_scotch EXPORT stg_scotch_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT stg_scotch_targets NAMESPACE stg:: DESTINATION ${package_dir})
endif()
if(TARGET stg_io)  # apart: only who reads packed files needs their libraries
  install(TARGETS stg_io EXPORT stg_io_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT stg_io_targets NAMESPACE stg:: DESTINATION ${package_dir})
endif()
if(TARGET stg_command_line)
  install(TARGETS stg_command_line RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
if(TARGET stg_hdf5)
  install(TARGETS stg_hdf5 EXPORT stg_hdf5_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT stg_hdf5_targets NAMESPACE stg:: DESTINATION ${package_dir})
endif()
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

configure_package_config_file(cmake/stgConfig.cmake.in stgConfig.cmake INSTALL_DESTINATION ${package_dir})
# Before 1.0 a minor version may break its users.
write_basic_package_version_file(stgConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/stgConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/stgConfigVersion.cmake
    cmake/stg_cuda.cmake cmake/stg_mpi.cmake cmake/stg_scotch.cmake cmake/stg_io.cmake cmake/stg_hdf5.cmake cmake/stg_build_type.cmake cmake/stg_precompiled.cmake
    cmake/stg_c.cmake cmake/stg_python.cmake
  DESTINATION ${package_dir})
# What modules of Python are compiled with, in the user's project: for its Python and its nanobind.
install(DIRECTORY src/python DESTINATION ${package_dir} PATTERN package EXCLUDE)

# pkg-config finds the prefix from where the file lies, so `cmake --install --prefix` may name any.
file(RELATIVE_PATH from_pc_to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" from_pc_to_prefix ${from_pc_to_prefix})
# The library holds g++'s or clang's OpenMP. g++'s is found by -fopenmp with both, since clang's serves its calls too;
# clang's is named by its file.
set(pc_openmp "-fopenmp")
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(JOIN OpenMP_CXX_LIBRARIES " " pc_openmp)
endif()
set(pc_boost "")
if(NOT Boost_INCLUDE_DIRS IN_LIST CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES)
  set(pc_boost "-I\"${Boost_INCLUDE_DIRS}\"")
endif()
set(pc_kernels "")
if(NOT STG_LIBRARY_KERNELS)
  set(pc_kernels "-DSTG_LIBRARY_KERNELS=0")
endif()
configure_file(cmake/stg.pc.in stg.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/stg.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

if(NOT TARGET uninstall)
  add_custom_target(uninstall COMMAND ${CMAKE_COMMAND} -D manifest=${CMAKE_BINARY_DIR}/install_manifest.txt
    -P ${CMAKE_CURRENT_LIST_DIR}/uninstall.cmake VERBATIM)
endif()

# `cpack -G DEB` in the build directory: libstg-dev, headers and the static library.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME libstg-dev)
set(CPACK_PACKAGE_VENDOR stg)
set(CPACK_PACKAGE_CONTACT "the stg authors <stg@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "embedded C++20 language for graph neural networks")
set(CPACK_PACKAGE_DESCRIPTION "You write what one vertex does; the lambda is differentiated, rearranged and fused while
your file is compiled, and what runs is a kernel made for it. Headers and static library.")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_CURRENT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/debian_copyright.cmake)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")  # whose OpenMP comes with it, and which clang's replaces
  set(CPACK_DEBIAN_PACKAGE_DEPENDS "libboost-dev (>= 1.74), g++ (>= 4:12) | clang (>= 1:14)")
  set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "cmake (>= 3.22), pkg-config")
else()
  set(CPACK_DEBIAN_PACKAGE_DEPENDS "libboost-dev (>= 1.74), libomp-dev, clang (>= 1:14)")
  set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "cmake (>= 3.22), pkg-config")
endif()
if(TARGET stg_command_line)  # a program, whose shared libraries are asked for by name
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
endif()
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libomp-dev, libeigen3-dev, libmetis5, gdb")
include(CPack)
