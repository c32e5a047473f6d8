// Sums, products and maxima over edges: what they begin with and how they take in a register.
#pragma once

#include <stg/codegen/cpu/context.hpp>  // P, statement
#include <stg/codegen/cpu/lanes.hpp>    // lanes_t, load, store
#include <stg/op/list.hpp>              // of_code_t

namespace stg::cpu::detail {

/// Aggregate A of program P. Of a top_share it is the maximum of its scores, which comes first (softmax.hpp).
template <class P, int A> struct aggregate_of {
  static constexpr ir::statement s = P::program.statements[A];
  static constexpr int message = s.operands[0];
  static constexpr scalar_type type = s.type;
  using T = element_t<type>;
  using How = op::of_code_t<s.code == ir::opcode::top_share_edges ? ir::opcode::max_edges : s.code>;
  static constexpr T begin = How::template neutral<T>();

  template <int L> STG_INLINE static void take(lanes_t<type, L>& r, const lanes_t<type, L>& x) { r = How::apply(r, x); }
};

/// A sum that is no statement of the program.
template <scalar_type S> struct sum_of {
  using T = element_t<S>;
  static constexpr scalar_type type = S;
  template <int L> STG_INLINE static void take(lanes_t<S, L>& r, const lanes_t<S, L>& x) { r += x; }
};

/// Stores a register of a chunk, combined with that of the chunks before. Chunks are summed separately, so that the
/// rounding of a hub's sum grows with the edges of a chunk and the number of chunks, not with their product.
template <class Aggregate, int L>
STG_INLINE void put_register(typename Aggregate::T* at, lanes_t<Aggregate::type, L>& r, bool first) {
  if (!first) {
    lanes_t<Aggregate::type, L> before;
    load<Aggregate::type, L>(before, at);
    Aggregate::template take<L>(r, before);
  }
  store<Aggregate::type, L>(at, r);
}

}  // namespace stg::cpu::detail
