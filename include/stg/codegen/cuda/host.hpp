// Kernels of programs executed by the host's threads: how a file that is compiled as CUDA runs programs on the CPU.
//
// nvcc's front end refuses the vectors that the kernels of codegen/cpu/ are written with. So `stg::compile<gat>()` in
// such a file runs the CUDA kernels with one lane to a row: right, in parallel, and several times slower than the CPU's
// own. Programs that are to be fast on the CPU as well are compiled there in a plain C++ file.
#pragma once

#include <cstddef>  // byte
#include <cstdint>  // int64_t
#include <vector>   // vector

#include <stg/codegen/cuda/executable.hpp>  // executable
#include <stg/codegen/cuda/unit.hpp>        // run, steps, workspace
#include <stg/codegen/host_memory.hpp>      // host_memory
#include <stg/codegen/scan.hpp>             // step_program
#include <stg/runtime/dense.hpp>            // product
#include <stg/runtime/parallel.hpp>         // parallel, threads

namespace stg::gpu {

/// A group of one lane.
struct host_lane {
  STG_HOST_DEVICE static constexpr int rank() { return 0; }
  STG_HOST_DEVICE static constexpr int size() { return 1; }
  STG_HOST_DEVICE void sync() const {}
  template <class T> STG_HOST_DEVICE T shuffle(T v, int) const { return v; }
  template <class T, class Op> STG_HOST_DEVICE T reduce(T v, Op) const { return v; }

  template <class T> STG_HOST_DEVICE T load(const T* p) const { return *p; }
  template <class T> STG_HOST_DEVICE T load_constant(const T* p) const { return *p; }
  template <class T> STG_HOST_DEVICE void store(T* p, T v) const { *p = v; }
  template <int N, class T> STG_HOST_DEVICE pack<T, N> load_pack(const T* p) const {
    pack<T, N> r;
    for (int k = 0; k < N; ++k) r.at[k] = p[k];
    return r;
  }
  template <int N, class T> STG_HOST_DEVICE pack<T, N> load_constant_pack(const T* p) const { return load_pack<N>(p); }
  template <class T, int N> STG_HOST_DEVICE void store_pack(T* p, const pack<T, N>& v) const {
    for (int k = 0; k < N; ++k) p[k] = v.at[k];
  }
};

/// A block of one thread.
class host_block : public host_lane {
 public:
  STG_HOST_DEVICE host_block(std::int64_t index, std::int64_t count, std::byte* shared)
      : index_(index), count_(count), shared_(shared) {}
  STG_HOST_DEVICE std::int64_t index() const { return index_; }
  STG_HOST_DEVICE std::int64_t count() const { return count_; }
  STG_HOST_DEVICE static constexpr int thread() { return 0; }
  STG_HOST_DEVICE static constexpr int threads() { return 1; }
  STG_HOST_DEVICE std::byte* shared() const { return shared_; }
  template <int> STG_HOST_DEVICE host_lane group() const { return {}; }

 private:
  std::int64_t index_, count_;
  std::byte* shared_;
};

/// A machine (unit.hpp) of host threads. Its products need scratch, which each call brings.
struct host_machine {
  template <class Kernel> void launch(const Kernel& kernel, const grid& g) const {
    const std::int64_t parts = g.blocks < 4 * threads() ? g.blocks : 4 * threads();
    parallel(parts, [&](std::int64_t part) {
      std::vector<std::byte> shared(static_cast<std::size_t>(g.shared_bytes) + 16);
      std::byte* const aligned = shared.data() + (16 - reinterpret_cast<std::uintptr_t>(shared.data()) % 16) % 16;
      for (std::int64_t b = part; b < g.blocks; b += parts) {
        host_block block(b, g.blocks, aligned);
        kernel(block);
      }
    });
  }
  void copy(std::byte* to, const std::byte* from, std::int64_t bytes) const {
    codegen::host_memory::copy(to, from, bytes);
  }
  template <class T>
  void product(const T* x, const T* w, T* y, std::int64_t rows, std::int64_t inner, std::int64_t cols,
               bool transpose_w) const {
    std::vector<T> scratch(static_cast<std::size_t>(product_scratch<T>(inner, cols)));
    stg::product(x, w, y, scratch.data(), rows, inner, cols, transpose_w);
  }
  template <class T>
  void reduced_product(const T* x, const T* g, T* y, std::int64_t rows, std::int64_t k, std::int64_t m) const {
    std::vector<T> scratch(static_cast<std::size_t>(reduced_product_scratch(rows, k, m)));
    stg::reduced_product(x, g, y, scratch.data(), rows, k, m);
  }
};

struct host_backend : host_memory {
  template <class Program> using executable = gpu::executable<Program>;

  static void prepare(launch&) {}
  template <class P, bool Runs> static const codegen::step_program* steps() {
    return gpu::steps<P, host_machine, Runs>();
  }
  template <class P> static std::int64_t workspace(const launch& l) { return gpu::workspace<P>(l); }
  template <class P> static void run(const launch& l) {
    host_machine machine;
    gpu::run<P>(l, machine);
  }
};

}  // namespace stg::gpu
