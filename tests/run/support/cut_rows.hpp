// The CPU with rows that are long at once: so the graphs of tests have some.
#pragma once

#include <stg/codegen/cpu/backend.hpp>  // backend
#include <stg/runtime/long_rows.hpp>    // find_long_rows

#include <cstddef>  // byte
#include <cstdint>  // int32_t, uintptr_t
#include <deque>    // deque
#include <vector>   // vector

namespace stg::test {

/// cpu::backend; while `long_row_edges` is not 0, rows of more edges than that are cut, whatever the graph says: of
/// each relation its own.
struct cut_rows : cpu::backend {
  static inline std::int32_t long_row_edges = 0;

  template <class P> static void run(codegen::launch l) {
    if (long_row_edges == 0) return cpu::backend::run<P>(l);
    std::deque<long_row_list> lists;
    const auto cut = [&](const adjacency& rows) {
      return rows.with(lists.emplace_back(find_long_rows(rows, long_row_edges)).view());
    };
    l.graph.in = cut(l.graph.in);
    l.graph.out = cut(l.graph.out);
    std::vector<kind_rows> kinds;
    if (l.graph.kinds != nullptr) kinds.assign(l.graph.kinds, l.graph.kinds + P::program.room.kinds + 1);
    for (std::size_t k = 1; k < kinds.size(); ++k) {
      if (!P::program.kinds[k - 1].is_relation()) continue;
      kinds[k].in = cut(kinds[k].in);
      kinds[k].out = cut(kinds[k].out);
    }
    if (l.graph.kinds != nullptr) l.graph.kinds = kinds.data();
    std::vector<std::byte> workspace(static_cast<std::size_t>(cpu::backend::workspace<P>(l)) + 64);
    l.resources.workspace = workspace.data() + (64 - reinterpret_cast<std::uintptr_t>(workspace.data()) % 64) % 64;
    cpu::backend::run<P>(l);
  }
};

}  // namespace stg::test
