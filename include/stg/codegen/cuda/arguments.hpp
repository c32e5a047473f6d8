// The arguments of a sweep's kernel, and the scratch that its rows need.
#pragma once

#include <cstddef>  // byte
#include <cstdint>  // int32_t, int64_t
#include <limits>   // numeric_limits

#include <stg/base/error.hpp>              // error
#include <stg/base/lowest.hpp>             // finite_or_zero, lowest
#include <stg/codegen/cuda/unit_view.hpp>  // unit_view
#include <stg/codegen/launch.hpp>          // graph_view, launch

namespace stg::gpu {

/// Threads of a block. Four warps: enough to hide memory latency with several blocks on a multiprocessor, few enough
/// that their scratch fits into shared memory.
inline constexpr int block_threads = 128;
/// Shared memory that a block may have without asking for more.
inline constexpr int most_shared_bytes = 47 << 10;
/// Blocks of a sweep whose scratch does not fit into shared memory: each then has a place in the workspace.
inline constexpr std::int64_t most_blocks_in_workspace = 1024;
/// Scratch of a chunk of edges, for each lane of a row, and edges of a chunk.
inline constexpr std::int64_t chunk_bytes_per_lane = 128, most_chunk_edges = 64;

using detail::pack_of;

/// Lanes that share a row: the packs of the unit's widest value, from 4 to 32; the whole block if it has as many for
/// every thread.
template <class V> constexpr int lanes_of() {
  std::int64_t widest = 1;
  for (int k = 0; k < V::slots.count; ++k) {
    const ir::statement& s = V::program.statements[V::slots.at[k]];
    const bool is_work = V::made.at[V::slots.at[k]] || s.where == ir::space::edge;
    const std::int64_t n = is_work ? detail::packs_of(s.dims) : 1;
    widest = widest < n ? n : widest;
  }
  int lanes = 4;
  while (lanes < 32 && lanes < widest) lanes *= 2;
  return widest >= block_threads ? block_threads : lanes;
}

/// A top_share's state for a feature, in scratch.
template <class T> struct running_exponentials {
  T most = lowest<T>();  // the maximum so far
  T sum{};               // of exponentials, each of score - shift()
  T rescaled{1};         // factor of exponentials before the chunk at hand, for its maximum

  STG_KERNEL T shift() const { return finite_or_zero(most); }
};

/// The work of a group of a sweep: rows that are not long, from the first step to the last; for long rows a loop's
/// aggregates part by part, or the combination of the parts' results and the steps up to the next loop.
enum class sweep_stage : int { rows, parts, combined };

template <class V> constexpr bool has_loops() {
  for (int k = V::planned.first_step; k < V::planned.last_step; ++k)
    if (V::plan.steps[k].is_loop) return true;
  return false;
}

/// The number of vertex sets and relations that a program's kernels read besides the unit's own: numbers of vertices,
/// and degrees. All of the program or none, so most kernels take no arguments for it.
template <class V> constexpr int kinds_read() {
  for (int i = 0; i < V::program.size; ++i) {
    const ir::statement& s = V::program.statements[i];
    const bool reads = (s.code == ir::opcode::vertex_count && s.counted_set() != 0) ||
                       (s.code == ir::opcode::degree && s.relation() != 0);
    if (reads) return V::program.room.kinds;
  }
  return 0;
}

/// A kernel's arguments for them, by number.
template <int Count> struct kind_arguments {
  std::int64_t counts[Count + 1]{};
  const std::int64_t *in_degrees[Count + 1]{}, *out_degrees[Count + 1]{};  // of relations: known_degrees of a side

  explicit kind_arguments(const graph_view& graph) {
    for (int k = 1; k <= Count; ++k) {
      counts[k] = graph.kinds[k].rows;
      in_degrees[k] = graph.kinds[k].in.known_degrees();
      out_degrees[k] = graph.kinds[k].out.known_degrees();
    }
  }
};
template <> struct kind_arguments<0> {
  explicit kind_arguments(const graph_view&) {}
};

/// Whether a program's kernels read numbers that the part of a cut graph has of the whole one: how many vertices there
/// are, and the numbers of vertices and edges.
template <class V> constexpr bool reads_numbers() {
  for (int i = 0; i < V::program.size; ++i) {
    const ir::statement& s = V::program.statements[i];
    if (s.code == ir::opcode::vertex_index || s.code == ir::opcode::edge_index) return true;
    if (s.code == ir::opcode::first_max_edge) return true;
    if (s.code == ir::opcode::vertex_count && s.counted_set() == 0) return true;
  }
  return false;
}

/// A kernel's arguments for them.
template <bool Reads> struct number_arguments {
  std::int64_t counted;
  const std::int32_t* row_numbers = nullptr;   // by row; null: each is its own
  const std::int64_t* edge_numbers = nullptr;  // by edge id

  explicit number_arguments(const graph_view& graph) : counted(graph.counted_vertices(0)) {
    if (graph.ranks == nullptr) return;
    row_numbers = graph.in.global_rows();
    edge_numbers = graph.in.global_edges();
  }
  STG_HOST_DEVICE std::int64_t number_of_row(std::int64_t row) const {
    return row_numbers == nullptr ? row : row_numbers[row];
  }
  STG_HOST_DEVICE std::int64_t number_of_edge(std::int64_t id) const {
    return edge_numbers == nullptr ? id : edge_numbers[id];
  }
};
template <> struct number_arguments<false> {
  explicit number_arguments(const graph_view&) {}
};

/// Arguments of the kernel of unit V (a unit_view), by value. Vertices belong to the unit's set, edges to its relation.
template <class V> struct arguments : kind_arguments<kinds_read<V>()>, number_arguments<reads_numbers<V>()> {
  std::byte* memory[V::slots.count + 1]{};     // of values that lie in memory
  std::int32_t offset[V::slots.count + 1]{};   // of others, in a row's scratch
  std::int32_t state[V::slots.count + 1]{};    // of an aggregate's state beside its result
  std::int32_t result[V::slots.count + 1]{};   // of an aggregate, in the scratch of a part of a long row
  std::int32_t handed[V::handed.count + 1]{};  // of values of a chunk handed between lanes, in a row's scratch
  std::int32_t neighbours = 0;                 // the same of neighbours
  std::int64_t extents[V::program.room.extents + 1]{};
  adjacency in{}, out{};
  std::int64_t vertices = 0, edges = 0;
  std::uint64_t seed = 0;
  std::uint32_t number = 0;                    // of the call
  std::int32_t first_site = 0;                 // of a called program
  const std::uint32_t* launches = nullptr;     // of the captured step with this launch
  std::int32_t chunk = most_chunk_edges;       // edges at a time
  std::int32_t row_bytes = 0;                  // scratch of a row
  std::int32_t part_bytes = 0;                 // scratch of a part of a long row
  std::byte* workspace = nullptr;              // for scratch that does not fit into shared memory
  std::byte* long_scratch = nullptr;           // of long rows, then of their parts
  std::int32_t long_blocks = 0;                // blocks with long rows, which come before the others
  sweep_stage stage = sweep_stage::rows;       // of long rows,
  std::int32_t first_step = 0, last_step = 0;  // and the steps that they take

  /// l: as the unit sees it (codegen::as_unit).
  explicit arguments(const launch& l)
      : kind_arguments<kinds_read<V>()>(l.graph),
        number_arguments<reads_numbers<V>()>(l.graph),
        in(l.graph.in),
        out(l.graph.out),
        vertices(l.graph.vertices),
        edges(l.graph.edges),
        seed(l.draws.seed),
        number(l.draws.number),
        first_site(static_cast<std::int32_t>(l.draws.first_site)),
        launches(l.draws.launches),
        workspace(l.resources.workspace) {
    for (int e = 0; e < V::program.room.extents; ++e) extents[e] = l.extents[e];
    for (int k = 0; k < V::slots.count && l.memory != nullptr; ++k) memory[k] = l.memory[V::slots.at[k]];
    lay_out();
    long_scratch = workspace + rows_workspace_bytes(rows());
  }

  STG_HOST_DEVICE std::int64_t rows() const { return V::planned.kind == pass::unit_kind::graph ? 1 : vertices; }
  STG_HOST_DEVICE adjacency side() const { return V::planned.side == pass::sweep_side::out ? out : in; }
  /// Vertices of a set, 0 of the unit's, and how many edges of a relation one of its rows owns.
  template <std::int64_t Set> STG_HOST_DEVICE std::int64_t vertices_of() const {
    if constexpr (Set == 0) return this->counted;
    else return this->counts[Set];
  }
  template <int Relation, ir::direction Side> STG_HOST_DEVICE std::int64_t degree_of(std::int64_t row) const {
    if constexpr (Relation == 0) {
      return (Side == ir::direction::in ? in : out).known_degree(row);
    } else {
      const std::int64_t* const sums = (Side == ir::direction::in ? this->in_degrees : this->out_degrees)[Relation];
      return sums[row + 1] - sums[row];
    }
  }

  /// Long rows, or parts of them, that a launch has.
  STG_HOST_DEVICE std::int64_t long_count() const {
    return stage == sweep_stage::parts ? side().long_rows().parts : side().long_rows().count;
  }
  STG_HOST_DEVICE std::byte* scratch_of_part(int k) const {
    return long_scratch + std::int64_t{side().long_rows().count} * row_bytes + std::int64_t{k} * part_bytes;
  }

  STG_HOST_DEVICE int groups_per_block() const { return block_threads / lanes_of<V>(); }
  STG_HOST_DEVICE bool is_in_shared() const {
    return std::int64_t{row_bytes} * groups_per_block() <= most_shared_bytes;
  }
  std::int64_t blocks(std::int64_t rows) const {
    const std::int64_t all = (rows + groups_per_block() - 1) / groups_per_block();
    const std::int64_t most = is_in_shared() ? (std::int64_t{1} << 30) : most_blocks_in_workspace;
    return all < most ? all : most;
  }
  std::int64_t workspace_bytes() const {
    const long_rows cut = has_loops<V>() ? side().long_rows() : long_rows();
    return rows_workspace_bytes(rows()) + std::int64_t{cut.count} * row_bytes + std::int64_t{cut.parts} * part_bytes;
  }

 private:
  std::int64_t rows_workspace_bytes(std::int64_t rows) const {
    return is_in_shared() ? 0 : blocks(rows) * groups_per_block() * row_bytes;
  }
  std::int64_t bytes_of_row(int i) const {
    const ir::statement& s = V::program.statements[i];
    std::int64_t n = bytes_of(s.type);
    for (int a = 0; a < s.dims.rank; ++a)
      n *= s.dims.axes[a].is_static() ? s.dims.axes[a].code : extents[-1 - s.dims.axes[a].code];
    return n;
  }
  std::int32_t take(std::int64_t bytes) {
    const std::int32_t at = row_bytes;
    const std::int64_t end = at + (bytes + 15) / 16 * 16;
    if (end > std::numeric_limits<std::int32_t>::max())
      throw error("a row of the graph would need more than 2 GiB of scratch on the device; its features are too wide");
    row_bytes = static_cast<std::int32_t>(end);
    return at;
  }
  static bool is_edge(int i) { return V::program.statements[i].where == ir::space::edge; }

  void lay_out() {
    std::int64_t per_edge = 0;
    for (int k = 0; k < V::slots.count; ++k) {
      const int i = V::slots.at[k];
      if (is_edge(i) && !is_own_of_edge<V>(i)) per_edge += bytes_of_row(i);
    }
    if (V::handed.is_asked_for) {
      per_edge += sizeof(std::int32_t);
      for (int k = 0; k < V::handed.count; ++k) per_edge += bytes_of(V::program.statements[V::handed.at[k]].type);
    }
    const std::int64_t room = chunk_bytes_per_lane * lanes_of<V>();
    const std::int64_t n = per_edge == 0 ? most_chunk_edges : room / per_edge;
    chunk = static_cast<std::int32_t>(n < 4 ? 4 : n < most_chunk_edges ? n : most_chunk_edges);
    for (int k = 0; k < V::slots.count; ++k) {
      const int i = V::slots.at[k];
      const ir::opcode code = V::program.statements[i].code;
      if (is_edge(i)) {
        if (!is_own_of_edge<V>(i)) offset[k] = take(bytes_of_row(i) * chunk);
      } else if (!detail::is_in_memory<V>(i)) {
        offset[k] = take(bytes_of_row(i));
      }
      if (V::made.at[i] && code == ir::opcode::top_share_edges)
        state[k] = take(3 * bytes_of_row(i));  // running_exponentials
      if (V::made.at[i] && code == ir::opcode::first_max_edge)
        state[k] = take(bytes_of_row(V::program.statements[i].operands[0]));
    }
    if (V::handed.is_asked_for) {
      neighbours = take(std::int64_t{chunk} * sizeof(std::int32_t));
      for (int k = 0; k < V::handed.count; ++k)
        handed[k] = take(std::int64_t{chunk} * bytes_of(V::program.statements[V::handed.at[k]].type));
    }
    const std::int32_t rows_end = row_bytes;
    for (int k = 0; k < V::slots.count; ++k)
      if (!is_edge(V::slots.at[k]) && V::made.at[V::slots.at[k]]) result[k] = take(bytes_of_row(V::slots.at[k]));
    part_bytes = row_bytes;
    row_bytes = rows_end;
  }
};

}  // namespace stg::gpu
