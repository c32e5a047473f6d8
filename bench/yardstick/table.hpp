// The kernels of one instruction set, one function per operation and part of the rows.
#pragma once

#include "attention.hpp"
#include "sum.hpp"

namespace yardstick {

using backward_sweep = void (*)(const backward_arguments&, std::int32_t first, std::int32_t last, float* scratch);

struct attention_functions {
  int heads, dim;
  void (*forward)(const forward_arguments&, std::int32_t first, std::int32_t last, float* scratch);
  void (*record)(const record_arguments&, std::int32_t first, std::int32_t last);
  backward_sweep along_in_edges, along_out_edges, scattering;
};

struct table {
  void (*sums[4])(const sum_arguments&, std::int32_t first, std::int32_t last);  // by `weight`
  attention_functions shapes[3];
};

extern const table kernels_avx2, kernels_avx512;

}  // namespace yardstick
