// The chosen instruction set as a position in the tables of code that is compiled once per set.
#pragma once

#include <atomic>  // atomic

namespace stg::detail {

/// 0 baseline, 1 AVX2 and FMA, 2 AVX-512; the last two on x86-64 alone. -1 before the first question.
extern constinit std::atomic<int> chosen_isa;

/// Asks the machine and STG_ISA, and remembers the answer.
int choose_isa();

inline int isa_index() {
  const int index = chosen_isa.load(std::memory_order_relaxed);
  return index >= 0 ? index : choose_isa();
}

}  // namespace stg::detail

// The entries of one table for each instruction set that the library is compiled for.
#if defined(STG_X86)
#define STG_FOR_EACH_ISA(name) name##_baseline, name##_avx2, name##_avx512
#else
#define STG_FOR_EACH_ISA(name) name##_baseline
#endif
