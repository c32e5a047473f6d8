// The emulator as a machine that programs run on: kernels on fibers, dense products by plain loops.
#pragma once

#include "emulator/launch.hpp"  // launch

#include <stg/codegen/cuda/executable.hpp>  // executable
#include <stg/codegen/cuda/unit.hpp>        // run, steps, workspace
#include <stg/codegen/host_memory.hpp>      // host_memory
#include <stg/codegen/scan.hpp>             // step_program
#include <stg/runtime/kind_rows.hpp>        // kind_rows
#include <stg/runtime/long_rows.hpp>        // find_long_rows
#include <stg/runtime/row_order.hpp>        // rows_by_degree

#include <cstddef>  // byte
#include <cstdint>  // int64_t
#include <vector>   // vector

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
  static void copy(std::byte* to, const std::byte* from, std::int64_t bytes) {
    codegen::host_memory::copy(to, from, bytes);
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

/// Rows of a graph as a GPU's groups take them, with those that are long.
class rows_for_groups {
 public:
  rows_for_groups(const adjacency& rows, std::int32_t long_row_edges)
      : long_(find_long_rows(rows, long_row_edges)),
        order_(rows_by_degree(rows)),
        there(rows.with(long_.view()).with_row_order(order_.data())) {}

 private:
  long_row_list long_;
  std::vector<std::int32_t> order_;

 public:
  adjacency there;
};

/// Kernels of the emulator, with rows that are long at once: so the graphs of tests have some.
struct emulated : codegen::host_memory {
  template <class Program> using executable = gpu::executable<Program>;
  static inline std::int32_t long_row_edges = 300;

  static void prepare(codegen::launch&) {}
  template <class P, bool Runs> static const codegen::step_program* steps() {
    return gpu::steps<P, emulated_machine, Runs>();
  }
  template <class P> static std::int64_t workspace(const codegen::launch&) { return 0; }
  template <class P> static void run(codegen::launch l) {
    const rows_for_groups in(l.graph.in, long_row_edges), out(l.graph.out, long_row_edges);
    l.graph.in = in.there;
    l.graph.out = out.there;
    std::vector<rows_for_groups> of_kinds;  // whose rows stay where they are
    std::vector<kind_rows> kinds(P::program.room.kinds + 1);
    for (int k = 1; k <= P::program.room.kinds; ++k) {
      kinds[k].rows = l.graph.kinds[k].rows;
      kinds[k].in = of_kinds.emplace_back(l.graph.kinds[k].in, long_row_edges).there;
      kinds[k].out = of_kinds.emplace_back(l.graph.kinds[k].out, long_row_edges).there;
    }
    if (P::program.room.kinds > 0) l.graph.kinds = kinds.data();
    std::vector<std::byte> workspace(static_cast<std::size_t>(gpu::workspace<P>(l)) + 64);
    l.resources.workspace = workspace.data() + (64 - reinterpret_cast<std::uintptr_t>(workspace.data()) % 64) % 64;
    gpu::run<P>(l, emulated_machine::at_hand());
  }
};

}  // namespace stg::test
