// Dense products on a device: row-major, by cuBLAS.
#pragma once

#include <cstdint>  // int64_t

#include <stg/runtime/cuda/stream.hpp>  // block, stream

namespace stg::gpu {

/// The layout of a product's operands, and whether it is added to y.
struct product_form {
  bool transpose_x = false, transpose_w = false, add = false;
};

/// Products of one stream, in one thread at a time. The first makes cuBLAS's needs: a handle, and 32 MiB to work in
/// that no captured step shares with other streams, so that results are equal from run to run.
class products {
 public:
  /// With tf32 the operands of products of floats are rounded to 10 bits of mantissa.
  explicit products(stream& on, bool tf32 = false) : stream_(&on), tf32_(tf32), workspace_(on.on()) {}

  /// y = x w or y += x w; y: (rows, cols), x: (rows, inner), or (inner, rows) with transpose_x, w: (inner, cols), or
  /// (cols, inner) with transpose_w; all row-major. inner == 0 gives zeros. T is float or double.
  ///
  ///   multiply.run(x, w, y, 2708, 1433, 16, {}, why);
  template <class T>
  void run(const T* x, const T* w, T* y, std::int64_t rows, std::int64_t inner, std::int64_t cols, product_form form,
           const purpose& why);
  /// Makes the first product's needs early; before a capture.
  void prepare(const purpose& why);

 private:
  stream* stream_;
  bool tf32_;
  block workspace_;
  owned<product_handle, &api::product_destroy> handle_;
};

extern template void products::run(const float*, const float*, float*, std::int64_t, std::int64_t, std::int64_t,
                                   product_form, const purpose&);
extern template void products::run(const double*, const double*, double*, std::int64_t, std::int64_t, std::int64_t,
                                   product_form, const purpose&);

}  // namespace stg::gpu
