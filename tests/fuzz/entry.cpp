// What libFuzzer calls, compiled once for each reader.
#include "readers.hpp"  // fuzz_npy

#include <cstddef>  // size_t
#include <cstdint>  // uint8_t

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  stg::test::STG_FUZZED({reinterpret_cast<const char*>(data), size});
  return 0;
}
