# A port over the checkout that it lies in: vcpkg install stg --overlay-ports=packaging/vcpkg (packaging/README.md).
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

vcpkg_check_features(OUT_FEATURE_OPTIONS features FEATURES io STG_IO mpi STG_MPI cuda STG_CUDA)
vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS ${features} -DSTG_BUILD_TESTS=OFF -DSTG_BUILD_BENCH=OFF -DSTG_BUILD_EXAMPLES=OFF -DSTG_PYTHON=OFF
    -DSTG_WARNINGS_AS_ERRORS=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME stg CONFIG_PATH lib/cmake/stg)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
