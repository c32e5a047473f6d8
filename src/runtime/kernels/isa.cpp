// The choice of the instruction set: the machine, STG_ISA, the user.
#include "isa_index.hpp"  // chosen_isa

#include <stg/base/error.hpp>   // error
#include <stg/runtime/isa.hpp>  // isa, set_isa

#include <cstdlib>   // getenv
#include <iterator>  // size
#include <string>    // string

#if defined(STG_X86)
#include <cpuid.h>  // __get_cpuid, bit_F16C
#endif

namespace stg {

namespace {

#if defined(STG_X86)
/// The conversion of float16, which comes with AVX2 but has a flag of its own; clang 14 knows no name for it.
bool converts_float16() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_F16C) != 0;
}
#endif

struct choice {
  const char* name;
  bool (*available)();
};

constexpr choice choices[] = {
    {"baseline", [] { return true; }},
#if defined(STG_X86)
    {"avx2", [] { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && converts_float16(); }},
    {"avx512",
     [] {
       return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
              __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
              __builtin_cpu_supports("fma") && converts_float16();
     }},
#endif
};

int named(std::string_view name) {
  for (int i = 0; i < static_cast<int>(std::size(choices)); ++i)
    if (choices[i].name == name) {
      if (!choices[i].available())
        throw error("instruction set " + std::string(name) + " is not on this machine; use baseline");
      return i;
    }
  throw error("instruction set \"" + std::string(name) + "\" is unknown; use baseline, avx2 or avx512");
}

int preferred() {
  if (const char* asked = std::getenv("STG_ISA"); asked != nullptr && *asked != '\0') return named(asked);
  int best = static_cast<int>(std::size(choices)) - 1;
  while (!choices[best].available()) --best;
  return best;
}

}  // namespace

constinit std::atomic<int> detail::chosen_isa{-1};

int detail::choose_isa() {
  int index = -1;
  const int best = preferred();
  return chosen_isa.compare_exchange_strong(index, best) ? best : index;  // set_isa in another thread came first
}

const char* isa() { return choices[detail::isa_index()].name; }

instruction_set chosen_instruction_set() { return static_cast<instruction_set>(detail::isa_index()); }

void set_isa(std::string_view name) { detail::chosen_isa.store(named(name), std::memory_order_relaxed); }

}  // namespace stg
