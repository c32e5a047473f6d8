// The emulator as a machine that programs run on: kernels on fibers, dense products by plain loops.
#pragma once

#include "emulator/launch.hpp"  // launch

#include <stg/codegen/cuda/backend.hpp>  // backend

#include <cstdint>  // int64_t

namespace stg::test {

/// Memory is the host's. What is watched, and in which order threads run, is `options`.
struct emulated_machine {
  emulator::options options{};

  static emulated_machine& at_hand() {
    static emulated_machine one;
    return one;
  }

  template <class Kernel> void launch(const Kernel& kernel, const gpu::grid& grid) {
    if (grid.blocks > 0) emulator::launch(kernel, grid, options);
  }
  template <class T>
  void product(const T* x, const T* w, T* y, std::int64_t rows, std::int64_t inner, std::int64_t cols,
               bool transpose_w) {
    for (std::int64_t r = 0; r < rows; ++r)
      for (std::int64_t c = 0; c < cols; ++c) {
        T sum{};
        for (std::int64_t k = 0; k < inner; ++k)
          sum += x[r * inner + k] * (transpose_w ? w[c * inner + k] : w[k * cols + c]);
        y[r * cols + c] = sum;
      }
  }
  template <class T>
  void reduced_product(const T* x, const T* g, T* y, std::int64_t rows, std::int64_t k, std::int64_t m) {
    for (std::int64_t a = 0; a < k; ++a)
      for (std::int64_t b = 0; b < m; ++b) {
        T sum{};
        for (std::int64_t r = 0; r < rows; ++r) sum += x[r * k + a] * g[r * m + b];
        y[a * m + b] = sum;
      }
  }
};

using emulated = gpu::backend<emulated_machine>;

}  // namespace stg::test
