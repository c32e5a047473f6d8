// Fetching neighbours' rows before they are read. A row ends in a mispredicted branch every dozen edges, and with it
// ends what the processor reads ahead by itself; these requests go on across rows.
#pragma once

#include <cstdint>  // int64_t
#include <utility>  // integer_sequence

#include <stg/codegen/cpu/context.hpp>  // row_context, root_of, width

namespace stg::cpu {

/// Edges between the row at hand and what is fetched. On a graph of 0.17 M vertices and 2.3 M edges, two threads: a sum
/// of 128 features takes 19.7 ms without, 16.1 with 8 and 15.3 with 32; attention of 8 × 8 in training 180, 102 and 82.
inline constexpr std::int64_t edges_ahead = 32;
/// Cache lines of one value that are fetched; the processor sees a longer row as a stream.
inline constexpr std::int64_t most_lines = 8;
/// Values of less than so many bytes in all stay in a second-level cache and need no fetching.
inline constexpr std::int64_t least_table = 1 << 20;
/// Bytes per edge below which the requests cost more than they gain: 16 features take 2.4 ms without and 2.9 with them.
inline constexpr std::int64_t least_row = 128;

namespace detail {

/// The distinct values that a unit gathers from neighbours.
template <class P, int Unit> struct gathered_values {
  int at[P::program.size + 1]{};
  int count = 0;

  constexpr gathered_values() {
    for (int k = P::plan.units[Unit].first_step; k < P::plan.units[Unit].last_step; ++k)
      if (P::plan.steps[k].is_loop) add_loop(P::plan.steps[k].index);
  }

 private:
  constexpr void add_loop(int l) {
    for (int k = P::plan.loops[l].first_statement; k < P::plan.loops[l].last_statement; ++k) {
      const ir::statement& s = P::program.statements[P::plan.loop_statements[k].at];
      const bool in = P::plan.loops[l].side == pass::sweep_side::in;
      if (s.code == (in ? ir::opcode::gather_src : ir::opcode::gather_dst)) add(root_of<P>(s.operands[0]));
    }
  }
  constexpr void add(int i) {
    for (int k = 0; k < count; ++k)
      if (at[k] == i) return;
    at[count++] = i;
  }
};

template <class P, int I> STG_INLINE std::int64_t row_bytes(const launch& l) {
  return width<P, I>(l) * static_cast<std::int64_t>(sizeof(element<P, I>));
}
template <class P, int I> STG_INLINE void fetch_row(const launch& l, std::int64_t row) {
  const std::int64_t bytes = row_bytes<P, I>(l);
  const std::byte* const from = l.memory[I] + row * bytes;
  __builtin_prefetch(from);
  for (std::int64_t line = 64; line < bytes && line < 64 * most_lines; line += 64) __builtin_prefetch(from + line);
}

template <class P, int I> STG_INLINE bool is_large(const launch& l) {
  return row_bytes<P, I>(l) * l.vertices >= least_table;
}
template <class P, int Unit, int... K> STG_INLINE bool fetches(const launch& l, std::integer_sequence<int, K...>) {
  constexpr gathered_values<P, Unit> values;
  return (std::int64_t{0} + ... + (is_large<P, values.at[K]>(l) ? row_bytes<P, values.at[K]>(l) : 0)) >= least_row;
}
template <class P, int Unit, int... K>
STG_INLINE void fetch_rows(const row_context& c, std::int64_t first, std::int64_t last,
                           std::integer_sequence<int, K...>) {
  constexpr gathered_values<P, Unit> values;
  for (std::int64_t k = first; k < last; ++k) {
    [[maybe_unused]] const std::int64_t row = c.edges.neighbour(k);
    ((is_large<P, values.at[K]>(c.call) ? fetch_row<P, values.at[K]>(c.call, row) : void()), ...);
  }
}

}  // namespace detail

/// Keeps `edges_ahead` edges before the row at hand, within the rows of a part.
template <class P, int Unit> class fetcher {
  static constexpr auto values = std::make_integer_sequence<int, detail::gathered_values<P, Unit>().count>();

 public:
  STG_INLINE fetcher(const row_context& c, std::int64_t first, std::int64_t last)
      : next_(first < last ? c.edges.begin(first) : 0), end_(first < last ? c.edges.end(last - 1) : 0) {
    if (!detail::fetches<P, Unit>(c.call, values)) next_ = end_;
  }
  STG_INLINE void run(const row_context& c) {
    std::int64_t until = c.edges.end(c.row) + edges_ahead;
    until = until < end_ ? until : end_;
    if (next_ >= until) return;
    detail::fetch_rows<P, Unit>(c, next_, until, values);
    next_ = until;
  }

 private:
  std::int64_t next_, end_;
};

}  // namespace stg::cpu
