# The libraries that benchmarks share: graphs, and kernels by hand, which are built for those alone that link them.
# Included where they are needed, since tests are built without benchmarks.
include_guard(GLOBAL)
set(here ${CMAKE_CURRENT_LIST_DIR})
add_library(bench_graphs STATIC ${here}/graphs.cpp)
target_include_directories(bench_graphs PUBLIC ${PROJECT_SOURCE_DIR})
target_link_libraries(bench_graphs PUBLIC stg::stg)
add_library(bench_common STATIC EXCLUDE_FROM_ALL ${here}/yardstick.cpp)
target_link_libraries(bench_common PUBLIC bench_graphs)

# One object library per instruction set: properties of a source are seen in the folder that sets them alone.
function(yardstick_for isa)
  add_library(yardstick_${isa} OBJECT EXCLUDE_FROM_ALL ${here}/yardstick/${isa}.cpp)
  target_link_libraries(yardstick_${isa} PRIVATE stg::stg)
  target_compile_options(yardstick_${isa} PRIVATE -O3 -Wno-psabi ${ARGN})  # vectors by value: in inlined functions only
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(yardstick_${isa} PRIVATE -Wno-uninitialized -Wno-maybe-uninitialized)  # g++'s own intrinsics
  endif()
  target_sources(bench_common PRIVATE $<TARGET_OBJECTS:yardstick_${isa}>)
endfunction()
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  yardstick_for(avx2 -mavx2 -mfma)
  yardstick_for(avx512 -mavx512f -mavx512dq -mavx512bw -mavx512vl -mfma -mprefer-vector-width=512)
endif()
