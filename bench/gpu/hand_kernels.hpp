// A kernel by hand: what is done after a sparse product of cuSPARSE.
#pragma once

#include <stg/runtime/cuda/api.hpp>  // stream_handle

#include <cstdint>  // int64_t

namespace device_bench {

/// y = relu(y + b) for each row, four numbers at a time: y (rows, width), b (width), width a multiple of 4.
void add_bias_and_relu(float* y, const float* b, std::int64_t rows, std::int64_t width, stg::gpu::stream_handle on);

}  // namespace device_bench
