# Python modules of programs: stg_add_python_module(name file.cpp...), docs/python.md. Needs Python 3.10 with its headers and
# nanobind, which PyPI has: python3 -m pip install nanobind.
set(STG_PYTHON AUTO CACHE STRING "Python modules of programs: AUTO, where Python and nanobind are found; ON, an error where not; OFF")
set_property(CACHE STG_PYTHON PROPERTY STRINGS AUTO ON OFF)
set(STG_PYTHON_SOURCES ${CMAKE_CURRENT_LIST_DIR}/../src/python)
if(NOT EXISTS ${STG_PYTHON_SOURCES})  # installed
  set(STG_PYTHON_SOURCES ${CMAKE_CURRENT_LIST_DIR}/python)
endif()
get_filename_component(STG_PYTHON_SOURCES ${STG_PYTHON_SOURCES} ABSOLUTE)

# Whether modules can be made: sets STG_PYTHON_FOUND, and what is missing STG_PYTHON_MISSES. A macro: finding makes targets
# for the folder that asks.
macro(stg_find_python)
  set(STG_PYTHON_FOUND OFF)
  set(STG_PYTHON_MISSES "STG_PYTHON is OFF")
  if(STG_PYTHON)
    if(NOT Python_EXECUTABLE AND EXISTS ${PROJECT_SOURCE_DIR}/build/python/bin/python3)  # of scripts/install-python.sh
      set(Python_EXECUTABLE ${PROJECT_SOURCE_DIR}/build/python/bin/python3)
    endif()
    find_package(Python 3.10 COMPONENTS Interpreter Development.Module QUIET)
    set(STG_PYTHON_MISSES "Python 3.10 with its headers")
    if(Python_Interpreter_FOUND AND Python_Development.Module_FOUND)
      execute_process(COMMAND ${Python_EXECUTABLE} -m nanobind --cmake_dir
        OUTPUT_STRIP_TRAILING_WHITESPACE OUTPUT_VARIABLE nanobind_ROOT ERROR_QUIET)
      find_package(nanobind CONFIG QUIET)
      set(STG_PYTHON_MISSES "nanobind; python3 -m pip install nanobind")
      set(STG_PYTHON_FOUND ${nanobind_FOUND})
    endif()
    if(NOT STG_PYTHON_FOUND AND NOT STG_PYTHON STREQUAL "AUTO")
      message(FATAL_ERROR "stg: Python modules need ${STG_PYTHON_MISSES}, or -DSTG_PYTHON=OFF")
    endif()
  endif()
endmacro()

# What speaks to Python, compiled once for all modules of a folder.
function(stg_python_library)
  if(TARGET stg_python)
    return()
  endif()
  set(written ${CMAKE_CURRENT_BINARY_DIR}/stg_python)
  file(READ ${STG_PYTHON_SOURCES}/torch_function.py torch_function_source)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${STG_PYTHON_SOURCES}/torch_function.py)
  configure_file(${STG_PYTHON_SOURCES}/torch_function.hpp.in ${written}/stg_torch_function.hpp @ONLY)
  nanobind_build_library(nanobind-static AS_SYSINCLUDE)
  add_library(stg_python STATIC)
  foreach(source IN ITEMS arrays batches graphs loaders module program sparse torch_function)
    target_sources(stg_python PRIVATE ${STG_PYTHON_SOURCES}/${source}.cpp)
  endforeach()
  set_target_properties(stg_python PROPERTIES UNITY_BUILD ON POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden)
  target_include_directories(stg_python PRIVATE ${written})
  target_link_libraries(stg_python PUBLIC stg::stg PRIVATE nanobind-static)
endfunction()

# stg_add_python_module(name file.cpp...): `import name` has the programs that the files add by STG_PYTHON(name, m). Its
# declarations for editors are written beside it, name.pyi.
function(stg_add_python_module name)
  stg_find_python()
  if(NOT STG_PYTHON_FOUND)
    message(FATAL_ERROR "stg: Python modules need ${STG_PYTHON_MISSES}")
  endif()
  stg_python_library()
  set(entry ${CMAKE_CURRENT_BINARY_DIR}/stg_python/${name}_entry.cpp)
  configure_file(${STG_PYTHON_SOURCES}/module_entry.cpp.in ${entry} @ONLY)
  nanobind_add_module(${name} NB_STATIC NB_DOMAIN stg_${name} NOMINSIZE ${entry} ${ARGN})
  target_link_libraries(${name} PRIVATE stg_python stg::stg)
  target_link_options(${name} PRIVATE -Wl,--exclude-libs,ALL)  # two modules of one process share nothing
  add_custom_command(TARGET ${name} POST_BUILD WORKING_DIRECTORY $<TARGET_FILE_DIR:${name}> VERBATIM
    COMMAND ${Python_EXECUTABLE} -c "import ${name}; open('${name}.pyi', 'w').write(${name}.__stubs__)")
endfunction()
