# C libraries of programs: stg_add_c_library(name file.cpp...), docs/interop.md. They need nothing but stg.

# A shared library of the programs that the files add by STG_C_LIBRARY(name, m), and its header, name.h, both written from
# the programs. A C target links `name` and includes name.h; set_target_properties(name PROPERTIES VERSION …) as of any
# library. It exports the functions of its header alone, and two of them in one process share nothing.
function(stg_add_c_library name)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${name}_c_library)
  set(files ${folder}/${name}.h ${folder}/${name}_functions.cpp ${folder}/${name}.map)
  add_library(${name}_programs OBJECT ${ARGN})
  set_target_properties(${name}_programs PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON)
  target_compile_options(${name}_programs PRIVATE -ffunction-sections -fdata-sections)
  target_link_libraries(${name}_programs PUBLIC stg::stg)

  # The header is what the programs say of themselves when they run.
  set(writer ${folder}/write.cpp)
  set(text "#include <stg/door/c_calls.hpp>\nint main(int, char** a) { return stg::door::c::write_library(\"${name}\", a[1]); }\n")
  file(GENERATE OUTPUT ${writer} CONTENT "${text}")
  add_executable(${name}_writer ${writer})
  target_link_libraries(${name}_writer PRIVATE ${name}_programs stg::stg)
  add_custom_command(OUTPUT ${files} COMMAND ${name}_writer ${folder} DEPENDS ${name}_writer VERBATIM)

  add_library(${name} SHARED ${folder}/${name}_functions.cpp ${files})
  target_link_libraries(${name} PRIVATE ${name}_programs stg::stg)
  set_target_properties(${name} PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON LINK_DEPENDS ${folder}/${name}.map)
  target_include_directories(${name} PUBLIC $<BUILD_INTERFACE:${folder}>)
  # No thread of the library's pool outlives its code: it stays in memory where a process closes it.
  target_link_options(${name} PRIVATE -Wl,--version-script=${folder}/${name}.map -Wl,--exclude-libs,ALL -Wl,--gc-sections
    -Wl,-z,nodelete)
endfunction()
