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

}  // namespace

void add_bias_and_relu(float* y, const float* b, std::int64_t rows, std::int64_t width, stg::gpu::stream_handle on) {
  const std::int64_t count = rows * width / 4;
  bias_and_relu<<<blocks_for(count), threads, 0, on>>>(reinterpret_cast<float4*>(y), reinterpret_cast<const float4*>(b),
                                                       count, width / 4);
  stg::gpu::check_launch(*stg::gpu::installed(), why);
}

}  // namespace device_bench
