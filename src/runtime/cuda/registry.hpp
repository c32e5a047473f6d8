// The CUDA calls in use and the open devices: one of each for the process.
#pragma once

#include <stg/runtime/cuda/device.hpp>  // api, device

#include <memory>  // shared_ptr
#include <mutex>   // mutex
#include <vector>  // vector

namespace stg::gpu {

struct registry {
  std::mutex mutex;
  api* calls = nullptr;
  std::vector<std::shared_ptr<device>> open;  // by index; null where none is open

  static registry& get();
};

}  // namespace stg::gpu
