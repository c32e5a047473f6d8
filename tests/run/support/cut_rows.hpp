// The CPU with rows that are long at once: so the graphs of tests have some.
#pragma once

#include <stg/codegen/cpu/backend.hpp>  // backend
#include <stg/runtime/long_rows.hpp>    // find_long_rows

#include <cstddef>  // byte
#include <cstdint>  // int32_t, uintptr_t
#include <vector>   // vector

namespace stg::test {

/// cpu::backend; while `long_row_edges` is not 0, rows of more edges than that are cut, whatever the graph says.
struct cut_rows : cpu::backend {
  static inline std::int32_t long_row_edges = 0;

  template <class P> static void run(codegen::launch l) {
    if (long_row_edges == 0) return cpu::backend::run<P>(l);
    const long_row_list in = find_long_rows(l.in, long_row_edges), out = find_long_rows(l.out, long_row_edges);
    l.in = l.in.with(in.view());
    l.out = l.out.with(out.view());
    std::vector<std::byte> workspace(static_cast<std::size_t>(cpu::backend::workspace<P>(l)) + 64);
    l.workspace = workspace.data() + (64 - reinterpret_cast<std::uintptr_t>(workspace.data()) % 64) % 64;
    cpu::backend::run<P>(l);
  }
};

}  // namespace stg::test
