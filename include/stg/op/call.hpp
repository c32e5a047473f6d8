// call: a layer as a program of its own, which is traced, differentiated, planned and compiled once for all places that
// call an equal one.
//
// In a program it is a scan of one step that carries nothing (ir::is_call), and what knows scans knows calls.
#pragma once

#include <tuple>        // tuple
#include <type_traits>  // is_invocable_v, type_identity
#include <utility>      // integer_sequence

#include <stg/dsl/next_step.hpp>    // settled_value
#include <stg/dsl/scan_body.hpp>    // close_body
#include <stg/dsl/takes.hpp>        // takes_arguments
#include <stg/dsl/vertex.hpp>       // vertex_view
#include <stg/ir/callees.hpp>       // emit_arguments, callee_number
#include <stg/op/own_gradient.hpp>  // as_tuple, one_or_all, results_of

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
  static constexpr bool is_called = requires(const Layer& f, vertex_view v, passed_t<Arg>... x) { f(v, x...); };
  static constexpr auto find_made() {
    if constexpr (is_called)
      return std::type_identity<decltype(std::declval<const Layer&>()(std::declval<vertex_view>(),
                                                                      std::declval<passed_t<Arg>>()...))>();
    else return std::type_identity<mistake>();
  }
  using made = typename decltype(find_made())::type;
  static constexpr bool find_takes_values() {
    if constexpr (is_called) return true;
    else return takes_arguments<Layer, vertex_view, passed_t<Arg>...>;  // and has a mistake within, which was said
  }
  static constexpr bool takes_values = find_takes_values();
  static constexpr bool spoiled =
      (is_mistake<Arg> || ...) || is_mistake<std::remove_cvref_t<made>>;  // and was reported
  static constexpr bool returns = !std::is_void_v<made>;
  static constexpr bool gives_values = !is_called || spoiled || !returns || are_layer_values<made>;
  static constexpr bool ok = is_called && !spoiled && returns && gives_values;
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
    s.set_callee(ir::callee_number(t.program, body.program, true));
    s.over = ir::extent(1);
    s.set_first_site(body.sites == 0 ? 0 : t.sites);
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
  constexpr bool takes_values = rules::takes_values, returns = rules::returns, gives_values = rules::gives_values;
  static_assert(takes_values, "stg: call takes a layer, the vertex, and what the layer takes: call(f, v, v(x), W)");
  static_assert(returns,
                "stg: a layer that is called returns nothing; it ends with return h, or return std::tuple(a, b)");
  static_assert(gives_values,
                "stg: a layer that is called gives back a computed value, or several as std::tuple(a, b)");
  if constexpr (rules::ok) return detail::traced_call(v, layer, args...);
  else return mistake();
}

#ifndef __CUDACC__  // where overloads of templates that take references are not told apart
namespace detail {
/// The vertex stands behind the layer.
template <class Layer = void, class Place = void, class... Arg>
inline constexpr bool is_call = !std::is_void_v<Place> && std::is_convertible_v<Place, vertex_view>;
}  // namespace detail
/// Of a call without its vertex: what to write.
#define STG_CALLS_WITHOUT_VERTEX "stg: call takes the vertex behind the layer: call(layer, v, h, W)"
template <class... A>
  requires(sizeof...(A) > 0 && !detail::is_call<A...>)
#if STG_SAYS_AT_CALLS
__attribute__((diagnose_if(sizeof...(A) < 99, STG_CALLS_WITHOUT_VERTEX, "error")))
#endif
constexpr mistake
call(const A&...) {
#if !STG_SAYS_AT_CALLS
  static_assert(sizeof...(A) > 98, STG_CALLS_WITHOUT_VERTEX);
#endif
  return {};
}
#endif

}  // namespace stg
