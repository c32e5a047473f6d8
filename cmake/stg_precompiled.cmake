# One precompiled <stg/stg.hpp> for programs that are compiled alike.
option(STG_PRECOMPILED_HEADER "Programs of stg_add_program, and the examples, share one precompiled header" OFF)

# stg_precompiled_header(target...): these targets read stg/stg.hpp precompiled, once for all that call this. Their flags and
# definitions are to be those of a target that is linked with stg::stg and nothing else is said of: g++ reads the header
# itself where they differ, clang refuses.
function(stg_precompiled_header)
  if(NOT TARGET stg_precompiled)
    set(nothing ${CMAKE_BINARY_DIR}/CMakeFiles/stg_precompiled.cpp)
    if(NOT EXISTS ${nothing})
      file(WRITE ${nothing} "")
    endif()
    add_library(stg_precompiled OBJECT EXCLUDE_FROM_ALL ${nothing})
    target_link_libraries(stg_precompiled PRIVATE stg::stg)
    target_precompile_headers(stg_precompiled PRIVATE <stg/stg.hpp>)
  endif()
  foreach(target IN LISTS ARGN)
    target_precompile_headers(${target} REUSE_FROM stg_precompiled)
  endforeach()
endfunction()
