// Losses, written in the language: cross entropy over masked vertices, mean squared error.
#pragma once

#include <stg/op/aggregate.hpp>  // sum
#include <stg/op/compare.hpp>    // select, cast
#include <stg/op/feature.hpp>    // log_softmax
#include <stg/op/reduction.hpp>  // all_vertices

namespace stg {

/// Mean over the masked vertices of -log softmax(logits)[label]. logits (classes), labels i32, mask bool, one per
/// vertex. A label outside of [0, classes) under the mask raises stg::error when the program is called.
template <class S, class Sh, scalar_type T, class S2, class Sh2, scalar_type T2, class S3, class Sh3, scalar_type T3>
constexpr auto cross_entropy(expr<S, Sh, T> logits, expr<S2, Sh2, T2> labels, expr<S3, Sh3, T3> mask) {
  constexpr bool spaces =
      std::is_same_v<S, space::vertex> && std::is_same_v<S2, space::vertex> && std::is_same_v<S3, space::vertex>;
  constexpr bool one_axis = Sh::rank == 1;
  constexpr bool scalars = std::is_same_v<Sh2, shape<>> && std::is_same_v<Sh3, shape<>>;
  static_assert(spaces, "stg: cross_entropy takes vertex values: cross_entropy(logits, v(label), v(mask))");
  static_assert(one_axis, "stg: cross_entropy takes logits with one axis, the classes; write reshape<n>(x)");
  static_assert(is_real(T), "stg: cross_entropy takes real logits; write cast<f32>(x)");
  static_assert(T2 == scalar_type::i32, "stg: cross_entropy takes labels of type i32: vertex_feature<\"label\", i32>");
  static_assert(T3 == scalar_type::boolean,
                "stg: cross_entropy takes a mask of type boolean: vertex_feature<\"mask\", boolean>");
  static_assert(scalars, "stg: cross_entropy takes one label and one mask per vertex: vertex_feature<\"label\", i32>");
  if constexpr (spaces && one_axis && is_real(T) && T2 == scalar_type::i32 && T3 == scalar_type::boolean && scalars) {
    tracer* t = logits.trace;
    ir::label_range range;
    range.labels = labels.id;
    range.mask = mask.id;
    range.classes = t->program.intern(detail::elements(Sh()));
    t->program.checks.push_back(range);
    auto classes = detail::emit<space::graph, Sh, scalar_type::i32>(t, ir::opcode::iota);
    auto chosen = sum(select(classes == labels, log_softmax(logits), 0.0), axis<0>);
    auto counted = sum(cast<T>(mask), all_vertices);
    return -sum(select(mask, chosen, 0.0), all_vertices) / max(counted, 1.0);
  } else {
    return detail::constant<scalar_type::f32>(logits.trace, 0);
  }
}

/// Mean over all vertices and features of (prediction - target)².
template <class S, class Sh, scalar_type T, class S2, class Sh2, scalar_type T2>
constexpr auto mse(expr<S, Sh, T> prediction, expr<S2, Sh2, T2> target) {
  constexpr bool spaces = std::is_same_v<S, space::vertex> && std::is_same_v<S2, space::vertex>;
  static_assert(spaces, "stg: mse takes vertex values: mse(y, v(target))");
  static_assert(std::is_same_v<Sh, Sh2>, "stg: mse takes a prediction and a target of the same shape");
  static_assert(is_real(T) && T == T2, "stg: mse takes real values of one type; write cast<f32>(x)");
  if constexpr (spaces && std::is_same_v<Sh, Sh2> && is_real(T) && T == T2) {
    auto difference = prediction - target;
    auto squared = difference * difference;
    if constexpr (Sh::rank == 0) {
      return mean(squared, all_vertices);
    } else {
      constexpr auto n = detail::canonical_extent<detail::elements_of<Sh>>();
      return mean(mean(reshape<n>(squared), axis<0>), all_vertices);
    }
  } else {
    return detail::constant<scalar_type::f32>(prediction.trace, 0);
  }
}

}  // namespace stg
