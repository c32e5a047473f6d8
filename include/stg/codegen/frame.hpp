// The memory of one call: which statement lies where, for a program and, in training, its gradient.
#pragma once

#include <cstddef>  // byte
#include <cstdint>  // int64_t

#include <stg/codegen/plan_view.hpp>   // root_of
#include <stg/ir/program.hpp>          // statement
#include <stg/runtime/adjacency.hpp>   // long_rows
#include <stg/runtime/dimensions.hpp>  // dimensions
#include <stg/runtime/graph.hpp>       // graph
#include <stg/runtime/memory.hpp>      // buffer

namespace stg::detail {

/// All that the memory of a call depends on.
struct call_sizes {
  std::int64_t vertices = 0, edges = 0;
  const std::int64_t* extents = nullptr;  // the program's run-time extents
  long_rows in_long{}, out_long{};        // of the graph

  std::int64_t of(ir::extent e) const { return e.is_static() ? e.code : extents[-1 - e.code]; }
};

inline call_sizes sizes_of(const graph& on, const std::int64_t* extents) {
  return {on.vertices(), on.edges(), extents, on.in_edges().long_rows(), on.out_edges().long_rows()};
}

/// Elements of one value of a statement, all rows of its space together.
inline std::int64_t elements_of_value(const ir::statement& s, const call_sizes& n) {
  std::int64_t elements = s.where == ir::space::vertex ? n.vertices : s.where == ir::space::edge ? n.edges : 1;
  for (int a = 0; a < s.dims.rank; ++a) elements *= n.of(s.dims.axes[a]);
  return elements;
}

inline std::int64_t bytes_of_value(const ir::statement& s, const call_sizes& n) {
  return elements_of_value(s, n) * bytes_of(s.type);
}

/// The shape of the tensor that holds a value.
inline dimensions shape_of_value(const ir::statement& s, const call_sizes& n) {
  std::int64_t list[ir::shape::max_rank + 1];
  int rank = 0;
  if (s.where != ir::space::graph) list[rank++] = s.where == ir::space::vertex ? n.vertices : n.edges;
  for (int a = 0; a < s.dims.rank; ++a) list[rank++] = n.of(s.dims.axes[a]);
  return dimensions(std::span<const std::int64_t>(list, static_cast<std::size_t>(rank)));
}

/// Pointers and buffers of the statements of plan P. Buffers are placed by the caller, who knows what else lives.
template <class P> struct frame {
  std::byte* memory[P::program.size + 1]{};
  buffer buffers[P::program.size + 1]{};

  /// Sizes and lifetimes of what the plan stores; units count from `first_unit` on.
  void measure(const call_sizes& n, int first_unit) {
    for (int i = 0; i < P::program.size; ++i) {
      if (!P::plan.stored[i]) continue;
      buffers[i].bytes = bytes_of_value(P::program.statements[i], n);
      buffers[i].first = first_unit + P::plan.lifetimes[i].first;
      buffers[i].last = first_unit + P::plan.lifetimes[i].last;
      if (P::plan.overwrites[i] >= 0 && P::plan.stored[P::plan.overwrites[i]]) buffers[i].over = P::plan.overwrites[i];
    }
  }
  void point(std::byte* base) {
    for (int i = 0; i < P::program.size; ++i)
      if (P::plan.stored[i]) memory[i] = base + buffers[i].offset;
  }
  /// The statement whose memory output k lies in.
  static constexpr int output_root(int k) { return codegen::root_of<P>(P::program.outputs[k].at); }
  std::byte* output(int k) const { return memory[output_root(k)]; }
};

}  // namespace stg::detail
