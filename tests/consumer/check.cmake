# Installs `build` below `folder`, with a blank in the prefix, and uses it as a stranger does: with find_package, with
# pkg-config, below another project; then packs it for Debian and takes it away again. One library serves all.
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "failed with ${code}: ${ARGV}")
  endif()
endfunction()

set(prefix "${folder}/a prefix")
file(REMOVE_RECURSE ${prefix} ${folder}/build)
run(${CMAKE_COMMAND} --install ${build} --prefix ${prefix})
if(NOT EXISTS ${prefix}/share/doc/stg/LICENSE)
  message(FATAL_ERROR "the licence is not installed")
endif()

if(EXISTS ${build}/bin/stg)  # the program itself, where it is built
  execute_process(COMMAND ${prefix}/bin/stg info karate OUTPUT_VARIABLE said COMMAND_ERROR_IS_FATAL ANY)
  if(NOT said MATCHES "vertices +34\nedges +156\n")
    message(FATAL_ERROR "the installed program says: ${said}")
  endif()
endif()

# Warnings and build paths are the project's own business: neither may reach its users.
file(GLOB_RECURSE exported ${prefix}/*.cmake ${prefix}/*.pc)
foreach(file IN LISTS exported)
  file(STRINGS ${file} leaked REGEX "-Wall|-Werror|${build}")
  if(leaked)
    message(FATAL_ERROR "${file} exports: ${leaked}")
  endif()
endforeach()

# Options that raise the compilers' limits are meant to reach them.
file(GLOB_RECURSE targets ${prefix}/*/stg_targets.cmake)
get_filename_component(package ${targets} DIRECTORY)
file(READ "${targets}" targets)
foreach(limit IN ITEMS fconstexpr-ops-limit fconstexpr-steps)
  if(NOT targets MATCHES "${limit}")
    message(FATAL_ERROR "stg::stg does not raise -${limit} for its users")
  endif()
endforeach()

set(project -G ${generator} -S ${CMAKE_CURRENT_LIST_DIR}/project -D CMAKE_CXX_COMPILER=${compiler})
function(configure folder)
  run(${CMAKE_COMMAND} ${project} -B ${folder} -D CMAKE_BUILD_TYPE=Debug -D CMAKE_CXX_FLAGS_DEBUG=${flags}
    -D CMAKE_PREFIX_PATH=${prefix} -D CMAKE_FIND_USE_PACKAGE_REGISTRY=OFF ${ARGN})
endfunction()

configure(${folder}/build -D STG_CUDA=OFF)
run(${CMAKE_COMMAND} --build ${folder}/build)
run(${folder}/build/consumer)
run(${folder}/build/program "the CPU")
run(${folder}/build/use_sums)

# Components: what was installed is found and works, and what is not there is a sentence.
if(io)
  run(${folder}/build/packed "${folder}/written.npz" ${source}/tests/run/peer_files/edges.csv.gz)
else()
  message("consumer: stg::io is left out, which this build has not")
endif()
if(scotch)
  run(${python} ${source}/tests/mpi/launcher.py ${mpiexec} 2 ${folder}/build/parts)
else()
  message("consumer: stg::scotch is left out, which this build has not")
endif()
function(expect_missing component sentence)
  execute_process(COMMAND ${CMAKE_COMMAND} ${project} -B ${folder}/missing -D CMAKE_PREFIX_PATH=${prefix} -D STG_CUDA=OFF
    -D CMAKE_BUILD_TYPE=Debug -D components=${component} ${ARGN} RESULT_VARIABLE code OUTPUT_QUIET ERROR_VARIABLE said)
  file(REMOVE_RECURSE ${folder}/missing)
  string(REGEX REPLACE "[ \n]+" " " said "${said}")  # CMake breaks lines
  if(code EQUAL 0 OR NOT said MATCHES "${sentence}")
    message(FATAL_ERROR "component ${component} (${ARGN}): ${code}, ${said}")
  endif()
endfunction()
expect_missing(parquet "stg: there is no component parquet; the components are cuda, hdf5, io, mpi, python and scotch")
if(io)
  expect_missing(io "stg: component io: its libraries are not found; -DSTG_IO=ON says which" -D CMAKE_DISABLE_FIND_PACKAGE_ZLIB=ON)
  file(RENAME ${package}/stg_io_targets.cmake ${folder}/stg_io_targets.cmake)
endif()
expect_missing(io "stg: this package was installed without component io; build it with STG_IO=ON")
if(io)
  file(RENAME ${folder}/stg_io_targets.cmake ${package}/stg_io_targets.cmake)
endif()

# The same project for a GPU. Asked for where there is no toolkit, that is an error.
file(REMOVE_RECURSE ${folder}/cuda)
if(cuda)
  configure(${folder}/cuda -D STG_CUDA=ON -D STG_CUDA_ARCHITECTURES=80)
  run(${CMAKE_COMMAND} --build ${folder}/cuda --target program)
  run(${folder}/cuda/program 80)
  file(REMOVE_RECURSE ${folder}/cuda)
endif()
execute_process(COMMAND ${CMAKE_COMMAND} ${project} -B ${folder}/cuda -D CMAKE_PREFIX_PATH=${prefix} -D STG_CUDA=ON
  -D CMAKE_BUILD_TYPE=Debug -D CMAKE_DISABLE_FIND_PACKAGE_CUDAToolkit=ON RESULT_VARIABLE code OUTPUT_QUIET ERROR_VARIABLE said)
if(code EQUAL 0 OR NOT said MATCHES "stg: (STG_CUDA=ON needs the CUDA toolkit 12|this package was installed without CUDA)")
  message(FATAL_ERROR "STG_CUDA=ON without a toolkit: ${code}, ${said}")
endif()

# With both compilers, by what pkg-config says; optimised and not.
find_program(pkg_config pkg-config)
find_program(clang clang++)
set(ENV{PKG_CONFIG_PATH} ${prefix}/lib/pkgconfig:${prefix}/lib64/pkgconfig)
foreach(with IN ITEMS ${compiler} ${clang})
  if(NOT pkg_config)
    message("consumer: SKIPPED, no pkg-config")
    break()
  endif()
  run(${CMAKE_CURRENT_LIST_DIR}/by_pkg_config.sh ${with} ${CMAKE_CURRENT_LIST_DIR}/project/program.cpp ${folder}/by_pkg_config)
  run(${folder}/by_pkg_config "the CPU")
endforeach()
execute_process(COMMAND ${compiler} -std=c++20 -I${prefix}/include ${CMAKE_CURRENT_LIST_DIR}/project/unoptimized.cpp
    ${library} -o ${folder}/unoptimized
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${folder}/unoptimized ERROR_VARIABLE said COMMAND_ERROR_IS_FATAL ANY)
if(NOT said MATCHES "^stg: compiled without optimisation[^\n]*\n$")
  message(FATAL_ERROR "compiled without optimisation, a program says: ${said}")
endif()

# Headers that are not the library's: each kind of difference is a sentence before anything runs. One changed header stands
# before the installed ones.
function(change header from to)
  file(REMOVE_RECURSE ${folder}/changed)
  file(READ ${source}/include/stg/${header} text)
  string(REPLACE "${from}" "${to}" changed "${text}")
  if(changed STREQUAL text)
    message(FATAL_ERROR "${header} has no ${from}, which this test changes")
  endif()
  file(WRITE ${folder}/changed/stg/${header} "${changed}")
endfunction()
function(expect_disagreement what header from to)
  change(${header} "${from}" "${to}")
  execute_process(COMMAND ${compiler} -std=c++20 -I${folder}/changed -I${prefix}/include
      ${CMAKE_CURRENT_LIST_DIR}/project/agreement.cpp ${library} -o ${folder}/agreement
    COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${folder}/agreement RESULT_VARIABLE code OUTPUT_VARIABLE ran ERROR_VARIABLE said)
  if(code EQUAL 0 OR ran OR NOT said STREQUAL
     "stg: these headers' ${what} are not the linked library's; rebuild it, or include its own headers\n")
    message(FATAL_ERROR "with another ${header} a program ends with ${code}, prints '${ran}' and says: ${said}")
  endif()
endfunction()
expect_disagreement(operations ir/opcode.hpp "word(abs) \\\n  word(sign)" "word(sign) \\\n  word(abs)")
expect_disagreement(programs ir/program.hpp "bool trainable = false;\n  bool sparse"
  "bool sparse = false;\n  bool trainable")
expect_disagreement(plans analysis/unit.hpp "sweep, product," "product, sweep,")
expect_disagreement(calls runtime/adjacency.hpp "count = 0, parts = 0" "parts = 0, count = 0")
expect_disagreement(kernels codegen/cpu/library_keys.hpp "    0x0" "    0x1")

# The forms of the library's kernels count words but for operations: where one moved, compiling the kernels says so.
function(expect_old_forms header from to)
  change(${header} "${from}" "${to}")
  execute_process(COMMAND ${compiler} -std=c++20 -fsyntax-only -DSTG_LIBRARY_KERNELS=0 -I${folder}/changed
      -I${source}/include -x c++ ${source}/src/kernels/define.hpp
    RESULT_VARIABLE code ERROR_VARIABLE said)
  if(code EQUAL 0 OR NOT said MATCHES "stg: [a-z ]+ moved under src/kernels/forms.hpp; run make golden")
    message(FATAL_ERROR "with another ${header} the library's kernels say: ${said}")
  endif()
endfunction()
expect_old_forms(ir/scalar.hpp "f64, i32, boolean, bf16, f16, real }" "i32, f64, boolean, bf16, f16, real }")

# Below another project by add_subdirectory and by FetchContent: nothing of stg is installed or packed with it, a project
# without a build type is told once what that costs, and one that has one is told nothing.
foreach(how IN ITEMS subdirectory fetch)
  file(REMOVE_RECURSE ${folder}/below)
  set(type -D CMAKE_BUILD_TYPE=)
  if(how STREQUAL "fetch")
    set(type -D CMAKE_BUILD_TYPE=Release -D STG_PRECOMPILED_HEADER=ON)
  endif()
  execute_process(COMMAND ${CMAKE_COMMAND} ${project} -S ${CMAKE_CURRENT_LIST_DIR}/below -B ${folder}/below ${type} -D HOW=${how}
      -D STG_SOURCE=${source} -D STG_CUDA=OFF OUTPUT_QUIET ERROR_VARIABLE said COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "stg: no build type" times "${said}")
  list(LENGTH times times)
  if((how STREQUAL "subdirectory" AND NOT times EQUAL 1) OR (how STREQUAL "fetch" AND NOT times EQUAL 0))
    message(FATAL_ERROR "${how}: said ${times} times that there is no build type")
  endif()
  file(GLOB_RECURSE rules ${folder}/below/cmake_install.cmake ${folder}/below/*/cmake_install.cmake)
  foreach(file IN LISTS rules)
    file(STRINGS ${file} installs REGEX "file\\(INSTALL")
    if(installs OR EXISTS ${folder}/below/CPackConfig.cmake)
      message(FATAL_ERROR "${how}: ${file} installs or packs stg: ${installs}")
    endif()
  endforeach()
endforeach()

# A Debian package, and what stands in it.
find_program(dpkg_deb dpkg-deb)
if(dpkg_deb)
  file(REMOVE_RECURSE ${folder}/deb)
  run(${CMAKE_CPACK_COMMAND} --config ${build}/CPackConfig.cmake -G DEB -B ${folder}/deb)
  file(GLOB deb ${folder}/deb/libstg-dev_*.deb)
  execute_process(COMMAND dpkg-deb --field ${deb} OUTPUT_VARIABLE fields COMMAND_ERROR_IS_FATAL ANY)
  foreach(field IN ITEMS "Package: libstg-dev" "Section: libdevel" "Depends: [^\n]*libboost-dev \\(>= 1.74\\)," "Maintainer: .*<.*>"
      "Description: embedded C.* language for graph neural networks\n You write" "Installed-Size: [1-9]")
    if(NOT fields MATCHES ${field})
      message(FATAL_ERROR "the Debian package does not say ${field}:\n${fields}")
    endif()
  endforeach()
  execute_process(COMMAND dpkg-deb --contents ${deb} OUTPUT_VARIABLE contents COMMAND_ERROR_IS_FATAL ANY)
  foreach(file IN ITEMS /usr/include/stg/stg.hpp /usr/lib/[^\n]*libstg_runtime.a /usr/lib/[^\n]*cmake/stg/stgConfig.cmake
      /usr/lib/[^\n]*pkgconfig/stg.pc /usr/share/doc/libstg-dev/copyright)
    if(NOT contents MATCHES "root/root [^\n]*\\.${file}\n")
      message(FATAL_ERROR "the Debian package has no ${file}:\n${contents}")
    endif()
  endforeach()
  if(EXISTS ${build}/bin/stg AND NOT (contents MATCHES "\\./usr/bin/stg\n" AND fields MATCHES "Depends: [^\n]*libzip"))
    message(FATAL_ERROR "the Debian package has no program stg, or does not ask for its libraries:\n${fields}${contents}")
  endif()
  if(contents MATCHES "\nd[^\n]*w[^\n]*w[^\n]* root/root" OR contents MATCHES "/usr/local|doc/stg/")
    message(FATAL_ERROR "the Debian package has folders that others may write, or places that are not Debian's:\n${contents}")
  endif()
else()
  message("consumer: SKIPPED, no dpkg-deb")
endif()

# Taken away, nothing is left, and what is not stg's own stays.
file(WRITE "${prefix}/include/stg/nn/mine.hpp" "")
run(${CMAKE_COMMAND} --install ${build} --prefix ${prefix})
run(${CMAKE_COMMAND} -D manifest=${build}/install_manifest.txt -P ${source}/cmake/uninstall.cmake)
file(GLOB_RECURSE left RELATIVE ${prefix} ${prefix}/*)
if(NOT left STREQUAL "include/stg/nn/mine.hpp" OR EXISTS ${prefix}/lib/cmake/stg)
  message(FATAL_ERROR "uninstall leaves: ${left}")
endif()
