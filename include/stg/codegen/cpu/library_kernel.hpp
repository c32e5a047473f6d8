// Kernels that the library holds, compiled for every instruction set: those of forms that everybody needs
// (src/kernels/). A user's file takes them from there and compiles what is new. Which they are, library_keys.hpp says;
// STG_LIBRARY_KERNELS=0, or flags under which kernels may round otherwise, leave a file with kernels of its own.
#pragma once

#include <cstdint>  // uint64_t

#include <stg/codegen/cpu/compiled_plan.hpp>  // choose_sweep
#include <stg/codegen/cpu/library_keys.hpp>   // library_keys
#include <stg/codegen/plan_data.hpp>          // plan_data

#if !defined(STG_LIBRARY_KERNELS) && !defined(__FAST_MATH__)
#define STG_LIBRARY_KERNELS 1
#elif !defined(STG_LIBRARY_KERNELS)
#define STG_LIBRARY_KERNELS 0
#endif

namespace stg::cpu {

/// A form by one number, of all of its words (splitmix64, Steele, Lea and Flood, OOPSLA 2014). Two of the library's few
/// hundred forms and a user's would meet once in 2^55.
constexpr std::uint64_t key_of(const std::uint64_t* words, int count) {
  std::uint64_t key = static_cast<std::uint64_t>(count);
  for (int k = 0; k < count; ++k) {
    std::uint64_t z = (key ^ words[k]) + 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    key = z ^ (z >> 31);
  }
  return key;
}

/// The kernel of a form, defined in the library for its keys.
template <std::uint64_t Key> struct library_kernel {
  static sweep_function choose(const launch& l);
  static const plan_data form;
};

/// Keys stand in ascending order.
constexpr bool is_in_library(std::uint64_t key) {
  int from = 0, to = library_key_count;
  while (from < to) {
    const int middle = (from + to) / 2;
    if (library_keys[middle] < key) from = middle + 1;
    else to = middle;
  }
  return from < library_key_count && library_keys[from] == key;
}

}  // namespace stg::cpu
