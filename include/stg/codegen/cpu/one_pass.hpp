// A loop over edges in one pass: a register of narrow values after the other, with the dot products that they need
// before, and the wide sums that need them after. What is summed stays in registers over all edges of the chunk.
//
// The other form (edges.hpp) takes a chunk value by value. It serves any loop; this one serves loops like those of
// attention, of which it makes one loop instead of three: rows of a graph are short, and every loop over one ends in a
// mispredicted branch.
#pragma once

#include <cstdint>  // int64_t
#include <utility>  // integer_sequence

#include <stg/base/larger.hpp>            // smaller
#include <stg/codegen/cpu/across.hpp>     // group, run_register
#include <stg/codegen/cpu/aggregate.hpp>  // aggregate_of, sum_of
#include <stg/codegen/cpu/dots.hpp>       // folded_together
#include <stg/codegen/cpu/edge_rows.hpp>  // fill_edge, fill_rows
#include <stg/codegen/cpu/loop_form.hpp>  // one_pass, is_summed_later
#include <stg/codegen/cpu/prefetch.hpp>   // prefetch_next
#include <stg/codegen/cpu/softmax.hpp>    // softmax_state
#include <stg/codegen/cpu/wide.hpp>       // single_block

namespace stg::cpu::detail {

// ---- wide sums ----

template <class P, int Loop, int K> struct wide_registers {
  static constexpr int A = P::plan.loop_results[K].at;
  using block = single_block<P, Loop, K>;
  lanes_t<P::program.statements[A].type, block::lanes> r[block::registers];
};
template <class P, int Loop, class Results> struct wide_results;
template <class P, int Loop, int... K>
struct wide_results<P, Loop, std::integer_sequence<int, K...>> : wide_registers<P, Loop, K>... {};

template <class P, int Loop, int K> STG_INLINE void begin_wide(wide_registers<P, Loop, K>& sums) {
  using mine = wide_registers<P, Loop, K>;
  using agg = aggregate_of<P, mine::A>;
  [&]<int... N>(std::integer_sequence<int, N...>) __attribute__((always_inline)) {
    (splat<agg::type, mine::block::lanes>(sums.r[N], agg::begin), ...);
  }
  (std::make_integer_sequence<int, mine::block::registers>());
}
/// Takes edge j, which is number Edge of a whole register of edges; -1: of a part of one.
template <class P, int Loop, int K, int Edge>
STG_INLINE void take_wide(wide_registers<P, Loop, K>& sums, const row_context& c, std::int64_t j) {
  using mine = wide_registers<P, Loop, K>;
  take_edge<P, mine::A, mine::block::lanes>(sums.r, c, j, mine::block::template where<Edge>(c.call),
                                            std::make_integer_sequence<int, mine::block::registers>());
}
template <class P, int Loop, int Edge, class Sums, int... W>
STG_INLINE void take_edge_of_all(Sums& sums, const row_context& c, std::int64_t j, std::integer_sequence<int, W...>) {
  (take_wide<P, Loop, W, Edge>(sums, c, j), ...);
}
/// All edges of a register. A few are written out, so that what was computed for them is read as one register.
template <class P, int Loop, bool Partial, class Sums, int... W>
STG_INLINE void take_register(Sums& sums, const row_context& c, const register_position& at,
                              std::integer_sequence<int, W...> wide) {
  using loop = one_pass<P, Loop>;
  const std::int64_t edges = loop::template edges_left<Partial>(at.j, at.last);
  if constexpr (!Partial && loop::edges > 1 && loop::edges <= 4) {
    (prefetch_next<P, Loop, place_of_result(Loop, W)>(c, at.j, edges), ...);
    [&]<int... E>(std::integer_sequence<int, E...>) __attribute__((always_inline)) {
      (take_edge_of_all<P, Loop, E>(sums, c, at.j + E, wide), ...);
    }
    (std::make_integer_sequence<int, loop::edges>());
  } else {
    for (std::int64_t j = at.j; j < at.j + edges; ++j) {
      (prefetch_next<P, Loop, place_of_result(Loop, W)>(c, j), ...);
      take_edge_of_all<P, Loop, -1>(sums, c, j, wide);
    }
  }
}
/// Joined with the chunks and edges before. Divided: they were the row's last, and a sum of shares of a softmax is over
/// the sum of exponentials, whose inverse lies in the row of the top_share.
template <class P, int Loop, int K, bool Divided>
STG_INLINE void put_wide(wide_registers<P, Loop, K>& sums, const row_context& c, bool first, std::int64_t taken) {
  using mine = wide_registers<P, Loop, K>;
  constexpr int A = mine::A, L = mine::block::lanes, share = P::plan.loop_results[K].over;
  constexpr auto registers = std::make_integer_sequence<int, mine::block::registers>();
  const auto where = mine::block::template where<-1>(c.call);
  element<P, A>* const to = row_of<P, no_loop, A>(c, 0);
  if (!first) join_block<P, A, L>(to, sums.r, where, registers);
  if constexpr (Divided && share >= 0) {
    lanes_t<P::program.statements[A].type, L> inverse;
    [&]<int... N>(std::integer_sequence<int, N...>) __attribute__((always_inline)) {
      ((where.template get<share, N>(inverse, c, 0), sums.r[N] *= inverse), ...);
    }
    (registers);
  }
  store_block<P, A, L>(to, sums.r, c, first ? taken : 0, where, registers);
}

// ---- softmax that is divided in the end ----

/// The softmax of which this loop takes the exponentials itself: the entry that computes it, and the top_share.
template <class P, int Loop> struct own_softmax {
  static constexpr pass::planned_loop loop = P::plan.loops[Loop];
  static constexpr int entry = [] {
    for (int k = loop.first_statement; k < loop.last_statement; ++k)
      if (P::plan.loop_statements[k].softmax >= 0) return k;
    return -1;
  }();
  static constexpr int share = entry < 0 ? -1 : P::plan.loop_statements[entry < 0 ? 0 : entry].softmax;
  static constexpr bool exists = [] {
    if constexpr (entry < 0) return false;
    else
      return is_summed_later<P, result_entry<P>(share)>() &&
             P::plan.loop_results[result_entry<P>(share)].summed_in == Loop;
  }();
};

/// The sum of its exponentials, per lane.
template <class P, int Loop, int L, bool OneChunk> struct softmax_total {};
template <class P, int Loop, int L>
requires own_softmax<P, Loop>::exists struct softmax_total<P, Loop, L, true> {
  static constexpr scalar_type type = P::program.statements[own_softmax<P, Loop>::share].type;
  lanes_t<type, L> total;
};

template <class P, int Loop, int L, bool Partial, class Registers>
STG_INLINE void take_total(Registers& held, const register_position& at) {
  using sum = softmax_total<P, Loop, L, true>;
  lanes_t<sum::type, L> x = static_cast<const held_value<P, own_softmax<P, Loop>::entry, L>&>(held).r;
  if constexpr (Partial) blank_past_last<sum::type, L, one_pass<P, Loop>::width>(x, at.last + 1 - at.j, {});
  static_cast<sum&>(held).total += x;
}

/// A narrow sum over the sum of exponentials: it has a feature for each of the top_share's.
template <class P, int K, int W>
STG_INLINE void divide_narrow(const row_context& c,
                              const lanes_t<P::program.statements[P::plan.loop_results[K].at].type, W>& inverse) {
  constexpr int A = P::plan.loop_results[K].at;
  constexpr int n = static_cast<int>(P::program.statements[A].dims.size());
  constexpr scalar_type S = P::program.statements[A].type;
  if constexpr (P::plan.loop_results[K].over >= 0) {
    element<P, A>* const to = row_of<P, no_loop, A>(c, 0);
    if constexpr (n == W && W > 1) {
      lanes_t<S, W> sum;
      load<S, W>(sum, to);
      sum *= inverse;
      store<S, W>(to, sum);
    } else if constexpr (W == 1) {
      *to *= inverse;
    } else {
      for (int k = 0; k < n; ++k) to[k] *= inverse[k];
    }
  }
}

/// After the last edge: the top_share, and the results R, which are put already and divided by its sum. `wide` puts
/// wide ones.
template <class P, int Loop, int L, class Registers, class Wide, int... R>
STG_INLINE void divide_all(const Registers& held, const row_context& c, const Wide& wide,
                           std::integer_sequence<int, R...>) {
  using sum = softmax_total<P, Loop, L, true>;
  constexpr int share = own_softmax<P, Loop>::share, width = one_pass<P, Loop>::width;
  const auto total = fold_edges<sum_of<sum::type>, L, width>(static_cast<const sum&>(held).total);
  lanes_t<sum::type, width> inverse;
  splat<sum::type, width>(inverse, 1);
  inverse /= total;
  put_features<sum_of<sum::type>, width, static_cast<int>(P::program.statements[share].dims.size())>(
      row_of<P, no_loop, share>(c, 0), 0, inverse, true);
  (divide_narrow<P, R, width>(c, inverse), ...);
  wide();
}

// ---- a register of edges ----

template <class P, int Loop, int Level, int K, bool OneChunk, bool Partial>
STG_INLINE void fill_edges(const row_context& c, const register_position& at, std::int64_t edges) {
  constexpr pass::planned_value v = P::plan.loop_statements[K];
  if constexpr (v.level == Level && (v.in_one_chunk || !OneChunk) && one_pass<P, Loop>::template fills_by_edge<K>()) {
    constexpr int place = place_of_value(Loop, v, false, K);
    constexpr int together = folded_together<P, Loop, v.at>(one_pass<P, Loop>::edges);
    if constexpr (together > (Partial ? 2 : 1)) {  // of two edges, part of a register is one
      for (std::int64_t j = at.j; j < at.j + edges; j += together) {
        prefetch_next<P, Loop, place>(c, j, Partial ? smaller<std::int64_t>(together, at.last + 1 - j) : together);
        fold_edges_together<P, Loop, v.at, together, Partial>(row_of<P, Loop, v.at>(c, j), c, j, at.last);
      }
    } else {
      for (std::int64_t j = at.j; j < at.j + edges; ++j) fill_edge<P, Loop, v.at, place>(c, j);
    }
  }
}

template <class P, int Loop, int Level, bool OneChunk, bool Partial, class Registers, int... K>
STG_INLINE void run_level_once(Registers& held, const row_context& c, const register_position& at,
                               std::integer_sequence<int, K...>) {
  using loop = one_pass<P, Loop>;
  using group = detail::group<P, Loop, Level, loop::width, OneChunk>;
  const std::int64_t edges = loop::template edges_left<Partial>(at.j, at.last);
  (fill_edges<P, Loop, Level, loop::loop.first_statement + K, OneChunk, Partial>(c, at, edges), ...);
  run_register<P, Loop, group, full_lanes<P>, Partial>(
      held, c, at, values_of<group>(std::make_integer_sequence<int, group::values.count>()),
      results_of<group>(std::make_integer_sequence<int, group::results.count>()));
}

template <class P, int Loop, bool OneChunk, bool Partial, class Registers, class Sums, int... Level, int... W>
STG_INLINE void run_once(Registers& held, Sums& sums, const row_context& c, const register_position& at,
                         std::integer_sequence<int, Level...>, std::integer_sequence<int, W...> wide) {
  using statements = typename one_pass<P, Loop>::statements;
  (run_level_once<P, Loop, Level, OneChunk, Partial>(held, c, at, statements()), ...);
  if constexpr (OneChunk && own_softmax<P, Loop>::exists) take_total<P, Loop, full_lanes<P>, Partial>(held, at);
  if constexpr (sizeof...(W) > 0) take_register<P, Loop, Partial>(sums, c, at, wide);
}

// ---- a chunk ----

template <class P, int Loop, int L, bool OneChunk, class Values, class Results>
struct narrow_registers : group_registers<P, L, Values, Results>, softmax_total<P, Loop, L, OneChunk> {};

template <class P, int Loop, int K, bool OneChunk>
STG_INLINE void fill_before(const row_context& c, std::int64_t edges) {
  constexpr pass::planned_value v = P::plan.loop_statements[K];
  if constexpr ((v.in_one_chunk || !OneChunk) && one_pass<P, Loop>::template comes_before<K>())
    fill_rows<P, Loop, v.at, place_of_value(Loop, v, false, K)>(c, edges);
}

template <class P, int Loop, bool OneChunk, int... V, int... R, int... W, int... K>
STG_INLINE void run_chunk_once(const row_context& c, std::int64_t edges, bool first, std::integer_sequence<int, V...>,
                               std::integer_sequence<int, R...>, std::integer_sequence<int, W...> wide,
                               std::integer_sequence<int, K...>) {
  using loop = one_pass<P, Loop>;
  constexpr int L = full_lanes<P>;
  constexpr auto levels = std::make_integer_sequence<int, levels_of<P, Loop>()>();
  constexpr bool divides = OneChunk && own_softmax<P, Loop>::exists;
  (fill_before<P, Loop, loop::loop.first_statement + K, OneChunk>(c, edges), ...);
  narrow_registers<P, Loop, L, OneChunk, std::integer_sequence<int, V...>, std::integer_sequence<int, R...>> held;
  (begin_result<P, R, L>(held), ...);
  if constexpr (divides) splat<held.type, L>(held.total, {});
  const auto put_narrow = [&]() __attribute__((always_inline)) {
    using narrow = group<P, Loop, 0, loop::width, OneChunk>;  // of whichever level: results have their entries
    (put_result<P, Loop, narrow, R, L>(held, c, edges, 0, first), ...);
  };
  register_position at{0, 0, edges - 1};
  for (std::int64_t begin = 0; begin < edges; begin += most_added) {
    const std::int64_t end = sizeof...(W) > 0 ? smaller(edges, begin + most_added) : edges;
    wide_results<P, Loop, std::integer_sequence<int, W...>> sums;  // (results, features) in registers
    (begin_wide<P, Loop, W>(sums), ...);
    for (; at.j + loop::edges <= end; at.j += loop::edges)
      run_once<P, Loop, OneChunk, false>(held, sums, c, at, levels, wide);
    if (loop::edges > 1 && at.j < end) run_once<P, Loop, OneChunk, true>(held, sums, c, at, levels, wide);
    const bool begins = first && begin == 0;
    if (!divides || end < edges) {
      (put_wide<P, Loop, W, false>(sums, c, begins, end), ...);
    } else if constexpr (divides) {
      put_narrow();
      const auto put_all = [&]() __attribute__((always_inline)) {
        (put_wide<P, Loop, W, true>(sums, c, begins, end), ...);
      };
      divide_all<P, Loop, L>(held, c, put_all, std::integer_sequence<int, R...>());
      return;
    }
    if (end == edges) break;
  }
  put_narrow();
}

template <class Entries, int... W> constexpr auto wide_of(std::integer_sequence<int, W...>) {
  return std::integer_sequence<int, Entries::wide.at[W]...>();
}

/// All edges of the chunk, combined with the chunks before.
template <class P, int Loop, bool OneChunk>
STG_INLINE void run_one_pass(const row_context& c, std::int64_t edges, bool first) {
  using loop = one_pass<P, Loop>;
  using entries = typename loop::template entries<OneChunk>;
  run_chunk_once<P, Loop, OneChunk>(
      c, edges, first, values_of<entries>(std::make_integer_sequence<int, entries::values.count>()),
      results_of<entries>(std::make_integer_sequence<int, entries::results.count>()),
      wide_of<entries>(std::make_integer_sequence<int, entries::wide.count>()), typename loop::statements());
}

}  // namespace stg::cpu::detail
