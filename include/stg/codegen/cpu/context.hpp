// What a kernel is given at run time, and where it finds each value.
#pragma once

#include <cstddef>  // byte
#include <cstdint>  // int64_t

#include <stg/base/config.hpp>        // STG_INLINE
#include <stg/ir/program.hpp>         // statement
#include <stg/pass/plan.hpp>          // edge_mode
#include <stg/runtime/adjacency.hpp>  // adjacency

namespace stg::cpu {

/// One call of a program: where its values lie and what its sizes are. Shared by all units and threads.
struct launch {
  std::byte* const* memory = nullptr;     // per statement: stored values and inputs; null for others
  const std::int64_t* extents = nullptr;  // the program's run-time extents
  adjacency in{}, out{};
  std::int64_t vertices = 0, edges = 0;
  std::uint64_t seed = 0;
  std::uint32_t call = 0;
  std::byte* workspace = nullptr;  // partial sums, parameters laid out anew, and scratch of the parts
  std::int64_t most_parts = 1;     // of a sweep: what the workspace was laid out for
  std::int64_t threads = 1;        // likewise, of a chain
};

/// One row of a sweep.
struct row_context {
  const launch& call;
  const std::int64_t* offsets;  // per statement: where its row lies in scratch
  std::byte* scratch;
  std::int64_t row = 0;
  std::int64_t block = 0;       // the first row of the block at hand, in a chain
  adjacency edges{};            // of the sweep's side
  std::int64_t first = 0;       // the first edge of the chunk at hand
  std::int64_t ahead = 0;       // edges between the one at hand and what is fetched (prefetch.hpp)
  std::int64_t last_fetch = 0;  // of the first edge of a register, so that all are edges of this part
};

/// A few indices: of statements, or of entries of a list of the plan.
template <int Most> struct index_list {
  int at[Most + 1]{};
  int count = 0;

  constexpr void add(int i) {
    for (int k = 0; k < count; ++k)
      if (at[k] == i) return;
    at[count++] = i;
  }
};

// P: a type with `program` (frozen_program) and `plan` (frozen_plan). Loop: a loop of the plan, or no_loop for
// per-vertex work. A kernel sees P through on_vectors (target.hpp).
inline constexpr int no_loop = -1;

template <class P> constexpr const ir::statement& statement_of(int i) { return P::program.statements[i]; }

template <class P> constexpr int root_of(int i) {
  while (P::program.statements[i].code == ir::opcode::reshape) i = P::program.statements[i].operands[0];
  return i;
}

template <class P, int Loop> constexpr pass::edge_mode mode_of(int i) {
  if constexpr (Loop == no_loop) return pass::edge_mode::absent;
  else return P::plan.modes[Loop][root_of<P>(i)];
}

/// Computed into scratch, edge by edge.
template <class P, int Loop> constexpr bool is_in_rows(int i) {
  return root_of<P>(i) == i && mode_of<P, Loop>(i) == pass::edge_mode::rows;
}

/// Computed where it is consumed, a register at a time.
template <class P, int Loop> constexpr bool is_joined(int i) {
  return P::program.statements[i].where == ir::space::edge && P::program.statements[i].code != ir::opcode::reshape &&
         mode_of<P, Loop>(i) == pass::edge_mode::joined;
}

/// An axis: a constant where the program knows it.
template <std::int64_t Code> STG_INLINE std::int64_t extent_value(const launch& l) {
  if constexpr (Code >= 0) return Code;
  else return l.extents[-1 - Code];
}

/// The product of axes [from, to) of a shape where the program knows all of them, else -1.
constexpr std::int64_t known_product(const ir::shape& dims, int from, int to) {
  std::int64_t n = 1;
  for (int a = from; a < to; ++a) {
    if (dims.axes[a].code < 0) return -1;
    n *= dims.axes[a].code;
  }
  return n;
}

/// The product of axes [From, To) of a statement's shape.
template <class P, int I, int From, int To> STG_INLINE std::int64_t axes_product(const launch& l) {
  constexpr std::int64_t known = known_product(P::program.statements[I].dims, From, To);
  if constexpr (known >= 0) return known;
  else return extent_value<P::program.statements[I].dims.axes[From].code>(l) * axes_product<P, I, From + 1, To>(l);
}

/// Elements of one row of a value.
template <class P, int I> STG_INLINE std::int64_t width(const launch& l) {
  return axes_product<P, I, 0, P::program.statements[I].dims.rank>(l);
}

template <class P, int I> using element = element_t<P::program.statements[I].type>;

/// Whether a gather reads the row at hand: destinations of in-edges, sources of out-edges.
template <class P, int Loop> constexpr bool reads_own_row(ir::opcode gather) {
  return (gather == ir::opcode::gather_dst) == (P::plan.loops[Loop].side == pass::sweep_side::in);
}

/// A per-edge value that lies in memory by edge: an input, or a product's row.
template <class P> constexpr bool is_own_of_edge(int i) {
  const ir::statement& s = P::program.statements[i];
  return s.where == ir::space::edge && (s.code == ir::opcode::input || op::info_of(s.code).kind == op::category::dense);
}

/// A per-edge value that is the same for all edges of the row: gathered from the row at hand.
template <class P, int Loop> constexpr bool is_own_row(int i) {
  if (pass::is_part_of_row(P::program, i)) i = P::program.statements[i].operands[0];
  const ir::opcode code = P::program.statements[i].code;
  return (code == ir::opcode::gather_dst || code == ir::opcode::gather_src) && reads_own_row<P, Loop>(code);
}

/// Elements between the rows of two edges in scratch.
template <class P, int I> STG_INLINE std::int64_t edge_stride(const launch& l) {
  constexpr ir::statement s = P::program.statements[root_of<P>(I)];
  if constexpr (pass::is_narrow(s)) return pass::narrow_stride(s.dims.size());
  else return width<P, root_of<P>(I)>(l);
}

/// Where the row of value I lies: in memory, or in this part's scratch. j: the edge within the chunk, for edge values.
template <class P, int Loop, int I> STG_INLINE element<P, I>* row_of(const row_context& c, std::int64_t j) {
  using T = element<P, I>;
  constexpr int R = root_of<P>(I);
  constexpr ir::statement s = P::program.statements[R];
  constexpr bool in_memory = P::plan.stored[R] || s.code == ir::opcode::input;
  if constexpr (s.where == ir::space::graph) {
    return reinterpret_cast<T*>(c.call.memory[R]);
  } else if constexpr (s.where == ir::space::vertex) {
    if constexpr (in_memory) return reinterpret_cast<T*>(c.call.memory[R]) + c.row * width<P, R>(c.call);
    T* const here = reinterpret_cast<T*>(c.scratch + c.offsets[R]);
    if constexpr (P::plan.in_block[R]) return here + (c.row - c.block) * width<P, R>(c.call);
    else return here;
  } else if constexpr (mode_of<P, Loop>(R) == pass::edge_mode::rows || mode_of<P, Loop>(R) == pass::edge_mode::across) {
    return reinterpret_cast<T*>(c.scratch + c.offsets[R]) + j * edge_stride<P, R>(c.call);
  } else if constexpr (is_own_of_edge<P>(R)) {
    return reinterpret_cast<T*>(c.call.memory[R]) + c.edges.edge_id(c.first + j) * width<P, R>(c.call);
  } else if constexpr (pass::is_part_of_row(P::program, R)) {
    return row_of<P, Loop, s.operands[0]>(c, j) + pass::part_begin(s);
  } else {
    constexpr int G = root_of<P>(s.operands[0]);  // a gather
    if constexpr (reads_own_row<P, Loop>(s.code)) return row_of<P, no_loop, G>(c, 0);
    else return reinterpret_cast<T*>(c.call.memory[G]) + c.edges.neighbour(c.first + j) * width<P, G>(c.call);
  }
}

}  // namespace stg::cpu
