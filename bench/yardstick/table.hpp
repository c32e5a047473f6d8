// The kernels of one instruction set, one function per operation and part of the rows.
#pragma once

#include "attention.hpp"
#include "sum.hpp"

namespace yardstick {

struct attention_functions {
  int heads, dim;
  void (*forward)(const forward_arguments&, std::int32_t first, std::int32_t last, float* scratch);
  void (*record)(const record_arguments&, std::int32_t first, std::int32_t last);
  void (*backward)(const backward_arguments&, std::int32_t first, std::int32_t last, float* scratch);
};

struct table {
  void (*sums[4])(const sum_arguments&, std::int32_t first, std::int32_t last);  // by `weight`
  attention_functions shapes[3];
};

extern const table kernels_avx2, kernels_avx512;

}  // namespace yardstick
