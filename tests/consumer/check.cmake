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

run(${CMAKE_COMMAND} -G ${generator} -S ${CMAKE_CURRENT_LIST_DIR}/project -B ${folder}/build
  -D CMAKE_CXX_COMPILER=${compiler} -D CMAKE_BUILD_TYPE=Debug -D CMAKE_CXX_FLAGS_DEBUG=${flags}
  -D CMAKE_PREFIX_PATH=${folder}/prefix -D CMAKE_FIND_USE_PACKAGE_REGISTRY=OFF)
run(${CMAKE_COMMAND} --build ${folder}/build)
run(${folder}/build/consumer)
