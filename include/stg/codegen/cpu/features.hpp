// Along the feature axes of one row: reductions, concat, slice, pad, pick, transpose.
#pragma once

#include <cstdint>  // int64_t

#include <stg/base/lowest.hpp>           // finite_or_zero, lowest
#include <stg/base/math.hpp>             // functions
#include <stg/codegen/cpu/dots.hpp>      // folded_sum, fold_last_axes
#include <stg/codegen/cpu/evaluate.hpp>  // evaluate
#include <stg/codegen/cpu/rows.hpp>      // write_row
#include <stg/codegen/plan_data.hpp>     // extent_of
#include <stg/codegen/reduced_axes.hpp>  // for_each_reduced

namespace stg::cpu {

namespace detail {

// How a reduction along the last axes takes in a register and finishes.
template <scalar_type S> struct adding {
  using T = element_t<S>;
  static constexpr T begin = T{};
  template <int L> STG_INLINE void take(lanes_t<S, L>& sum, const lanes_t<S, L>& x) const { sum += x; }
  template <int L> STG_INLINE static T total(const lanes_t<S, L>& r) { return sum_of_lanes<S, L>(r); }
  STG_INLINE static T combined(T a, T b) { return a + b; }
};
template <scalar_type S> struct taking_max {
  using T = element_t<S>;
  static constexpr T begin = lowest<T>();
  template <int L> STG_INLINE void take(lanes_t<S, L>& most, const lanes_t<S, L>& x) const {
    most = most < x ? x : most;
  }
  template <int L> STG_INLINE static T total(const lanes_t<S, L>& r) { return max_of_lanes<S, L>(r); }
  STG_INLINE static T combined(T a, T b) { return a < b ? b : a; }
};
template <scalar_type S> struct adding_exponentials {
  using T = element_t<S>;
  static constexpr T begin = T{};
  T shift;
  template <int L> STG_INLINE void take(lanes_t<S, L>& sum, const lanes_t<S, L>& x) const {
    lanes_t<S, L> e;
    splat<S, L>(e, shift);
    sum += math::functions<lanes_t<S, L>>::exp(x - e);
  }
  template <int L> STG_INLINE static T total(const lanes_t<S, L>& r) { return sum_of_lanes<S, L>(r); }
  STG_INLINE static T combined(T a, T b) { return a + b; }
};

template <class P, int Loop, class Nest, int X, int L, class How>
STG_INLINE element<P, X> reduce_rest(const How& how, const row_context& c, position at, std::int64_t inner) {
  constexpr scalar_type S = P::program.statements[X].type;
  element<P, X> total = How::begin;
  if constexpr (may_leave<Nest, L>) {
    if (inner & L) {
      lanes_t<S, L> r, x;
      splat<S, L>(r, How::begin);
      evaluate<P, Loop, Nest, X, L>(x, c, at);
      how.template take<L>(r, x);
      total = How::template total<L>(r);
      at.i += L;
    }
  }
  if constexpr (L > 1) total = How::combined(total, reduce_rest<P, Loop, Nest, X, L / 2>(how, c, at, inner));
  return total;
}

/// One outer index of a reduction over the inner loop of value X.
template <class P, int Loop, class Nest, int X, class How>
STG_INLINE element<P, X> reduce_inner(const How& how, const row_context& c, position at, std::int64_t inner) {
  constexpr scalar_type S = P::program.statements[X].type;
  constexpr int L = full_lanes<P>;
  if constexpr (may_be_short<Nest, L> && sizeof(element<P, X>) == 4) {
    if (inner < L) {
      lanes_t<S, L> r, x;
      splat<S, L>(r, How::begin);
      const lane_mask lanes = first_lanes(inner);
      evaluate<P, Loop, short_nest<Nest>, X, L>(x, c, {at.j, 0, 0, lanes});
      how.template take<L>(r, x);
      keep_lanes<S, L>(r, lanes, How::begin);
      return How::template total<L>(r);
    }
  }
  element<P, X> total = How::begin;
  if constexpr (may_fill<Nest, L>) {
    if (inner >= L) {
      lanes_t<S, L> r, x;
      splat<S, L>(r, How::begin);
      for (; at.i + L <= inner; at.i += L) {
        evaluate<P, Loop, Nest, X, L>(x, c, at);
        how.template take<L>(r, x);
      }
      total = How::template total<L>(r);
    }
  }
  if constexpr (L > 1) total = How::combined(total, reduce_rest<P, Loop, Nest, X, L / 2>(how, c, at, inner));
  return total;
}

/// A reduction over the last axes: in registers.
template <class P, int Loop, int I>
STG_INLINE void reduce_last_axes(element<P, I>* to, const row_context& c, std::int64_t j) {
  constexpr ir::statement s = P::program.statements[I];
  constexpr int X = s.operands[0];
  constexpr ir::shape dims = P::program.statements[X].dims;
  constexpr int reduced = pass::reduced_last_axes(s, dims);
  constexpr int alike = is_joined<P, Loop>(X) ? inner_axes<P, Loop>(dims, X) : dims.rank;
  using Nest = nest<P, X, (alike < reduced ? alike : reduced)>;
  const std::int64_t outer = Nest::outer(c.call), inner = Nest::inner(c.call);
  const std::int64_t per_result = outer / width<P, I>(c.call);  // outer indices that fall into one result
  for (std::int64_t o = 0, k = 0; o < outer; ++k) {
    element<P, I> total{};
    for (std::int64_t end = o + per_result, first = o; o < end; ++o) {
      const position at{j, o, 0};
      if constexpr (s.code == ir::opcode::reduce_sum) {
        total += reduce_inner<P, Loop, Nest, X>(adding<s.type>(), c, at, inner);
      } else if constexpr (s.code == ir::opcode::reduce_max) {
        const auto most = reduce_inner<P, Loop, Nest, X>(taking_max<s.type>(), c, at, inner);
        total = o == first || total < most ? most : total;
      } else {
        static_assert(Nest::outer_axes + reduced == dims.rank, "stg internal: top_share reads a row in one piece");
        const auto most = reduce_inner<P, Loop, Nest, X>(taking_max<s.type>(), c, at, inner);
        const adding_exponentials<s.type> how{finite_or_zero(most)};
        total = 1 / reduce_inner<P, Loop, Nest, X>(how, c, at, inner);
      }
    }
    to[k] = total;
  }
}

/// A reduction over any axes of a row in memory: element by element, each added where it belongs.
template <class P, int Loop, int I, class Take>
STG_INLINE void for_each_reduced(const row_context& c, std::int64_t j, Take take) {
  constexpr ir::statement s = P::program.statements[I];
  constexpr int X = s.operands[0];
  constexpr ir::shape dims = P::program.statements[X].dims;
  const auto* from = row_of<P, Loop, X>(c, j);
  std::int64_t extents[ir::shape::max_rank];
  for (int a = 0; a < dims.rank; ++a) extents[a] = extent_of(dims.axes[a].code, c.call.extents);
  codegen::for_each_reduced(
      extents, dims.rank,
      s.axes(), [&](std::int64_t at, std::int64_t k) __attribute__((always_inline)) { take(at, from[k]); });
}

template <class P, int Loop, int I>
STG_INLINE void reduce_any_axes(element<P, I>* to, const row_context& c, std::int64_t j) {
  constexpr ir::statement s = P::program.statements[I];
  using T = element<P, I>;
  const std::int64_t n = width<P, I>(c.call);
  if constexpr (s.code == ir::opcode::reduce_sum) {
    for (std::int64_t k = 0; k < n; ++k) to[k] = T{};
    for_each_reduced<P, Loop, I>(c, j, [to](std::int64_t k, T x) { to[k] += x; });
  } else {
    for (std::int64_t k = 0; k < n; ++k) to[k] = lowest<T>();
    for_each_reduced<P, Loop, I>(c, j, [to](std::int64_t k, T x) { to[k] = to[k] < x ? x : to[k]; });
  }
  if constexpr (s.code == ir::opcode::reduce_top_share) {  // per result: its own shift
    T* const sums = reinterpret_cast<T*>(c.scratch + c.offsets[P::program.size + I]);
    for (std::int64_t k = 0; k < n; ++k) sums[k] = T{};
    for_each_reduced<P, Loop, I>(
        c, j, [to, sums](std::int64_t k, T x) { sums[k] += math::functions<T>::exp(x - finite_or_zero(to[k])); });
    for (std::int64_t k = 0; k < n; ++k) to[k] = 1 / sums[k];
  }
}

/// n elements, a register at a time: a plain loop would ask whether the two overlap, and go one by one.
template <scalar_type S, int L> STG_INLINE void copy_run(element_t<S>* to, const element_t<S>* from, std::int64_t n) {
  for (; n >= L; n -= L, to += L, from += L) {
    lanes_t<S, L> r;
    load<S, L>(r, from);
    store<S, L>(to, r);
  }
  if constexpr (L > 1) copy_run<S, L / 2>(to, from, n);
}

/// concat, slice and pad move runs of the axis and everything to its right.
template <class P, int Loop, int I>
STG_INLINE void move_parts(element<P, I>* to, const row_context& c, std::int64_t j) {
  constexpr ir::statement s = P::program.statements[I];
  using T = element<P, I>;
  const std::int64_t outer = axes_product<P, I, 0, s.part_axis()>(c.call);
  const std::int64_t run = axes_product<P, I, s.part_axis() + 1, s.dims.rank>(c.call);
  constexpr int X = s.operands[0];
  const T* from = row_of<P, Loop, X>(c, j);
  const std::int64_t mine = extent_value<s.dims.axes[s.part_axis()].code>(c.call) * run;
  const std::int64_t theirs = extent_value<P::program.statements[X].dims.axes[s.part_axis()].code>(c.call) * run;
  const auto copy = [](T * into, const T* source, std::int64_t n) __attribute__((always_inline)) {
    copy_run<s.type, full_lanes<P>>(into, source, n);
  };
  if constexpr (s.code == ir::opcode::concat) {
    const T* second = row_of<P, Loop, s.operands[1]>(c, j);
    for (std::int64_t o = 0; o < outer; ++o) {
      copy(to + o * mine, from + o * theirs, theirs);
      copy(to + o * mine + theirs, second + o * (mine - theirs), mine - theirs);
    }
  } else {
    const std::int64_t begin = extent_value<s.beginning().code>(c.call) * run;
    for (std::int64_t o = 0; o < outer; ++o) {
      if constexpr (s.code == ir::opcode::slice) {
        copy(to + o * mine, from + o * theirs + begin, mine);
      } else {
        for (std::int64_t k = 0; k < mine; ++k) to[o * mine + k] = T{};
        copy(to + o * mine + begin, from + o * theirs, theirs);
      }
    }
  }
}

/// pick copies one entry of the first axis, put sets one and the others to 0.
template <class P, int Loop, int I>
STG_INLINE void move_entry(element<P, I>* to, const row_context& c, std::int64_t j) {
  constexpr ir::statement s = P::program.statements[I];
  constexpr int X = s.operands[0];
  using T = element<P, I>;
  const T* const from = row_of<P, Loop, X>(c, j);
  const std::int64_t entry = *row_of<P, Loop, s.operands[1]>(c, j);
  const std::int64_t mine = width<P, I>(c.call), theirs = width<P, X>(c.call);
  if constexpr (s.code == ir::opcode::pick) {
    const bool inside = entry >= 0 && entry < extent_value<P::program.statements[X].dims.axes[0].code>(c.call);
    for (std::int64_t k = 0; k < mine; ++k) to[k] = inside ? from[entry * mine + k] : T{};
  } else {
    for (std::int64_t k = 0; k < mine; ++k) to[k] = T{};
    if (entry < 0 || entry >= extent_value<s.dims.axes[0].code>(c.call)) return;
    for (std::int64_t k = 0; k < theirs; ++k) to[entry * theirs + k] = from[k];
  }
}

/// Two axes A < B change places: blocks of what is to the right of B.
template <class P, int Loop, int I> STG_INLINE void move_axes(element<P, I>* to, const row_context& c, std::int64_t j) {
  constexpr ir::statement s = P::program.statements[I];
  constexpr int one = s.swapped_axis(), other = s.other_axis();
  constexpr int A = one < other ? one : other, B = one < other ? other : one;
  constexpr int X = s.operands[0];
  const element<P, I>* const from = row_of<P, Loop, X>(c, j);
  const std::int64_t outer = axes_product<P, I, 0, A>(c.call), run = axes_product<P, I, B + 1, s.dims.rank>(c.call);
  const std::int64_t a = extent_value<s.dims.axes[A].code>(c.call), b = extent_value<s.dims.axes[B].code>(c.call);
  const std::int64_t between = A < B ? axes_product<P, I, A + 1, B>(c.call) : 1;
  if constexpr (A == B) {
    for (std::int64_t k = 0; k < width<P, I>(c.call); ++k) to[k] = from[k];
    return;
  }
  for (std::int64_t o = 0; o < outer; ++o)
    for (std::int64_t i = 0; i < a; ++i)
      for (std::int64_t m = 0; m < between; ++m)
        for (std::int64_t k = 0; k < b; ++k)
          for (std::int64_t f = 0; f < run; ++f)
            to[(((o * a + i) * between + m) * b + k) * run + f] = from[(((o * b + k) * between + m) * a + i) * run + f];
}

}  // namespace detail

/// Computes a feature statement for one row (of edge j, in a loop).
template <class P, int Loop, int I>
STG_INLINE void write_feature(element<P, I>* to, const row_context& c, std::int64_t j) {
  using enum ir::opcode;
  constexpr ir::statement s = P::program.statements[I];
  constexpr ir::opcode code = s.code;
  if constexpr (code == reduce_sum || code == reduce_max || code == reduce_top_share) {
    if constexpr (detail::folded_sum<P, Loop, I>::serves) detail::fold_last_axes<P, Loop, I>(to, c, j);
    else if constexpr (pass::reduced_last_axes(s, P::program.statements[s.operands[0]].dims) > 0)
      detail::reduce_last_axes<P, Loop, I>(to, c, j);
    else detail::reduce_any_axes<P, Loop, I>(to, c, j);
  } else if constexpr (code == pick || code == put) {
    detail::move_entry<P, Loop, I>(to, c, j);
  } else if constexpr (code == transpose) {
    detail::move_axes<P, Loop, I>(to, c, j);
  } else {
    detail::move_parts<P, Loop, I>(to, c, j);
  }
}

}  // namespace stg::cpu
