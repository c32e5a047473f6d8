# Whether programs are compiled for NVIDIA GPUs, for which of them, and stg_add_program, which compiles them. Read by the
# project itself and by those who find its package; costs next to nothing until a program is added.
set(STG_CUDA AUTO CACHE STRING "Compile programs for NVIDIA GPUs: AUTO (where nvcc 12 or newer is found), ON or OFF")
set_property(CACHE STG_CUDA PROPERTY STRINGS AUTO ON OFF)
set(STG_CUDA_FOUND OFF)

if(STG_CUDA)  # AUTO counts as true
  find_package(CUDAToolkit 12 QUIET)
  if(CUDAToolkit_FOUND AND CUDAToolkit_NVCC_EXECUTABLE)
    set(STG_CUDA_FOUND ON)
  elseif(NOT STG_CUDA STREQUAL "AUTO")
    message(FATAL_ERROR "stg: STG_CUDA=ON needs the CUDA toolkit 12 or newer, with nvcc; "
      "set CUDAToolkit_ROOT to its folder, or use STG_CUDA=AUTO, which does without it")
  endif()
endif()

# The architectures that Turing, Ampere, Hopper and Blackwell begin with, as far as this nvcc knows them. Newer devices of
# each run the code too, and devices newer than all compile the last one's intermediate code when a program starts.
if(STG_CUDA_FOUND AND NOT DEFINED STG_CUDA_ARCHITECTURES)
  execute_process(COMMAND ${CUDAToolkit_NVCC_EXECUTABLE} --list-gpu-arch OUTPUT_VARIABLE known ERROR_QUIET)
  set(architectures 75 80 90 100)
  foreach(architecture IN LISTS architectures)
    if(NOT known MATCHES "compute_${architecture}[^0-9]")
      list(REMOVE_ITEM architectures ${architecture})
    endif()
  endforeach()
  set(STG_CUDA_ARCHITECTURES "${architectures}" CACHE STRING
    "GPU architectures that programs are compiled for, as CMake's CUDA_ARCHITECTURES")
endif()

# stg_add_program(target file.cpp...) adds files that hold stg programs to a target, an executable unless it exists. They
# are compiled as CUDA C++ where STG_CUDA finds a toolkit, and can run on a GPU then; elsewhere they are plain C++. A macro,
# because CMake enables a language for the caller's folder alone, and not from within a function.
macro(stg_add_program target)
  if(TARGET stg::cuda)
    find_package(CUDAToolkit 12 REQUIRED QUIET)  # its targets, in this folder
    if(NOT CMAKE_CUDA_COMPILER)
      set(CMAKE_CUDA_COMPILER ${CUDAToolkit_NVCC_EXECUTABLE})
      if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT CMAKE_CUDA_HOST_COMPILER)
        set(CMAKE_CUDA_HOST_COMPILER ${CMAKE_CXX_COMPILER})
      endif()
      if(NOT CMAKE_CUDA_ARCHITECTURES)
        set(CMAKE_CUDA_ARCHITECTURES ${STG_CUDA_ARCHITECTURES})
      endif()
    endif()
    enable_language(CUDA)
  endif()
  stg_add_program_files(${target} ${ARGN})
endmacro()

function(stg_add_program_files target)
  if(TARGET ${target})
    target_sources(${target} PRIVATE ${ARGN})
  else()
    add_executable(${target} ${ARGN})
  endif()
  target_link_libraries(${target} PRIVATE stg::stg)
  if(NOT TARGET stg::cuda)
    if(STG_PRECOMPILED_HEADER)
      stg_precompiled_header(${target})
    endif()
    return()
  endif()
  set_source_files_properties(${ARGN} PROPERTIES LANGUAGE CUDA)
  set_target_properties(${target} PROPERTIES
    CUDA_ARCHITECTURES "${STG_CUDA_ARCHITECTURES}" CUDA_RUNTIME_LIBRARY Static)
  if(CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
    set_target_properties(${target} PROPERTIES CUDA_STANDARD 20 CUDA_STANDARD_REQUIRED ON CUDA_EXTENSIONS OFF)
  else()  # a CMake that is older than nvcc's C++20
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-std=c++20>)
  endif()
  list(JOIN STG_CUDA_ARCHITECTURES "," built)
  target_compile_definitions(${target} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:STG_CUDA_ARCHITECTURES="${built}">)
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr>)
  target_link_libraries(${target} PRIVATE stg::cuda)
endfunction()
