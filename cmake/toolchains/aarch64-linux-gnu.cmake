# ARM's 64-bit Linux by Debian's cross compiler, whose programs qemu-user runs: g++-aarch64-linux-gnu, qemu-user.
#
#   cmake -S . -B build/arm -D CMAKE_TOOLCHAIN_FILE=cmake/toolchains/aarch64-linux-gnu.cmake
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_CROSSCOMPILING_EMULATOR "qemu-aarch64;-L;/usr/aarch64-linux-gnu")
# Of Boost headers alone are used, which are the same on every machine: the files that find them lie with the builder's libraries.
if(NOT Boost_DIR)
  file(GLOB boost LIST_DIRECTORIES ON /usr/lib/*/cmake/Boost-[0-9]*)
  if(boost)
    list(GET boost -1 boost)
    set(Boost_DIR ${boost} CACHE PATH "Folder that holds BoostConfig.cmake")
  endif()
endif()
