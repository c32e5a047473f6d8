// Sums and maxima over edges of values with many features: a block of the result stays in registers over all edges of
// the chunk, whatever its width.
#pragma once

#include <cstdint>  // int64_t
#include <utility>  // integer_sequence

#include <stg/base/larger.hpp>              // smaller
#include <stg/codegen/cpu/aggregate.hpp>    // aggregate_of
#include <stg/codegen/cpu/dots.hpp>         // even_lanes
#include <stg/codegen/cpu/evaluate.hpp>     // evaluate
#include <stg/codegen/cpu/past_caches.hpp>  // may_pass_caches, store_past_caches
#include <stg/codegen/cpu/prefetch.hpp>     // prefetch_next, unit_of_loop

namespace stg::cpu {

namespace detail {

// ---- blocks: N registers over all edges ----

template <class P, int Loop, int Entry> struct wide_aggregate;

/// Registers along the inner loop of outer index o, from element i on; aligned if every such loop is whole cache lines.
/// Registers past the end of the row end with it and overlap: one block serves all lengths up to its own.
template <class P, int Loop, int Entry, class Nest, int L, int N, bool Overlaps> struct along_features {
  static constexpr int loop = Loop, entry = Entry;
  static constexpr bool is_aligned =
      wide_aggregate<P, Loop, Entry>::inner > 0 &&
      wide_aggregate<P, Loop, Entry>::inner* bytes_of(P::program.statements[wide_aggregate<P, Loop, Entry>::A].type) %
              64 ==
          0;
  std::int64_t o, i, inner;
  STG_INLINE bool is_first() const { return o == 0 && i == 0; }
  template <int K> STG_INLINE std::int64_t element() const {
    return Overlaps && i + K * L > inner - L ? inner - L : i + K * L;
  }
  template <int K> STG_INLINE std::int64_t at() const { return o * inner + element<K>(); }
  template <int X, int K>
  STG_INLINE void get(lanes_t<P::program.statements[X].type, L>& r, const row_context& c, std::int64_t j) const {
    evaluate<P, Loop, Nest, X, L>(r, c, {j, o, element<K>()});
  }
};

/// Registers of several outer indices from o on, PerOuter of each: heads whose features are whole registers.
template <class P, int Loop, int Entry, class Nest, int L, int PerOuter> struct along_heads {
  static constexpr int loop = Loop, entry = Entry;
  static constexpr bool is_aligned = true;
  std::int64_t o;
  STG_INLINE bool is_first() const { return o == 0; }
  template <int K> STG_INLINE std::int64_t at() const { return (o * PerOuter + K) * L; }
  template <int X, int K>
  STG_INLINE void get(lanes_t<P::program.statements[X].type, L>& r, const row_context& c, std::int64_t j) const {
    evaluate<P, Loop, Nest, X, L>(r, c, {j, o + K / PerOuter, K % PerOuter * L});
  }
};

/// Registers of several heads each. Operands with one number per head are spread over its features. Edge: its number in
/// a register of edges; their numbers per head are then read all at once.
template <class P, int Loop, int Entry, int Dims, int Outer, int L, int Edge> struct packed_heads {
  static constexpr int loop = Loop, entry = Entry;
  static constexpr bool is_aligned = true;
  STG_INLINE bool is_first() const { return true; }
  template <int K> STG_INLINE std::int64_t at() const { return K * L; }
  template <int X, int K>
  STG_INLINE void get(lanes_t<P::program.statements[X].type, L>& r, const row_context& c, std::int64_t j) const {
    evaluate<P, Loop, packed_nest<P, Dims, Outer, L, K, Edge>, X, L>(r, c, {j, 0, K * L});
  }
};

/// The one register of a row that is shorter.
template <class P, int Loop, int Entry, class Nest, int L> struct short_row {
  static constexpr int loop = Loop, entry = Entry;
  static constexpr bool is_aligned = false;
  lane_mask lanes;
  STG_INLINE bool is_first() const { return true; }
  template <int K> STG_INLINE std::int64_t at() const { return 0; }
  template <int X, int K>
  STG_INLINE void get(lanes_t<P::program.statements[X].type, L>& r, const row_context& c, std::int64_t j) const {
    evaluate<P, Loop, short_nest<Nest>, X, L>(r, c, {j, 0, 0, lanes});
  }
};
template <class Where> inline constexpr bool is_short_row = false;
template <class P, int Loop, int Entry, class Nest, int L>
inline constexpr bool is_short_row<short_row<P, Loop, Entry, Nest, L>> = true;

/// A block of a chunk combined with the block of the chunks before, all of it before any is stored: overlapping
/// registers would count common elements twice.
template <class P, int A, int L, class Where, int... K>
STG_INLINE void join_block(const element<P, A>* to, lanes_t<P::program.statements[A].type, L> (&r)[sizeof...(K)],
                           const Where& where, std::integer_sequence<int, K...>) {
  using agg = aggregate_of<P, A>;
  lanes_t<agg::type, L> before;
  if constexpr (is_short_row<Where> && !is_in_scratch<P, no_loop, A>()) {
    load_masked<agg::type, L>(before, to, where.lanes);
    agg::template take<L>(r[0], before);
  } else {
    ((load<agg::type, L>(before, to + where.template at<K>()), agg::template take<L>(r[K], before)), ...);
  }
}

/// `taken`: the number of the row's first edges in the block, with no later ones; 0: others.
template <class P, int A, int L, class Where, int... K>
STG_INLINE void store_block(element<P, A>* to, const lanes_t<P::program.statements[A].type, L> (&r)[sizeof...(K)],
                            const row_context& c, [[maybe_unused]] std::int64_t taken, const Where& where,
                            std::integer_sequence<int, K...>) {
  constexpr scalar_type S = P::program.statements[A].type;
  if constexpr (is_short_row<Where>) return store_short<P, no_loop, A, L>(to, r[0], where.lanes);
  constexpr int unit = unit_of_loop<P, Where::loop>();
  constexpr bool whole_lines = Where::is_aligned && L * sizeof(element_t<S>) == P::vector_bytes && sizeof(r) % 64 == 0;
  if constexpr (whole_lines && may_pass_caches<P>(unit, Where::entry)) {
    if ((c.past_caches >> (Where::entry - results_of<P>(unit).first) & 1) != 0 && taken == c.edges.degree(c.row))
      return (store_past_caches<S, L>(to + where.template at<K>(), r[K]), ...);
  }
  (store<S, L>(to + where.template at<K>(), r[K]), ...);
}

/// Edges added up one after the other: few enough to lose few digits.
inline constexpr std::int64_t most_added = 256;

/// Takes edge j of the chunk into the registers of a block.
template <class P, int A, int L, class Where, int... K>
STG_INLINE void take_edge(lanes_t<P::program.statements[A].type, L> (&r)[sizeof...(K)], const row_context& c,
                          std::int64_t j, const Where& where, std::integer_sequence<int, K...>) {
  using agg = aggregate_of<P, A>;
  lanes_t<agg::type, L> x;
  ((where.template get<agg::message, K>(x, c, j), agg::template take<L>(r[K], x)), ...);
}

template <class P, int A, int L, class Where, int... K>
STG_INLINE void take_block(element<P, A>* to, const row_context& c, std::int64_t edges, bool first, const Where& where,
                           std::integer_sequence<int, K...> registers) {
  using agg = aggregate_of<P, A>;
  const bool is_first = where.is_first();  // of the row's blocks
  for (std::int64_t j = 0; j < edges;) {
    lanes_t<agg::type, L> r[sizeof...(K)];  // (registers, L): features of the block
    (splat<agg::type, L>(r[K], agg::begin), ...);
    const std::int64_t begin = j, end = edges - j < most_added ? edges : j + most_added;
    for (; j < end; ++j) {
      if (is_first) prefetch_next<P, Where::loop, place_of_result(Where::loop, Where::entry)>(c, j);
      take_edge<P, A, L>(r, c, j, where, registers);
    }
    const bool begins = first && begin == 0;
    if (!begins) join_block<P, A, L>(to, r, where, registers);
    store_block<P, A, L>(to, r, c, begins ? end : 0, where, registers);
  }
}

// ---- cutting a row into blocks ----

/// Entry: of the aggregate among loop_results.
template <class P, int Loop, int Entry> struct wide_aggregate {
  static constexpr int A = P::plan.loop_results[Entry].at;
  static constexpr int message = P::program.statements[A].operands[0];
  static constexpr ir::shape dims = P::program.statements[message].dims;
  /// Trailing axes that are one loop for the message, and for the top_share that divides the sum.
  static constexpr int inner_axes = [] {
    constexpr int of_message = dims.rank - consuming<P, Loop, message>::outer_axes;
    constexpr int lse = P::plan.loop_results[Entry].over;
    if constexpr (lse < 0) return of_message;
    else return smaller(of_message, alike(dims, P::program.statements[lse].dims));
  }();
  using loops = nest<P, message, inner_axes>;
  static constexpr bool is_static = dims.is_static() && dims.size() > 0;
  static constexpr std::int64_t outer = known_product(dims, 0, loops::outer_axes);
  static constexpr std::int64_t inner = is_static ? dims.size() / outer : 0;
  static constexpr int registers = P::block_registers;

  /// Heads narrower than a register, a few of which fill one.
  static constexpr bool is_packed =
      is_static && outer > 1 && inner < full_lanes<P>&& outer <= full_lanes<P> && (outer & (outer - 1)) == 0 &&
      (inner & (inner - 1)) == 0 && dims.size() % full_lanes<P> == 0 &&
      dims.size() <= registers* full_lanes<P>&& fits_packed<P, Loop>(message, message, static_cast<int>(outer));
  /// Heads of whole registers.
  static constexpr int lanes = is_static ? even_lanes(inner, full_lanes<P>) : 1;
  static constexpr bool is_by_heads = is_static && outer > 1 && lanes > 1 && inner / lanes <= registers;
};

/// Lanes of the widest register that is not longer than a row.
template <class P> constexpr int lanes_within(std::int64_t inner) {
  int lanes = full_lanes<P>;
  while (lanes > inner) lanes /= 2;
  return lanes;
}

/// The block with a whole aggregate in registers, if there is one: how many, and the content of each.
template <class P, int Loop, int Entry> struct single_block {
  using wide = wide_aggregate<P, Loop, Entry>;
  static constexpr int per_head = wide::is_by_heads ? static_cast<int>(wide::inner / wide::lanes) : 0;
  /// A row of unknown length; one block serves all lengths that its registers may have.
  static constexpr bool is_unknown = !wide::is_static && wide::outer == 1 && P::unknown_row_registers > 0;
  static constexpr int lanes = wide::is_packed || is_unknown         ? full_lanes<P>
                               : wide::is_by_heads                   ? wide::lanes
                               : wide::is_static && wide::outer == 1 ? lanes_within<P>(wide::inner)
                                                                     : 1;
  static constexpr std::int64_t count = is_unknown        ? P::unknown_row_registers
                                        : wide::is_static ? (wide::dims.size() + lanes - 1) / lanes
                                                          : wide::registers + 1;
  static constexpr bool exists = count <= wide::registers && (wide::is_packed || wide::is_by_heads || wide::outer == 1);
  static constexpr int registers = exists ? static_cast<int>(count) : 0;
  static constexpr bool overlaps =
      exists && !wide::is_packed && !wide::is_by_heads && (is_unknown || wide::inner % lanes != 0);

  template <int Edge> STG_INLINE static auto where([[maybe_unused]] const launch& l) {
    if constexpr (wide::is_packed) return packed_heads<P, Loop, Entry, wide::message, int(wide::outer), lanes, Edge>{};
    else if constexpr (wide::is_by_heads) return along_heads<P, Loop, Entry, typename wide::loops, lanes, per_head>{0};
    else
      return along_features<P, Loop, Entry, typename wide::loops, lanes, registers, overlaps>{0, 0,
                                                                                              wide::loops::inner(l)};
  }
};

template <class P, int Loop, int Entry, int N, bool Overlaps, int L>
STG_INLINE void take_features(element<P, P::plan.loop_results[Entry].at>* to, const row_context& c, std::int64_t edges,
                              bool first, std::int64_t o, std::int64_t i, std::int64_t inner) {
  using where = along_features<P, Loop, Entry, typename wide_aggregate<P, Loop, Entry>::loops, L, N, Overlaps>;
  take_block<P, P::plan.loop_results[Entry].at, L>(to, c, edges, first, where{o, i, inner},
                                                   std::make_integer_sequence<int, N>());
}

/// The last `left` registers of a row, by the smallest of a few blocks that has as many.
template <class P, int Loop, int Entry, int N, int L>
STG_INLINE void take_last(element<P, P::plan.loop_results[Entry].at>* to, const row_context& c, std::int64_t edges,
                          bool first, std::int64_t o, std::int64_t i, std::int64_t inner) {
  if constexpr (N > 1 && L == full_lanes<P>)
    if (i + N / 2 * L >= inner) return take_last<P, Loop, Entry, N / 2, L>(to, c, edges, first, o, i, inner);
  take_features<P, Loop, Entry, N, true, L>(to, c, edges, first, o, i, inner);
}

/// A row of any length: full registers, or the widest that fit.
template <class P, int Loop, int Entry, int L>
STG_INLINE void take_row(element<P, P::plan.loop_results[Entry].at>* to, const row_context& c, std::int64_t edges,
                         bool first, std::int64_t o, std::int64_t inner) {
  if (inner >= L) {
    constexpr int most = L == full_lanes<P> ? 8 : L == 1 ? 1 : 2;
    std::int64_t i = 0;
    if constexpr (L == full_lanes<P>) {  // the last block overlaps with itself alone: a whole register is left for it
      for (; i + (most + 1) * L <= inner; i += most * L)
        take_features<P, Loop, Entry, most, false, L>(to, c, edges, first, o, i, inner);
      if (i + most * L < inner) {
        take_features<P, Loop, Entry, most / 2, false, L>(to, c, edges, first, o, i, inner);
        i += most / 2 * L;
      }
    }
    take_last<P, Loop, Entry, most, L>(to, c, edges, first, o, i, inner);
  } else if constexpr (L > 1) {
    take_row<P, Loop, Entry, L / 2>(to, c, edges, first, o, inner);
  }
}

/// A row of known length: as few blocks as registers allow.
template <class P, int Loop, int Entry, std::int64_t Inner>
STG_INLINE void take_known_row(element<P, P::plan.loop_results[Entry].at>* to, const row_context& c, std::int64_t edges,
                               bool first, std::int64_t o) {
  constexpr int L = lanes_within<P>(Inner);
  constexpr int most = wide_aggregate<P, Loop, Entry>::registers;
  constexpr bool rest = Inner % L != 0;
  constexpr std::int64_t all = (Inner + L - 1) / L, even = (all - 1) / most * most;
  constexpr std::int64_t whole = rest && even > 0 && all - even == 1 ? even - most : even;  // in full blocks
  for (std::int64_t i = 0; i < whole * L; i += most * L)
    take_features<P, Loop, Entry, most, false, L>(to, c, edges, first, o, i, Inner);
  take_features<P, Loop, Entry, static_cast<int>(all - whole), rest, L>(to, c, edges, first, o, whole * L, Inner);
}

}  // namespace detail

/// Takes an aggregate over the edges of the chunk, combined with the chunks before.
template <class P, int Loop, int Entry>
STG_INLINE void take_edges(const row_context& c, std::int64_t edges, bool first) {
  using wide = detail::wide_aggregate<P, Loop, Entry>;
  using block = detail::single_block<P, Loop, Entry>;
  element<P, wide::A>* const to = row_of<P, no_loop, wide::A>(c, 0);
  if constexpr (block::exists) {
    detail::take_block<P, wide::A, block::lanes>(to, c, edges, first, block::template where<-1>(c.call),
                                                 std::make_integer_sequence<int, block::registers>());
  } else if constexpr (wide::is_by_heads) {
    constexpr int per_head = block::per_head, at_once = wide::registers / per_head;
    using where = detail::along_heads<P, Loop, Entry, typename wide::loops, wide::lanes, per_head>;
    std::int64_t o = 0;
    for (; o + at_once <= wide::outer; o += at_once)
      detail::take_block<P, wide::A, wide::lanes>(to, c, edges, first, where{o},
                                                  std::make_integer_sequence<int, at_once * per_head>());
    for (; o < wide::outer; ++o)
      detail::take_block<P, wide::A, wide::lanes>(to, c, edges, first, where{o},
                                                  std::make_integer_sequence<int, per_head>());
  } else if constexpr (wide::is_static) {
    for (std::int64_t o = 0; o < wide::outer; ++o)
      detail::take_known_row<P, Loop, Entry, wide::inner>(to, c, edges, first, o);
  } else {
    constexpr int L = full_lanes<P>;
    const std::int64_t outer = wide::loops::outer(c.call), inner = wide::loops::inner(c.call);
    if constexpr (may_be_short<typename wide::loops, L>) {
      using where = detail::short_row<P, Loop, Entry, typename wide::loops, L>;
      if (inner < L)
        return detail::take_block<P, wide::A, L>(to, c, edges, first, where{first_lanes(inner)},
                                                 std::make_integer_sequence<int, 1>());
    }
    for (std::int64_t o = 0; o < outer; ++o) detail::take_row<P, Loop, Entry, L>(to, c, edges, first, o, inner);
  }
}

}  // namespace stg::cpu
