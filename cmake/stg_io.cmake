# Data on disk that needs libraries: stg::io unpacks (zlib) and reads ZIP archives (libzip). A program links it beside stg::stg.
# AUTO takes what is found, ON asks for it, OFF leaves it out.
set(STG_IO AUTO CACHE STRING "Build stg::io, which reads .npz and .gz: AUTO, ON or OFF")
set(STG_IO_FOUND OFF)
if(NOT STG_IO STREQUAL "OFF")
  find_package(ZLIB QUIET)
  find_path(STG_ZIP_INCLUDE zip.h DOC "Folder that holds zip.h: Debian's libzip-dev")
  find_library(STG_ZIP_LIBRARY zip DOC "libzip")
  if(ZLIB_FOUND AND STG_ZIP_INCLUDE AND STG_ZIP_LIBRARY)
    set(STG_IO_FOUND ON)
  elseif(STG_IO STREQUAL "ON")
    message(FATAL_ERROR "stg: zlib or libzip is not found; install zlib1g-dev and libzip-dev, or name their folders in ZLIB_ROOT and STG_ZIP_INCLUDE")
  else()
    message(STATUS "stg: zlib or libzip is not found: stg::io is not built (zlib1g-dev, libzip-dev)")
  endif()
endif()
if(STG_IO_FOUND AND NOT TARGET stg_zip)  # Debian's own files for CMake ask for its tools as well
  add_library(stg_zip INTERFACE IMPORTED GLOBAL)
  set_target_properties(stg_zip PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES ${STG_ZIP_INCLUDE} INTERFACE_LINK_LIBRARIES "${STG_ZIP_LIBRARY};ZLIB::ZLIB")
endif()
