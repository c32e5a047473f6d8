# Installs `build` below `folder`, then configures, builds and runs the project beside this file against it.
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "failed with ${code}: ${ARGV}")
  endif()
endfunction()

file(REMOVE_RECURSE ${folder}/prefix ${folder}/build)
run(${CMAKE_COMMAND} --install ${build} --prefix ${folder}/prefix)

# Warnings and build paths are the project's own business: neither may reach its users.
file(GLOB_RECURSE exported ${folder}/prefix/*.cmake)
foreach(file IN LISTS exported)
  file(STRINGS ${file} leaked REGEX "-Wall|-Werror|${build}")
  if(leaked)
    message(FATAL_ERROR "${file} exports: ${leaked}")
  endif()
endforeach()

function(configure folder)
  run(${CMAKE_COMMAND} -G ${generator} -S ${CMAKE_CURRENT_LIST_DIR}/project -B ${folder}
    -D CMAKE_CXX_COMPILER=${compiler} -D CMAKE_BUILD_TYPE=Debug -D CMAKE_CXX_FLAGS_DEBUG=${flags}
    -D CMAKE_PREFIX_PATH=${prefix} -D CMAKE_FIND_USE_PACKAGE_REGISTRY=OFF ${ARGN})
endfunction()
set(prefix ${folder}/prefix)

configure(${folder}/build -D STG_CUDA=OFF)
run(${CMAKE_COMMAND} --build ${folder}/build)
run(${folder}/build/consumer)
run(${folder}/build/program "the CPU")

# The same project for a GPU. Asked for where there is no toolkit, that is an error.
file(REMOVE_RECURSE ${folder}/cuda)
if(cuda)
  configure(${folder}/cuda -D STG_CUDA=ON -D STG_CUDA_ARCHITECTURES=80)
  run(${CMAKE_COMMAND} --build ${folder}/cuda --target program)
  run(${folder}/cuda/program 80)
  file(REMOVE_RECURSE ${folder}/cuda)
endif()
execute_process(COMMAND ${CMAKE_COMMAND} -G ${generator} -S ${CMAKE_CURRENT_LIST_DIR}/project -B ${folder}/cuda
  -D CMAKE_CXX_COMPILER=${compiler} -D CMAKE_PREFIX_PATH=${prefix} -D STG_CUDA=ON
  -D CMAKE_DISABLE_FIND_PACKAGE_CUDAToolkit=ON RESULT_VARIABLE code OUTPUT_QUIET ERROR_VARIABLE said)
if(code EQUAL 0 OR NOT said MATCHES "stg: (STG_CUDA=ON needs the CUDA toolkit 12|this package was installed without CUDA)")
  message(FATAL_ERROR "STG_CUDA=ON without a toolkit: ${code}, ${said}")
endif()
