// Loop nests over feature axes: trailing axes that all operands see alike are one inner loop, the others one outer
// loop.
#pragma once

#include <cstdint>  // int64_t

#include <stg/codegen/cpu/context.hpp>  // launch, is_joined
#include <stg/codegen/cpu/lanes.hpp>    // has_lane_masks

namespace stg::cpu {

namespace detail {

/// How many trailing axes of dims an operand either has in full or does not have at all.
constexpr int alike(const ir::shape& dims, const ir::shape& operand) {
  int equal = 0, ones = 0;
  while (equal < dims.rank && dims.from_right(equal) == operand.from_right(equal)) ++equal;
  while (ones < dims.rank && operand.from_right(ones).is_one()) ++ones;
  return equal > ones ? equal : ones;
}

/// The least over all operands of a statement, through values computed in place.
template <class P, int Loop> constexpr int inner_axes(const ir::shape& dims, int i) {
  const ir::statement& s = P::program.statements[i];
  int least = dims.rank;
  for (int k = 0; k < s.arity(); ++k) {
    const int x = s.operands[k];
    const int n = is_joined<P, Loop>(x) ? inner_axes<P, Loop>(dims, x) : alike(dims, P::program.statements[x].dims);
    if (n < least) least = n;
  }
  return least;
}

}  // namespace detail

/// The loop nest of statement Root: Dims names the statement whose shape it walks, Inner how many of its trailing axes
/// are the inner loop.
template <class P, int Dims, int Inner> struct nest {
  static constexpr ir::shape dims = P::program.statements[Dims].dims;
  static constexpr int outer_axes = dims.rank - Inner;

  static constexpr bool is_static = dims.is_static();
  static constexpr std::int64_t known_inner = known_product(dims, outer_axes, dims.rank);
  STG_INLINE static std::int64_t outer(const launch& l) { return axes_product<P, Dims, 0, outer_axes>(l); }
  STG_INLINE static std::int64_t inner(const launch& l) { return axes_product<P, Dims, outer_axes, dims.rank>(l); }

  /// Whether value I has the inner axes, or is one number along them.
  template <int I> static constexpr bool is_contiguous() {
    for (int k = 0; k < Inner; ++k)
      if (!(dims.from_right(k) == P::program.statements[I].dims.from_right(k))) return false;
    return true;
  }
  /// The beginning of outer index o in the row of value I.
  template <int I> STG_INLINE static std::int64_t offset(const launch& l, std::int64_t o) {
    if constexpr (outer_axes == 0) return 0;
    else return offset_from<I, outer_axes - 1>(l, o, inner_stride<I>(l));
  }

 private:
  template <int I> STG_INLINE static std::int64_t inner_stride(const launch& l) {
    if constexpr (is_contiguous<I>()) return inner(l);
    else return 1;
  }
  template <int I, int Axis>
  STG_INLINE static std::int64_t offset_from(const launch& l, std::int64_t o, std::int64_t stride) {
    if constexpr (Axis < 0) {
      return 0;
    } else {
      constexpr ir::extent mine = P::program.statements[I].dims.from_right(dims.rank - 1 - Axis);
      const std::int64_t e = extent_value<dims.axes[Axis].code>(l);
      const std::int64_t here = Axis == 0 ? o : o % e;
      if constexpr (mine.is_one()) return offset_from<I, Axis - 1>(l, Axis == 0 ? 0 : o / e, stride);
      else return here * stride + offset_from<I, Axis - 1>(l, Axis == 0 ? 0 : o / e, stride * e);
    }
  }
};

/// A nest of one inner loop that is shorter than a register: its elements are the first lanes of one.
template <class Nest> struct short_nest : Nest {};
template <class Nest> inline constexpr bool is_short_nest = false;
template <class Nest> inline constexpr bool is_short_nest<short_nest<Nest>> = true;

/// Whether a nest may be shorter than L lanes at run time, so that one register takes the place of all its halves.
template <class Nest, int L>
inline constexpr bool may_be_short = has_lane_masks<L>&& Nest::known_inner < 0 && Nest::outer_axes == 0;

/// Whether an inner loop may be as long as L lanes, and whether it may leave L over from longer registers: impossible
/// cases are not compiled.
template <class Nest, int L> inline constexpr bool may_fill = Nest::known_inner < 0 || Nest::known_inner >= L;
template <class Nest, int L> inline constexpr bool may_leave = Nest::known_inner < 0 || (Nest::known_inner & L) != 0;

/// The nest that computes a pointwise statement from its operands.
template <class P, int Loop, int I>
using computing = nest<P, I, detail::inner_axes<P, Loop>(P::program.statements[I].dims, I)>;

/// The nest that consumes a value whole: the nest of its computation if it is computed in place, else one loop.
template <class P, int Loop, int I>
using consuming = nest<P, I,
                       is_joined<P, Loop>(I) ? detail::inner_axes<P, Loop>(P::program.statements[I].dims, I)
                                             : P::program.statements[I].dims.rank>;

/// Register K of a row taken as one loop, L elements at a time: of its Outer indices each has L or fewer elements, and
/// operands have them in full, or one number for them. Edge: the row's number in a register of edges, or -1.
template <class P, int Dims, int Outer, int L, int K, int Edge> struct packed_nest {
  static constexpr ir::shape dims = P::program.statements[Dims].dims;
  static constexpr int outer_indices = Outer;
  static constexpr int edge = Edge;
  static constexpr int per_outer = static_cast<int>(dims.size()) / Outer;
  static constexpr int first = K * L;

  template <int I> static constexpr bool is_contiguous() { return P::program.statements[I].dims.size() == dims.size(); }
  /// One number per outer index.
  template <int I> static constexpr bool is_spread() {
    return !is_contiguous<I>() && P::program.statements[I].dims.size() == Outer;
  }
  template <int I> STG_INLINE static std::int64_t offset(const launch&, std::int64_t) { return 0; }
};
template <class Nest> inline constexpr bool is_packed_nest = false;
template <class P, int Dims, int Outer, int L, int K, int Edge>
inline constexpr bool is_packed_nest<packed_nest<P, Dims, Outer, L, K, Edge>> = true;

/// Whether packed_nest serves value i of the shape of Dims and all values computed in place for it.
template <class P, int Loop> constexpr bool fits_packed(int dims, int i, int outer) {
  const ir::statement& s = P::program.statements[i];
  const ir::shape& whole = P::program.statements[dims].dims;
  if (s.code == ir::opcode::iota) return false;
  if (is_joined<P, Loop>(i)) {
    for (int k = 0; k < s.arity(); ++k)
      if (!fits_packed<P, Loop>(dims, s.operands[k], outer)) return false;
    return true;
  }
  if (!s.dims.is_static()) return false;
  if (s.dims.size() == whole.size() || s.dims.size() == 1) return true;
  if (s.dims.size() != outer) return false;
  std::int64_t inner = whole.size() / outer;  // the operand has one number for the last axes
  for (int a = 0; inner > 1; ++a) {
    if (!s.dims.from_right(a).is_one()) return false;
    inner /= whole.from_right(a).code;
  }
  return inner == 1;
}

}  // namespace stg::cpu
