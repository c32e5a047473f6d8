# Installs the headers, the compiled part and the files that let find_package(stg) give stg::stg.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/stg)

install(DIRECTORY include/stg DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp" PATTERN "*.cuh")
install(TARGETS stg stg_runtime EXPORT stg_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT stg_targets NAMESPACE stg:: DESTINATION ${package_dir})
if(TARGET stg_cuda)  # apart: only who compiles for GPUs needs the toolkit
  install(TARGETS stg_cuda EXPORT stg_cuda_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT stg_cuda_targets NAMESPACE stg:: DESTINATION ${package_dir})
endif()

configure_package_config_file(cmake/stgConfig.cmake.in stgConfig.cmake INSTALL_DESTINATION ${package_dir})
# Before 1.0 a minor version may break its users.
write_basic_package_version_file(stgConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/stgConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/stgConfigVersion.cmake
    cmake/stg_cuda.cmake
  DESTINATION ${package_dir})
