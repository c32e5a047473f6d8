// call: a layer as a program of its own, which is traced, differentiated, planned and compiled once for all places that
// call an equal one.
//
// In a program it is a scan of one step that carries nothing (ir::is_call), and what knows scans knows calls.
#pragma once

#include <tuple>        // tuple
#include <type_traits>  // is_invocable_v, type_identity
#include <utility>      // integer_sequence

#include <stg/dsl/vertex.hpp>       // vertex_view
#include <stg/op/own_gradient.hpp>  // as_tuple, one_or_all, results_of
#include <stg/op/scan.hpp>          // close_body, settled_value

namespace stg {

namespace detail {

/// What a called layer gets as a value of the place that calls it; anything else, a feature's name for one, as it is.
template <class X> inline constexpr bool is_passed = is_step_value<X> && !std::is_arithmetic_v<X>;
template <class X> constexpr auto passed_in(tracer* caller, tracer* body, const X& x) {
  if constexpr (is_passed<X>) return value_in(body, settled_value(caller, x));
  else return x;
}
template <class X>
using passed_t = decltype(passed_in(static_cast<tracer*>(nullptr), static_cast<tracer*>(nullptr), std::declval<X>()));

template <class Layer, class... Arg> struct call_rules {
  static constexpr bool is_called = std::is_invocable_v<const Layer&, vertex_view, passed_t<Arg>...>;
  static constexpr auto find_made() {
    if constexpr (is_called)
      return std::type_identity<std::invoke_result_t<const Layer&, vertex_view, passed_t<Arg>...>>();
    else return std::type_identity<mistake>();
  }
  using made = typename decltype(find_made())::type;
  static constexpr bool gives_values = !is_called || are_layer_values<made>;
  static constexpr bool ok = is_called && gives_values;
};

template <class Layer, class... Arg> constexpr auto traced_call(vertex_view v, const Layer& layer, const Arg&... args) {
  tracer& t = *v.trace;
  tracer body;
  body.outer = &t;
  body.depth = t.depth + 1;
  body.scope = t.scope;
  body.most = t.most;
  body.program.scopes_apart = true;
  const std::tuple passed{passed_in(&t, &body, args)...};  // in their order
  const auto run = [&](const auto&... x) { return layer(vertex_view{&body}, x...); };
  const auto settle = [&](const auto&... y) { return std::tuple{settled_value(&body, y)...}; };
  const auto made = std::apply(settle, as_tuple(std::apply(run, passed)));
  std::apply([&](const auto&... y) { (body.program.outputs.push_back(ir::output{y.id, {}}), ...); }, made);
  ir::value_id call = 0;
  if (is_whole(body)) {
    ir::statement s;
    s.code = ir::opcode::scan;
    s.operands[0] = ir::emit_arguments(t.program, close_body(body, {}));
    s.attribute = ir::callee_number(t.program, body.program, true);
    s.over = ir::extent(1);
    s.axis = ir::once_from(body.sites == 0 ? 0 : t.sites);
    call = t.emit(s);
  }
  t.sites += body.sites;
  using results = std::remove_const_t<decltype(made)>;
  return one_or_all(results_of(t, call, std::type_identity<results>(),
                               std::make_integer_sequence<int, std::tuple_size_v<results>>()));
}

}  // namespace detail

/// layer(v, args…) as a call: the program of the layer is traced, differentiated, planned and compiled once for all
/// calls of an equal one, which differ in the values that they pass. So a model of many equal layers compiles in the
/// time of one. Parameters and values are passed as arguments; what the layer reads by name is the same at each call.
/// What is in a call is not fused with what stands around it; `layer(v, args…)` is the same written out. Each call of a
/// layer with dropout draws masks of its own. Results: one by itself, several as a tuple.
///
///   auto h = call(layer, v, v(x), W1);
///   auto y = call(layer, v, h, W2);
template <class Layer, class... Arg> constexpr auto call(const Layer& layer, vertex_view v, const Arg&... args) {
  using rules = detail::call_rules<Layer, Arg...>;
  static_assert(rules::is_called, "stg: call takes a layer, the vertex, and what the layer takes: call(f, v, v(x), W)");
  static_assert(rules::gives_values,
                "stg: a layer that is called gives back a computed value, or several as std::tuple(a, b)");
  if constexpr (rules::ok) return detail::traced_call(v, layer, args...);
  else return mistake();
}

}  // namespace stg
