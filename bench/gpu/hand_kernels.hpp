// Kernels by hand: what is done after a sparse product of cuSPARSE, and Adam on the device, which stg does not have
// yet.
#pragma once

#include <stg/runtime/cuda/api.hpp>  // stream_handle

#include <cstdint>  // int64_t

namespace device_bench {

/// y = relu(y + b) for each row, four numbers at a time: y (rows, width), b (width), width a multiple of 4.
void add_bias_and_relu(float* y, const float* b, std::int64_t rows, std::int64_t width, stg::gpu::stream_handle on);

/// One parameter of a model with its gradient and Adam's two moments, arrays of `size` floats on the device.
struct adam_part {
  float* value;
  const float* gradient;
  float *first, *second;
  std::int64_t size;
};
constexpr int most_adam_parts = 8;

/// One update of all parameters (Kingma and Ba, ICLR 2015, algorithm 1; beta 0.9 and 0.999, epsilon 1e-8). `state`:
/// three numbers on the device, 0 at first; the first counts updates, so that a captured one goes on counting. Two
/// launches.
void adam_update(const adam_part* parts, int count, double learning_rate, double* state, stg::gpu::stream_handle on);

}  // namespace device_bench
