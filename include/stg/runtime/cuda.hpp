// stg::cuda: a GPU, as users name it.
#pragma once

#include <string>  // string

#include <stg/runtime/location.hpp>  // location

struct CUstream_st;  // what a cudaStream_t points to

namespace stg {

struct cuda_options {
  CUstream_st* stream = nullptr;  // a stream of the user's, of that device; null: stg's own
  bool tf32 = false;  // dense products of floats round their operands to 10 bits of mantissa, and are faster
};

/// A CUDA device, as something to compile for and to bring tensors to. Nothing is asked of the device until it is used.
///
///   if (stg::cuda::available()) x = x.to(stg::cuda());
///   auto layer = stg::compile<gat>(stg::cuda(1, {.stream = mine}));
class cuda {
 public:
  constexpr explicit cuda(int device = 0, cuda_options options = {}) : device_(device), options_(options) {}
  constexpr operator location() const { return location::on_device(device_); }
  constexpr int device() const { return device_; }
  constexpr const cuda_options& options() const { return options_; }

  /// Devices that this program can use; 0 where there is none, or no driver, or the program was not built for any.
  static int count() noexcept;
  static bool available(int device = 0) noexcept { return device >= 0 && device < count(); }
  /// One sentence on why a device cannot be used, empty when it can.
  static std::string problem(int device = 0);

 private:
  int device_;
  cuda_options options_;
};

}  // namespace stg
