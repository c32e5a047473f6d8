// Kernels by hand, and their launches.
#include "hand_kernels.hpp"

#include <stg/runtime/cuda/check.hpp>  // check_launch

namespace device_bench {

namespace {

constexpr int threads = 256;
constexpr std::int64_t most_blocks = 4096;
const stg::gpu::purpose why{"a kernel by hand"};

unsigned blocks_for(std::int64_t items) {
  const std::int64_t all = (items + threads - 1) / threads;
  return static_cast<unsigned>(all < most_blocks ? all : most_blocks);
}

__global__ void bias_and_relu(float4* y, const float4* b, std::int64_t count, std::int64_t packs) {
  const std::int64_t all = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += all) {
    const float4 add = b[i % packs];
    float4 v = y[i];
    v.x = fmaxf(v.x + add.x, 0);
    v.y = fmaxf(v.y + add.y, 0);
    v.z = fmaxf(v.z + add.z, 0);
    v.w = fmaxf(v.w + add.w, 0);
    y[i] = v;
  }
}

struct adam_list {
  adam_part at[most_adam_parts];
};

/// One thread, in double: of 1 - 0.999 float keeps four digits.
__global__ void count_step(double* state, double learning_rate) {
  const double n = state[0] + 1;
  state[0] = n;
  state[1] = learning_rate / (1 - pow(0.9, n));
  state[2] = 1 / (1 - pow(0.999, n));
}

/// Blocks along x share a parameter, y is the parameter.
__global__ void update(adam_list list, const double* state) {
  const adam_part p = list.at[blockIdx.y];
  const float rate = static_cast<float>(state[1]), correction = static_cast<float>(state[2]);
  const std::int64_t all = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < p.size; i += all) {
    const float g = p.gradient[i];
    const float first = 0.9f * p.first[i] + 0.1f * g, second = 0.999f * p.second[i] + 0.001f * g * g;
    p.first[i] = first;
    p.second[i] = second;
    p.value[i] -= rate * first / (sqrtf(second * correction) + 1e-8f);
  }
}

}  // namespace

void add_bias_and_relu(float* y, const float* b, std::int64_t rows, std::int64_t width, stg::gpu::stream_handle on) {
  const std::int64_t count = rows * width / 4;
  bias_and_relu<<<blocks_for(count), threads, 0, on>>>(reinterpret_cast<float4*>(y), reinterpret_cast<const float4*>(b),
                                                       count, width / 4);
  stg::gpu::check_launch(*stg::gpu::installed(), why);
}

void adam_update(const adam_part* parts, int count, double learning_rate, double* state, stg::gpu::stream_handle on) {
  adam_list list{};
  std::int64_t largest = 1;
  for (int k = 0; k < count; ++k) {
    list.at[k] = parts[k];
    largest = largest < parts[k].size ? parts[k].size : largest;
  }
  count_step<<<1, 1, 0, on>>>(state, learning_rate);
  update<<<dim3(blocks_for(largest), static_cast<unsigned>(count)), threads, 0, on>>>(list, state);
  stg::gpu::check_launch(*stg::gpu::installed(), why);
}

}  // namespace device_bench
