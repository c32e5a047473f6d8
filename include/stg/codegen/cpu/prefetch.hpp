// Fetches operands of edges before they are read. A row ends in a mispredicted branch every dozen edges, and with it
// ends the processor's own prefetching; these requests stand in the loops that read, and go on across rows.
//
// All of it is inlined into its callers (STG_INLINE_WHOLLY): g++ takes a function that only asks for lines for one
// without effect, and leaves out its calls.
#pragma once

#include <cstdint>  // int64_t
#include <utility>  // integer_sequence

#include <stg/codegen/cpu/context.hpp>  // row_context, root_of, width

namespace stg::cpu {

/// Bytes of rows on their way, and the edges between the current and the fetched one that follow from it. Of 4 to 20
/// KiB, 4 to 6 are best: more does not come sooner and evicts reused lines from a first-level cache.
inline constexpr std::int64_t prefetch_bytes = 6 << 10;
inline constexpr std::int64_t least_distance = 4, most_distance = 48;
/// Edges fetched together at most: the edges of a register.
inline constexpr std::int64_t most_fetched = 16;
/// Cache lines fetched of one value; the processor sees a longer row as a stream.
inline constexpr std::int64_t most_lines = 8;
/// Values of less than so many bytes in all stay in a second-level cache and need no fetching.
inline constexpr std::int64_t least_table = 1 << 20;
/// Bytes per edge below which the requests cost more than they gain: 16 features take 2.4 ms without and 2.9 with them.
inline constexpr std::int64_t least_row = 128;
/// Vertex values of fewer bytes have small tables. Edge values lie in a different order than the edges of a row.
inline constexpr std::int64_t least_vertex_row = 32;
/// Bytes between the read and the fetched position of narrow streams: neighbours, and edge values in the order of the
/// sweep. The sweep reads so many rows between two lines of such a stream that the processor no longer recognises it.
inline constexpr std::int64_t stream_prefetch_bytes = 2 << 10;

namespace detail {

template <class P> constexpr bool is_fetched(int i) {
  const ir::statement& s = P::program.statements[i];
  return s.where == ir::space::edge || !s.dims.is_static() || s.dims.size() * bytes_of(s.type) >= least_vertex_row;
}
/// Adds the values of neighbours and edges, gathered values and inputs per edge, that are read when per-edge value i is
/// read or computed, through all values computed in place.
template <class P, int Loop, class List> constexpr void add_reads(List& list, int i, bool compute) {
  const ir::statement& s = P::program.statements[i];
  if (s.where != ir::space::edge) return;
  const bool made_before =
      !compute && (mode_of<P, Loop>(i) == pass::edge_mode::rows || mode_of<P, Loop>(i) == pass::edge_mode::across);
  if (made_before) return;
  if (ir::is_view(s)) return add_reads<P, Loop>(list, s.operands[0], false);
  if (is_own_of_edge<P>(i)) {
    if (is_fetched<P>(i)) list.add(i);
  } else if (op::info_of(s.code).kind == op::category::gather) {
    const int from = root_of<P>(s.operands[0]);
    if (!reads_own_row<P, Loop>(s.code) && is_fetched<P>(from)) list.add(from);
  } else {
    for (int k = 0; k < s.arity(); ++k) add_reads<P, Loop>(list, s.operands[k], false);
  }
}
/// The place of a computation in a unit: values in rows one by one, groups as a whole, other aggregates at the end.
constexpr int place_of_value(int loop, const pass::planned_value& v, bool in_group, int entry) {
  return (loop << 20) + ((2 * v.level + in_group) << 12) + (in_group ? 0 : entry & 0xfff);
}
constexpr int place_of_group(int loop, int level) { return (loop << 20) + ((2 * level + 1) << 12); }
constexpr int place_of_result(int loop, int entry) { return (loop << 20) + (0xff << 12) + (entry & 0xfff); }

/// The loops of a unit, which follow each other.
struct loop_range {
  int first = 0, count = 0;
};
template <class P, int Unit> constexpr loop_range loops_of() {
  loop_range loops;
  for (int k = P::plan.units[Unit].first_step; k < P::plan.units[Unit].last_step; ++k) {
    if (!P::plan.steps[k].is_loop) continue;
    if (loops.count++ == 0) loops.first = P::plan.steps[k].index;
  }
  return loops;
}

/// For every value of neighbours or edges read by a loop of the unit over these edges (planned_loop::edges): its first
/// reader's place.
template <class P, int Unit, int Edges> struct first_places {
  int at[P::program.size + 1]{};

  constexpr first_places() {
    for (int& a : at) a = -1;
    add_loops(std::make_integer_sequence<int, loops_of<P, Unit>().count>());
  }

 private:
  template <int... L> constexpr void add_loops(std::integer_sequence<int, L...>) {
    (add_loop<loops_of<P, Unit>().first + L>(), ...);
  }
  template <int L> constexpr void add_loop() {
    constexpr pass::planned_loop loop = P::plan.loops[L];
    if (loop.edges() != Edges) return;
    for (int k = loop.first_statement; k < loop.last_statement; ++k) {
      const pass::planned_value& v = P::plan.loop_statements[k];
      const pass::edge_mode mode = P::plan.mode(L, v.at);
      const bool in_group = mode == pass::edge_mode::across;
      if (!in_group && mode != pass::edge_mode::rows) continue;
      index_list<P::program.size> list;
      add_reads<P, L>(list, v.at, true);
      take(list, place_of_value(L, v, in_group, k));
    }
    for (int k = loop.first_result; k < loop.last_result; ++k) {
      if (P::plan.loop_results[k].level >= 0) continue;
      const int a = P::plan.loop_results[k].at;
      index_list<P::program.size> list;
      add_reads<P, L>(
          list, P::program.statements[a].where == ir::space::edge ? a : P::program.statements[a].operands[0], false);
      take(list, place_of_result(L, k));
    }
  }
  template <class List> constexpr void take(const List& list, int place) {
    for (int k = 0; k < list.count; ++k)
      if (at[list.at[k]] < 0 || place < at[list.at[k]]) at[list.at[k]] = place;
  }
};
template <class P, int Unit, int Edges> inline constexpr first_places<P, Unit, Edges> first_places_of{};

template <class P, int Loop> constexpr int unit_of_loop() {
  for (int u = 0; u < P::plan.unit_count; ++u)
    for (int k = P::plan.units[u].first_step; k < P::plan.units[u].last_step; ++k)
      if (P::plan.steps[k].is_loop && P::plan.steps[k].index == Loop) return u;
  return -1;
}
/// The first place of a unit that reads neighbours, among loops over these edges.
template <class P, int Unit, int Edges>
inline constexpr int first_place = [] {
  int first = -1;
  for (const int place : first_places_of<P, Unit, Edges>.at)
    if (place >= 0 && (first < 0 || place < first)) first = place;
  return first;
}();
/// The values that a place fetches for all places after it in the unit.
template <class P, int Loop, int Place> constexpr auto fetched_at() {
  index_list<P::program.size> list;
  for (int i = 0; i < P::program.size; ++i)
    if (first_places_of<P, unit_of_loop<P, Loop>(), P::plan.loops[Loop].edges()>.at[i] == Place) list.add(i);
  return list;
}

template <class P, int I> STG_INLINE_WHOLLY std::int64_t row_bytes(const launch& l) {
  return width<P, I>(l) * static_cast<std::int64_t>(sizeof(element<P, I>));
}
template <int... Line>
STG_INLINE_WHOLLY void fetch_known_lines(const std::byte* from, std::integer_sequence<int, Line...>) {
  (__builtin_prefetch(from + 64 * Line), ...);
}
/// The lines of a row, one after the other, without a loop if its length is known.
template <class P, int I> STG_INLINE_WHOLLY void fetch_lines(const std::byte* from, std::int64_t bytes) {
  constexpr ir::statement s = P::program.statements[I];
  if constexpr (s.dims.is_static()) {
    constexpr std::int64_t lines = (s.dims.size() * bytes_of(s.type) + 63) / 64;
    fetch_known_lines(from,
                      std::make_integer_sequence<int, static_cast<int>(lines < most_lines ? lines : most_lines)>());
  } else {
    const std::int64_t end = bytes < 64 * most_lines ? bytes : 64 * most_lines;
    std::int64_t line = 0;
    for (; line + 256 <= end; line += 256) fetch_known_lines(from + line, std::make_integer_sequence<int, 4>());
    for (; line < end; line += 64) __builtin_prefetch(from + line);
  }
}
/// The next line of a stream of elements of so many bytes, once for all elements that begin in one line.
STG_INLINE_WHOLLY void fetch_stream(const std::byte* from, std::int64_t bytes, std::int64_t k) {
  if (bytes >= 64 || static_cast<std::uint64_t>(k * bytes) % 64 >= static_cast<std::uint64_t>(bytes)) return;
  __builtin_prefetch(from + k * bytes + stream_prefetch_bytes);
}
template <class P, int I> STG_INLINE_WHOLLY void fetch_row(const row_context& c, std::int64_t k) {
  constexpr bool of_edge = P::program.statements[I].where == ir::space::edge;
  if (of_edge && c.edges.ids_are_positions()) return fetch_stream(c.call.memory[I], row_bytes<P, I>(c.call), k);
  const std::int64_t row = of_edge ? c.edges.edge_id(k) : c.edges.neighbour(k), bytes = row_bytes<P, I>(c.call);
  const std::byte* const from = c.call.memory[I] + row * bytes;
  fetch_lines<P, I>(from, bytes);
}
template <class P, int Loop, int Place, int... K>
STG_INLINE_WHOLLY void fetch_rows(const row_context& c, std::int64_t k, std::integer_sequence<int, K...>) {
  constexpr auto list = fetched_at<P, Loop, Place>();
  (fetch_row<P, list.at[K]>(c, k), ...);
  if constexpr (Place == first_place<P, unit_of_loop<P, Loop>(), P::plan.loops[Loop].edges()>)
    fetch_stream(reinterpret_cast<const std::byte*>(c.edges.neighbours()), sizeof(std::int32_t), k);
}

/// The values fetched in loops of a unit over these edges.
template <class P, int Unit, int Edges>
inline constexpr auto fetched_in = [] {
  index_list<P::program.size> list;
  for (int i = 0; i < P::program.size; ++i)
    if (first_places_of<P, Unit, Edges>.at[i] >= 0) list.add(i);
  return list;
}();
/// Over how many relations, or sides of one, a unit's loops go: each has its share of the bytes on their way.
template <class P, int Unit> constexpr int relations_of() {
  constexpr loop_range loops = loops_of<P, Unit>();
  int n = 0;
  for (int k = loops.first; k < loops.first + loops.count; ++k) {
    int first = loops.first;
    while (P::plan.loops[first].edges() != P::plan.loops[k].edges()) ++first;
    n += first == k;
  }
  return n;
}
/// Bytes of a row as if its numbers were floats: the work between two rows counts, not the bytes.
template <class P, int I> STG_INLINE_WHOLLY std::int64_t wide_bytes(const launch& l) {
  return row_bytes<P, I>(l) * (is_storage(P::program.statements[I].type) ? 2 : 1);
}
template <class P, int I> STG_INLINE_WHOLLY std::int64_t table_bytes(const launch& l) {
  return row_bytes<P, I>(l) *
         (P::program.statements[I].where == ir::space::edge ? l.graph.in.edges() : l.graph.vertices);
}
template <class P, int Unit, int Edges, int... K>
STG_INLINE_WHOLLY std::int64_t distance_of(const launch& l, std::integer_sequence<int, K...>) {
  if constexpr (sizeof...(K) == 0) {
    return 0;
  } else {
    constexpr const auto& list = fetched_in<P, Unit, Edges>;
    const std::int64_t bytes = (row_bytes<P, list.at[K]>(l) + ...);
    const std::int64_t table = (table_bytes<P, list.at[K]>(l) + ...);
    const std::int64_t as_wide = (wide_bytes<P, list.at[K]>(l) + ...);
    if (table < least_table || as_wide < least_row) return 0;
    const std::int64_t edges = prefetch_bytes / relations_of<P, Unit>() / bytes;
    return edges < least_distance ? least_distance : edges < most_distance ? edges : most_distance;
  }
}

}  // namespace detail

/// Chooses the distance at which a sweep over the rows up to `last` fetches in loops over these edges: not at all if it
/// has none for a register.
template <class P, int Unit, int Edges = 0> STG_INLINE_WHOLLY void begin_fetching(row_context& c, std::int64_t last) {
  c.last_fetch = (c.row < last ? c.edges.end(last - 1) : 0) - most_fetched;
  c.prefetch_distance = c.last_fetch < 0
                            ? 0
                            : detail::distance_of<P, Unit, Edges>(
                                  c.call, std::make_integer_sequence<int, detail::fetched_in<P, Unit, Edges>.count>());
}

/// Asks for values of later edges at this place, while it works on `edges` edges of the chunk from j on.
template <class P, int Loop, int Place>
STG_INLINE_WHOLLY void prefetch_next(const row_context& c, std::int64_t j, std::int64_t edges = 1) {
  constexpr int count = detail::fetched_at<P, Loop, Place>().count;
  if constexpr (count > 0) {
    if (c.prefetch_distance == 0) return;
    const std::int64_t next = c.first + j + c.prefetch_distance, k = next < c.last_fetch ? next : c.last_fetch;
    for (std::int64_t e = 0; e < edges; ++e)
      detail::fetch_rows<P, Loop, Place>(c, k + e, std::make_integer_sequence<int, count>());
  }
}

}  // namespace stg::cpu
