// The memory of one call: which statement lies where, for a program and, in training, its gradient.
#pragma once

#include <cstddef>  // byte
#include <cstdint>  // int64_t

#include <stg/codegen/cpu/context.hpp>  // launch, root_of
#include <stg/ir/program.hpp>           // statement
#include <stg/runtime/graph.hpp>        // graph
#include <stg/runtime/memory.hpp>       // buffer

namespace stg::detail {

/// Elements of one value of a statement, all rows of its space together.
inline std::int64_t elements_of_value(const ir::statement& s, const graph& on, const std::int64_t* extents) {
  std::int64_t n = s.where == ir::space::vertex ? on.vertices() : s.where == ir::space::edge ? on.edges() : 1;
  for (int a = 0; a < s.dims.rank; ++a) n *= s.dims.axes[a].is_static() ? s.dims.axes[a].code : extents[-1 - s.dims.axes[a].code];
  return n;
}

/// The shape of the tensor that holds a value.
inline dimensions shape_of_value(const ir::statement& s, const graph& on, const std::int64_t* extents) {
  std::int64_t list[ir::shape::max_rank + 1];
  int rank = 0;
  if (s.where != ir::space::graph) list[rank++] = s.where == ir::space::vertex ? on.vertices() : on.edges();
  for (int a = 0; a < s.dims.rank; ++a) list[rank++] = s.dims.axes[a].is_static() ? s.dims.axes[a].code : extents[-1 - s.dims.axes[a].code];
  return dimensions(std::span<const std::int64_t>(list, static_cast<std::size_t>(rank)));
}

/// Pointers and buffers of the statements of plan P. Buffers are placed by the caller, who knows what else lives.
template <class P> struct frame {
  std::byte* memory[P::program.size + 1]{};
  buffer buffers[P::program.size + 1]{};

  /// Sizes and lifetimes of what the plan stores; units count from `first_unit` on.
  void measure(const graph& on, const std::int64_t* extents, int first_unit) {
    for (int i = 0; i < P::program.size; ++i) {
      if (!P::plan.stored[i]) continue;
      buffers[i].bytes = elements_of_value(P::program.statements[i], on, extents) * bytes_of(P::program.statements[i].type);
      buffers[i].first = first_unit + P::plan.lifetimes[i].first;
      buffers[i].last = first_unit + P::plan.lifetimes[i].last;
    }
  }
  void point(std::byte* base) {
    for (int i = 0; i < P::program.size; ++i)
      if (P::plan.stored[i]) memory[i] = base + buffers[i].offset;
  }
  /// The statement whose memory output k lies in.
  static constexpr int output_root(int k) { return cpu::root_of<P>(P::program.outputs[k].at); }
  std::byte* output(int k) const { return memory[output_root(k)]; }
};

/// The parts of a launch that the graph decides.
inline cpu::launch launch_on(const graph& on, const std::int64_t* extents) {
  cpu::launch l;
  l.in = on.in_edges();
  l.out = on.out_edges();
  l.vertices = on.vertices();
  l.extents = extents;
  return l;
}

}  // namespace stg::detail
