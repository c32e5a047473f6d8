// What layers are written with besides what a lambda is: types of what they are given, numbers that the graph has,
// values that live anywhere. stg's own layers (nn/) need no more, and neither do yours.
#pragma once

#include <stg/dsl/build.hpp>        // operand_traits, is_operand, emit, constant
#include <stg/dsl/expr.hpp>         // signature, owner_of, side_of
#include <stg/dsl/initialized.hpp>  // begun
#include <stg/dsl/scan_body.hpp>    // scan_over_values
#include <stg/dsl/vertex.hpp>       // owned_edges, count_of
#include <stg/op/aggregate.hpp>     // top_share, shift_of
#include <stg/op/feature.hpp>       // axis_length
#include <stg/op/masked_mean.hpp>   // mean_of_row

namespace stg::for_layers {

/// Of an expression, a symbol or a number: `where` it lives, its shape `dims`, its scalar `type`; is_number.
///
///   constexpr auto width = axis_extent<typename stg::for_layers::operand_traits<X>::dims, 0>;
using detail::operand_traits;
/// The same of an expression alone.
using detail::signature;
/// Whether an argument is anything that a value can be made of, rather than a function in its place.
using detail::is_operand;
/// Whether one is a value of the graph that no lambda has met yet.
using detail::is_loose;
/// Whether a function takes so many arguments, be its body right or wrong.
using detail::takes_arguments;
/// Whether an argument is a tensor or an array, outside of any program.
using detail::holds_numbers;

/// Whether two extents are one, known or not.
using detail::same_extent;

/// Whether two shapes have as many elements, known or not.
template <class A, class B> inline constexpr bool as_many_elements = detail::elements(A()) == detail::elements(B());

/// Of a space of edges: the space of the vertices that own them, and on which side they do.
using detail::owner_of;
using detail::side_of;
/// owned_edges<Edges, T>(trace): how many edges a vertex owns. count_of<Vertices, T>(trace): how many vertices there
/// are.
using detail::count_of;
using detail::owned_edges;
/// axis_length<I>(x): elements along an axis, known or not. mean_of_row(x): the mean of all features of a row.
using detail::axis_length;
using detail::mean_of_row;
/// top_share(score): of a softmax over a vertex's edges the largest share, 1 / Σ exp(score - max score), ∞ over none.
/// Its gradient is that of a fixed maximum: use it beside shift_of(max(score)), as log_sum_exp does.
using detail::shift_of;
using detail::top_share;

/// begun(p, init::ones): a parameter with what it begins with, unless it was declared with something.
using detail::begun;

/// One number in every element of a value that lives anywhere: (…) of shape Sh.
template <class S, class Sh, scalar_type T> constexpr auto filled(tracer* t, double number) {
  return detail::emit<S, Sh, T>(t, ir::opcode::broadcast_to, detail::constant<T>(t, number).id);
}
/// The number of an edge, by which it is told from others: one i32 for each.
template <class Edges> constexpr auto edge_number(tracer* t) {
  return detail::emit<Edges, shape<>, i32>(t, ir::opcode::edge_index);
}
/// scan whose body and first values are a layer's own, and right by construction.
using detail::scan_over_values;

}  // namespace stg::for_layers
