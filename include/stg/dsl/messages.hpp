// Messages by hand, in a lambda: one rank sends a value to another, or all ranks join a value.
//
// A program with messages runs on a graph that knows its ranks: a part of a cut graph, or a graph that each rank has to
// itself (distributed/graph_of_rank.hpp). Ranks may run different programs, as long as what one sends another receives.
#pragma once

#include <cstdint>      // int64_t
#include <type_traits>  // is_same_v, remove_cv_t

#include <stg/base/name.hpp>          // fixed_string
#include <stg/dsl/build.hpp>          // constant, emit_with, lift, statement_of
#include <stg/dsl/symbol.hpp>         // symbol_arguments
#include <stg/dsl/vertex.hpp>         // vertex_view
#include <stg/dsl/written.hpp>        // here
#include <stg/ir/messages.hpp>        // last_message
#include <stg/ir/operation_name.hpp>  // operation_number
#include <stg/ir/statement.hpp>       // other_rank

namespace stg {

/// Another rank, by its number.
constexpr ir::other_rank at_rank(int number) { return {number, false}; }
/// The rank so many places behind this one, or before it; ranks stand in a ring.
constexpr ir::other_rank next_rank(int by = 1) { return {by, true}; }
constexpr ir::other_rank previous_rank(int by = 1) { return {-by, true}; }

namespace detail {

/// The number of a message's name.
template <fixed_string Name> constexpr std::int64_t number_of_message() {
  constexpr std::int64_t number = ir::operation_number(Name.view());
  constexpr bool is_name = number != 0;
  static_assert(is_name, "stg: the name of a message has 1 to 12 letters of a to z, 0 to 9 and _, the first of a to z");
  return is_name ? number : 1;
}
/// What a message is about, as a value of the graph.
template <class X> constexpr auto value_of_message(vertex_view v, const X& x) {
  constexpr bool is_given = is_operand<X> && !is_sparse<X>;
  static_assert(is_given, "stg: a message takes a value of the lambda, a parameter or a number");
  if constexpr (is_given) {
    const auto value = lift<scalar_type::f32>(v.trace, x);
    if constexpr (is_expr<std::remove_cv_t<decltype(value)>>) {
      constexpr bool is_of_graph =
          std::is_same_v<typename operand_traits<std::remove_cv_t<decltype(value)>>::where, space::graph>;
      static_assert(is_of_graph,
                    "stg: a message has a value of the whole graph; reduce it first: sum(x, all_vertices)");
      if constexpr (is_of_graph) return value;
      else return mistake();
    } else {
      return mistake();
    }
  } else {
    return mistake();
  }
}

/// A message behind those that the lambda wrote before it.
template <class Sh, scalar_type T, fixed_string Name>
constexpr expr<space::graph, Sh, T> message(tracer& t, ir::opcode code, ir::value_id sent, ir::other_rank with,
                                            int line) {
  if (t.outer != nullptr) t.note(ir::mistake::message_in_steps, text(name_of(code)), line);
  if (with.number < 0 && !with.is_relative) t.note(ir::mistake::rank_below_0, text(name_of(code)), line);
  ir::value_id before = ir::last_message(t.program);
  if (before == ir::no_value) before = constant<scalar_type::boolean>(&t, 0).id;
  ir::statement s = statement_of<space::graph, Sh, T>(t, code, sent == ir::no_value ? before : sent,
                                                      sent == ir::no_value ? ir::no_value : before);
  s.set_message(number_of_message<Name>(), with, 0);
  return emit_with<space::graph, Sh, T>(&t, s);
}

/// The same of a value that goes through it.
template <fixed_string Name, class X>
constexpr auto joined(vertex_view v, ir::opcode code, const X& x, ir::other_rank with, int line) {
  const auto value = value_of_message(v, x);
  if constexpr (is_mistake<std::remove_cv_t<decltype(value)>>) {
    return mistake();
  } else {
    using of = operand_traits<std::remove_cv_t<decltype(value)>>;
    return message<typename of::dims, of::type, Name>(*v.trace, code, value.id, with, line);
  }
}

}  // namespace detail

/// Sends a value of the graph to another rank, where `receive` of the same name, type and shape waits for it. The
/// gradient of x gets what the other rank's gradient gives its copy.
///
///   stg::send<"h">(v, mean(v(x), all_vertices), stg::at_rank(1));
template <fixed_string Name, class X>
constexpr void send(vertex_view v, const X& x, ir::other_rank to, here called = here()) {
  const auto value = detail::value_of_message(v, x);
  if constexpr (!is_mistake<std::remove_cv_t<decltype(value)>>)
    static_cast<void>(
        detail::message<shape<>, scalar_type::boolean, Name>(*v.trace, ir::opcode::send, value.id, to, called.line));
}

/// A value of the graph that another rank sends: its type, f32 if none is given, and its extents.
///
///   auto h = stg::receive<"h", 16>(v, stg::at_rank(0));
template <fixed_string Name, auto... Args>
constexpr auto receive(vertex_view v, ir::other_rank from, here called = here()) {
  using arguments = detail::symbol_arguments<Args...>;
  static_assert(arguments::are_extents && arguments::are_sizes && arguments::are_few,
                "stg: receive takes a name, a type and extents: receive<\"h\", stg::f64, 16>(v, stg::at_rank(0))");
  static_assert(!is_storage(arguments::type), "stg: receive gives f32, f64, i32 or boolean values");
  return detail::message<typename arguments::dims, arguments::type, Name>(*v.trace, ir::opcode::receive, ir::no_value,
                                                                          from, called.line);
}

/// The values that all ranks have, added up at one of them in the order of ranks; zeros at the others. All ranks call
/// it, with one shape. The gradient is that rank's, at all.
template <fixed_string Name, class X>
constexpr auto sum_at_rank(vertex_view v, const X& x, ir::other_rank at, here called = here()) {
  constexpr bool is_of_numbers = detail::operand_traits<X>::type != scalar_type::boolean;
  static_assert(is_of_numbers, "stg: sum_at_rank takes numbers; write cast<f32>(x)");
  return detail::joined<Name>(v, ir::opcode::sum_at_rank, x, at, called.line);
}

/// The value that one rank has, at all. The gradient of that rank's is the sum over all, the others' are zeros.
template <fixed_string Name, class X>
constexpr auto value_of_rank(vertex_view v, const X& x, ir::other_rank of, here called = here()) {
  return detail::joined<Name>(v, ir::opcode::value_of_rank, x, of, called.line);
}

/// The values of all ranks added up in their order, at all of them.
///
///   auto loss = stg::sum_over_ranks<"loss">(v, mine);
template <fixed_string Name, class X> constexpr auto sum_over_ranks(vertex_view v, const X& x, here called = here()) {
  return value_of_rank<Name>(v, sum_at_rank<Name>(v, x, at_rank(0), called), at_rank(0), called);
}

}  // namespace stg
