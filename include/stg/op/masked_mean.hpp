// Means of a value over its vertices or edges, or over the masked ones: the form of losses and norms.
#pragma once

#include <type_traits>  // is_same_v

#include <stg/dsl/build.hpp>      // operand_traits, seen_from
#include <stg/dsl/vertex.hpp>     // over_batch
#include <stg/op/arithmetic.hpp>  // operator/, max
#include <stg/op/compare.hpp>     // select, cast
#include <stg/op/feature.hpp>     // mean along an axis
#include <stg/op/reduction.hpp>   // all_edges
#include <stg/op/reshape.hpp>     // reshape

namespace stg::detail {

/// Mean over the features of a vertex or edge: one number.
template <class S, class Sh, scalar_type T> constexpr auto mean_of_row(expr<S, Sh, T> x) {
  if constexpr (Sh::rank == 0) return x;
  else if constexpr (elements(Sh()).fits()) return mean(reshape<canonical_extent<elements_of<Sh>>()>(x), axis<0>);
  else return mean_of_row(mean(x, axis<0>));
}
/// A mask that names nobody trains nothing: where it is an input, the call looks. One truth for the graph says whether
/// its loss counts at all.
template <class Mask> constexpr void names_a_vertex(Mask mask) {
  if (std::is_same_v<typename operand_traits<Mask>::where, space::graph>) return;
  tracer* t = mask.trace;
  for (const ir::value_id id : t->may_be_empty)
    if (id == mask.id) return;
  ir::label_range range;
  range.labels = mask.id;
  range.classes = ir::extent(1);
  t->check(range);
}
/// Sum over all that a value belongs to: vertices of the batch, edges, or the graph itself.
template <class S, class Sh, scalar_type T> constexpr auto sum_of_all(expr<S, Sh, T> x) {
  if constexpr (is_vertex<S>) return sum(x, over_batch);
  else if constexpr (is_edge<S>) return sum(x, all_edges);
  else return x;
}
/// Mean over all that a value belongs to, and over features: one number for the graph.
template <class S, class Sh, scalar_type T> constexpr auto mean_of_all(expr<S, Sh, T> x) {
  if constexpr (is_vertex<S>) return mean(mean_of_row(x), over_batch);
  else if constexpr (is_edge<S>) return mean(mean_of_row(x), all_edges);
  else return mean_of_row(x);
}
/// A value where the mask is set, 0 elsewhere: what is behind a mask, NaN and ∞ among it, is in no loss, and since it
/// is chosen before it is used, in no gradient either: 0 · NaN would be NaN. Without a mask the value as it is.
template <class X> constexpr auto behind(X x) { return x; }
template <class X, class Mask> constexpr auto behind(X x, Mask mask) { return select(mask, x, 0.0); }

/// The same over those whose mask is set; 0 when there is none.
template <class X, class Mask> constexpr auto mean_of_all(X x, Mask mask) {
  names_a_vertex(mask);
  auto chosen = behind(mean_of_row(x), mask);
  using S = typename signature<decltype(chosen)>::where;
  const expr<S, shape<>, scalar_type::boolean> counts{mask.trace, seen_from<S>(mask)};
  return sum_of_all(chosen) / max(sum_of_all(cast<operand_traits<X>::type>(counts)), 1.0);
}
/// The mean of what a loss says of each number of a prediction and its target.
template <class Loss, class Y, class Target, class... Mask>
constexpr auto mean_of_loss(Loss loss, Y y, Target target, Mask... mask) {
  return mean_of_all(loss(behind(y, mask...), behind(target, mask...)), mask...);
}

}  // namespace stg::detail
