# Tests that are compiled as one (README.md).
option(STG_JOINED_TESTS "Compile tests of one kind as one file; OFF: each by itself, for who works on one" ON)
set(STG_JOINED_DIR ${CMAKE_CURRENT_LIST_DIR})
add_library(joined_main OBJECT ${STG_JOINED_DIR}/main.cpp)
target_compile_features(joined_main PRIVATE cxx_std_20)
target_link_libraries(joined_main PRIVATE GTest::gtest)

# stg_joined_source(target source...): gives the target one source that is made of all of these.
function(stg_joined_source target)
  set(joined ${CMAKE_CURRENT_BINARY_DIR}/${target}_joined.cpp)
  list(TRANSFORM ARGN REPLACE "^([^/].*)" "${CMAKE_CURRENT_SOURCE_DIR}/\\1" OUTPUT_VARIABLE sources)
  add_custom_command(OUTPUT ${joined}
    COMMAND Python3::Interpreter ${STG_JOINED_DIR}/join.py ${joined} ${sources}
    DEPENDS ${sources} ${STG_JOINED_DIR}/join.py COMMENT "Joining ${target}")
  target_sources(${target} PRIVATE ${joined})
  foreach(source IN LISTS sources)  # which includes by their place the files that lie beside it
    get_filename_component(folder ${source} DIRECTORY)
    target_include_directories(${target} PRIVATE ${folder})
  endforeach()
endfunction()

# stg_joined_tests(target [PREFIX prefix] source...): an executable of all these tests, and a test of ctest for each file,
# called as the file is, after the prefix. The executables
# are ${target}_programs: this one, or one for each file where nothing is joined. ${test}_command runs one file's.
function(stg_joined_tests target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "PREFIX" "")
  set(programs ${target})
  if(STG_JOINED_TESTS)
    add_executable(${target})
    stg_joined_source(${target} ${arg_UNPARSED_ARGUMENTS})
    target_link_libraries(${target} PRIVATE joined_main GTest::gtest)
  else()
    add_custom_target(${target})
    set(programs "")
  endif()
  foreach(source IN LISTS arg_UNPARSED_ARGUMENTS)
    get_filename_component(name ${source} NAME_WE)
    set(test ${arg_PREFIX}${name})
    if(STG_JOINED_TESTS)
      add_custom_target(${test} DEPENDS ${target})
      set(${test}_command ${target} --of=${name})
    else()
      add_executable(${test} ${source})
      target_link_libraries(${test} PRIVATE GTest::gtest_main)
      add_dependencies(${target} ${test})
      set(${test}_command ${test})
      list(APPEND programs ${test})
    endif()
    add_test(NAME ${test} COMMAND ${${test}_command})
    set(${test}_command ${${test}_command} PARENT_SCOPE)
  endforeach()
  set(${target}_programs ${programs} PARENT_SCOPE)
endfunction()
