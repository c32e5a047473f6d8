// The kernels of one instruction set, one function per operation and part of the rows.
#pragma once

#include "attention.hpp"
#include "sum.hpp"

namespace yardstick {

using forward_function = void (*)(const forward_arguments&, std::int32_t first, std::int32_t last, float* scratch);

struct attention_functions {
  int heads, dim;
  forward_function forward, forward_in_training;
  void (*own)(const own_arguments&, std::int32_t first, std::int32_t last);
  void (*sweep)(const sweep_arguments&, std::int32_t first, std::int32_t last, float* scratch);
};

struct table {
  void (*sums[4])(const sum_arguments&, std::int32_t first, std::int32_t last);  // by `weight`
  attention_functions shapes[3];
};

extern const table kernels_avx2, kernels_avx512;

}  // namespace yardstick
