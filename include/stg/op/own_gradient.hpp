// custom_gradient: a layer whose gradient its user supplies; and values through which no gradient may pass.
//
// In a program own_gradient is one statement: a list of what the layer gave back and of what it was given, and the
// program of the gradient, a callee. Its results are the values that the layer gave back. autodiff writes the gradient
// in place of theirs, and expand takes the statement away: no later pass knows of it.
#pragma once

#include <tuple>        // tuple, tuple_cat
#include <type_traits>  // bool_constant
#include <utility>      // declval, integer_sequence

#include <stg/base/instead.hpp>   // STG_INSTEAD_FOR
#include <stg/dsl/next_step.hpp>  // settled_value
#include <stg/dsl/scan_body.hpp>  // close_body, result_of_step
#include <stg/dsl/vertex.hpp>     // vertex_view
#include <stg/dsl/written.hpp>    // here
#include <stg/ir/callees.hpp>     // emit_arguments, callee_number
#include <stg/op/operation.hpp>   // operation

namespace stg::op {

/// attribute: the program of the gradient, which reads a cotangent for each real value that the layer gave back, and
/// all that it was given; -1: no gradient may pass; number: how many values of the list the layer gave back.
struct own_gradient : operation<ir::opcode::own_gradient, category::call, 1> {
  static constexpr std::string_view in_words =
      "the values that list a begins with, whose gradient is a program of its own";
  static constexpr int passive_operands = 1;
  static constexpr int cost = 0;
  static constexpr void infer(const ir::program&, ir::statement&) {}
  template <class Adjoint> static constexpr void gradient(Adjoint&) {}  // pass/autodiff.hpp
};

}  // namespace stg::op

namespace stg {

namespace detail {

template <class... X> using type_list = std::tuple<X...>;

/// What a layer or its gradient gave back, one value or a tuple of them, as a tuple.
template <class X> constexpr auto as_tuple(const X& x) { return std::tuple<X>(x); }
template <class... X> constexpr auto as_tuple(const std::tuple<X...>& x) { return x; }

template <class X> inline constexpr bool are_layer_values = is_step_value<X> && !std::is_arithmetic_v<X>;
template <class... X>
inline constexpr bool are_layer_values<std::tuple<X...>> = sizeof...(X) > 0 && (are_layer_values<X> && ...);

/// Of a list of expressions, those that have a gradient.
template <class... X> struct real_ones { using type = std::tuple<>; };
template <class First, class... Rest> struct real_ones<std::tuple<First, Rest...>> {
  using rest = typename real_ones<std::tuple<Rest...>>::type;
  static constexpr auto find() {
    if constexpr (is_real(signature<First>::type))
      return std::type_identity<decltype(std::tuple_cat(std::declval<std::tuple<First>>(), std::declval<rest>()))>();
    else return std::type_identity<rest>();
  }
  using type = typename decltype(find())::type;
};
template <class... X> struct settled_ones;
template <class... X> struct settled_ones<std::tuple<X...>> { using type = std::tuple<settled_t<X>...>; };

/// What must hold between values and the gradients that are given for them; a number stands for a value of its kind.
template <class Values, class Gradients> struct gradient_rules {
  static constexpr bool as_many = false, one_space = true, one_shape = true, one_type = true;
};
template <class... X, class... D>
  requires(sizeof...(X) == sizeof...(D))
struct gradient_rules<std::tuple<X...>, std::tuple<D...>> {
  template <class Y, class G> static constexpr bool is_number = std::is_arithmetic_v<G>;
  template <class Y, class G> static constexpr bool same_space() {
    if constexpr (is_number<Y, G>) return true;
    else return std::is_same_v<typename signature<Y>::where, typename signature<settled_t<G>>::where>;
  }
  template <class Y, class G> static constexpr bool same_shape() {
    if constexpr (is_number<Y, G>) return true;
    else return std::is_same_v<typename signature<Y>::dims, typename signature<settled_t<G>>::dims>;
  }
  template <class Y, class G> static constexpr bool same_type() {
    if constexpr (is_number<Y, G>) return true;
    else return signature<Y>::type == signature<settled_t<G>>::type;
  }
  static constexpr bool as_many = true;
  static constexpr bool one_space = (same_space<X, D>() && ...);
  static constexpr bool one_shape = !one_space || (same_shape<X, D>() && ...);
  static constexpr bool one_type = !one_space || !one_shape || (same_type<X, D>() && ...);
};
template <class X> inline constexpr bool are_gradients = is_step_value<X>;
template <class... X> inline constexpr bool are_gradients<std::tuple<X...>> = (is_step_value<X> && ...);

/// What must hold of a layer with a gradient of its own; the first rule that is broken is the only one that is false.
template <class Layer, class Gradient, class... Arg> struct own_gradient_rules {
  static constexpr bool spoiled = (is_mistake<Arg> || ...);
  static constexpr bool are_right = (is_step_value<Arg> && ...);
  static constexpr bool are_values = spoiled || are_right;

  static constexpr auto find_given() {
    if constexpr (are_right) return std::type_identity<std::tuple<settled_t<Arg>...>>();
    else return std::type_identity<std::tuple<>>();
  }
  using given = typename decltype(find_given())::type;

  template <class... A> static constexpr bool calls(std::type_identity<std::tuple<A...>>) {
    return requires(const Layer& f, vertex_view v, A... a) { f(v, a...); };
  }
  template <class... A> static constexpr auto layer_of(std::type_identity<std::tuple<A...>>) {
    if constexpr (!are_right) return std::type_identity<mistake>();
    else if constexpr (!calls(std::type_identity<std::tuple<A...>>())) return std::type_identity<mistake>();
    else
      return std::type_identity<decltype(std::declval<const Layer&>()(std::declval<vertex_view>(),
                                                                      std::declval<A>()...))>();
  }
  using made = typename decltype(layer_of(std::type_identity<given>()))::type;
  static constexpr bool is_called = !are_right || calls(std::type_identity<given>());
  static constexpr bool gives_values =
      !are_right || !is_called || is_mistake<std::remove_cvref_t<made>> || are_layer_values<made>;
  static constexpr bool is_layer = are_right && is_called && are_layer_values<made>;

  static constexpr auto find_outputs() {
    if constexpr (is_layer)
      return std::type_identity<
          typename settled_ones<std::remove_cvref_t<decltype(as_tuple(std::declval<made>()))>>::type>();
    else return std::type_identity<std::tuple<>>();
  }
  using outputs = typename decltype(find_outputs())::type;
  using cotangents = typename real_ones<outputs>::type;
  using values = typename real_ones<given>::type;

  template <class... D, class... A>
  static constexpr auto gradient_of(std::type_identity<std::tuple<D...>>, std::type_identity<std::tuple<A...>>) {
    if constexpr (!is_layer) return std::type_identity<mistake>();
    else if constexpr (!requires(const Gradient& f, vertex_view v, D... d, A... a) { f(v, d..., a...); })
      return std::type_identity<mistake>();
    else
      return std::type_identity<decltype(std::declval<const Gradient&>()(
          std::declval<vertex_view>(), std::declval<D>()..., std::declval<A>()...))>();
  }
  template <class... D, class... A>
  static constexpr bool calls_gradient(std::type_identity<std::tuple<D...>>, std::type_identity<std::tuple<A...>>) {
    return requires(const Gradient& f, vertex_view v, D... d, A... a) { f(v, d..., a...); };
  }
  using found = typename decltype(gradient_of(std::type_identity<cotangents>(), std::type_identity<given>()))::type;
  static constexpr bool gradient_is_called =
      !is_layer || calls_gradient(std::type_identity<cotangents>(), std::type_identity<given>());

  static constexpr auto find_kinds() {
    if constexpr (is_layer && gradient_is_called && are_gradients<found>)
      return std::type_identity<
          gradient_rules<values, std::remove_cvref_t<decltype(as_tuple(std::declval<found>()))>>>();
    else return std::type_identity<gradient_rules<void, void>>();
  }
  using kinds = typename decltype(find_kinds())::type;
  static constexpr bool as_many = !is_layer || !gradient_is_called || kinds::as_many;
  static constexpr bool ok =
      is_layer && gradient_is_called && kinds::as_many && kinds::one_space && kinds::one_shape && kinds::one_type;
};

/// A real input that values were computed from beside what a layer was given, or no_value: they read the graph's
/// structure, labels and masks alone.
constexpr ir::value_id read_beside(const ir::program& p, const sequence<ir::value_id>& made,
                                   const sequence<ir::value_id>& given) {
  ir::flags is_given(p.size(), 0), needed(p.size(), 0);
  for (ir::value_id at : given) is_given[at] = 1;
  for (ir::value_id at : made) needed[at] = 1;
  for (ir::value_id i = p.size() - 1; i >= 0; --i) {
    if (!needed[i] || is_given[i]) continue;
    if (p[i].code == ir::opcode::input && is_differentiable(p[i].type)) return i;
    for (int k = 0; k < p[i].arity(); ++k) needed[p[i].operands[k]] = 1;
  }
  return ir::no_value;
}

/// An input of a body's program, of the kind of an expression.
template <class X> constexpr X input_of_body(tracer& body, int k) {
  using from = signature<X>;
  ir::input in;
  in.name.append("given ");
  in.name.append_number(static_cast<std::uint64_t>(k));
  ir::statement s = statement_of<typename from::where, typename from::dims, from::type>(body, ir::opcode::input);
  s.set_entry(body.entry_of(in));
  return X{&body, body.emit(s)};
}
template <class... X, int... K>
constexpr auto inputs_of_body(tracer& body, std::type_identity<std::tuple<X...>>, int first,
                              std::integer_sequence<int, K...>) {
  return std::tuple<X...>{input_of_body<X>(body, first + K)...};
}
/// A gradient as a value of the kind of X, which a number stands for.
template <class X, class G> constexpr ir::value_id gradient_value(tracer& body, const G& g) {
  using to = signature<X>;
  if constexpr (std::is_arithmetic_v<G>)
    return emit<typename to::where, typename to::dims, to::type>(&body, ir::opcode::broadcast_to,
                                                                 constant<to::type>(&body, static_cast<double>(g)).id)
        .id;
  else return settled_value(&body, g).id;
}

/// The results of a call, or of values with a gradient of their own, in their order.
template <class... Y, int... K>
constexpr auto results_of(tracer& t, ir::value_id from, std::type_identity<std::tuple<Y...>>,
                          std::integer_sequence<int, K...>) {
  return std::tuple<Y...>{result_of_step<Y>(t, from, K)...};
}

template <class Rules, class Gradient, class Made, class Given>
constexpr auto with_own_gradient(vertex_view v, const Gradient& gradient, int line, const Made& made,
                                 const Given& given) {
  tracer& t = *v.trace;
  sequence<ir::value_id> list, arguments;
  std::apply([&](const auto&... x) { (arguments.push_back(x.id), ...); }, given);
  std::apply([&](const auto&... y) { (list.push_back(y.id), ...); }, made);
  const int outputs = list.size();
  if (const ir::value_id beside = read_beside(t.program, list, arguments); beside != ir::no_value)
    t.note(ir::mistake::reads_beside, t.program.inputs[t.program[beside].entry()].name, line);
  tracer body;
  body.outer = &t;
  body.depth = t.depth + 1;
  body.sites = t.sites;
  body.scope = t.scope;
  body.most = t.most;
  body.program.scopes_apart = true;
  constexpr int cotangents = std::tuple_size_v<typename Rules::cotangents>, values = std::tuple_size_v<Given>;
  const auto d = inputs_of_body(body, std::type_identity<typename Rules::cotangents>(), 0,
                                std::make_integer_sequence<int, cotangents>());
  const auto x =
      inputs_of_body(body, std::type_identity<Given>(), cotangents, std::make_integer_sequence<int, values>());
  const auto call = [&](const auto&... one) { return gradient(vertex_view{&body}, one...); };
  const auto found = as_tuple(std::apply(call, std::tuple_cat(d, x)));
  [&]<class... X>(std::type_identity<std::tuple<X...>>) {
    const auto put = [&](const auto&... g) {
      (body.program.outputs.push_back(ir::output{gradient_value<X>(body, g), {}}), ...);
    };
    std::apply(put, found);
  }(std::type_identity<typename Rules::values>());
  t.sites = body.sites;
  if (!is_whole(body)) return made;
  sequence<ir::value_id> read;  // cotangents are no values of the program around: any stands for them
  for (int k = 0; k < cotangents; ++k) read.push_back(ir::no_value);
  for (ir::value_id at : arguments) read.push_back(at);
  const sequence<ir::value_id> reads = close_body(body, read);
  for (int k = cotangents; k < reads.size(); ++k) list.push_back(reads[k]);
  ir::statement s;
  s.code = ir::opcode::own_gradient;
  s.operands[0] = ir::emit_arguments(t.program, list);
  s.set_callee(ir::callee_number(t.program, body.program, true));
  s.set_outputs(outputs);
  const ir::value_id own = t.emit(s);
  return results_of(t, own, std::type_identity<Made>(), std::make_integer_sequence<int, std::tuple_size_v<Made>>());
}

/// One by itself, several as a tuple.
template <class... X> constexpr auto one_or_all(const std::tuple<X...>& all) {
  if constexpr (sizeof...(X) == 1) return std::get<0>(all);
  else return all;
}

}  // namespace detail

namespace detail {
template <class X>
concept NoVertex = !std::is_convertible_v<const X&, vertex_view>;
}  // namespace detail

/// A layer with a gradient of its own: what custom_gradient returns.
template <class Layer, class Gradient> struct layer_with_gradient {
  Layer layer;
  Gradient gradient;
  int line = 0;  // where it is made

  /// The layer's results: one by itself, several as a tuple.
  template <class... Arg> constexpr auto operator()(vertex_view v, const Arg&... args) const {
    using rules = detail::own_gradient_rules<Layer, Gradient, Arg...>;
    constexpr bool are_values = rules::are_values;
    static_assert(are_values,
                  "stg: a layer with a gradient of its own takes values; read the feature first: f(v, v(x), W)");
    constexpr bool is_called = rules::is_called;
    static_assert(is_called,
                  "stg: the layer of custom_gradient takes the vertex and the values it is given: [](auto v, auto x)");
    constexpr bool gives_values = rules::gives_values;
    static_assert(gives_values,
                  "stg: the layer of custom_gradient gives back a computed value, or several as std::tuple(a, b)");
    constexpr bool gradient_is_called = rules::gradient_is_called;
    static_assert(gradient_is_called,
                  "stg: the gradient takes the vertex, a cotangent per real result, and the values: (v, d, x)");
    constexpr bool as_many = rules::as_many;
    static_assert(as_many,
                  "stg: the gradient gives a value for each real one that the layer takes: std::tuple(dx, dw)");
    constexpr bool one_space = rules::kinds::one_space;
    static_assert(one_space, "stg: a gradient lives where its value does; for a parameter write sum(dw, all_vertices)");
    constexpr bool one_shape = rules::kinds::one_shape;
    static_assert(one_shape, "stg: a gradient has the shape of its value; sum it along axes, or reshape it");
    constexpr bool one_type = rules::kinds::one_type;
    static_assert(one_type, "stg: a gradient has the scalar type of its value; cast it");
    if constexpr (rules::ok) {
      const std::tuple given{detail::settled_value(v.trace, args)...};
      const auto call = [&](const auto&... x) { return layer(v, x...); };
      const auto made = detail::as_tuple(std::apply(call, given));
      const auto settle = [&](const auto&... y) { return std::tuple{detail::settled_value(v.trace, y)...}; };
      return detail::one_or_all(detail::with_own_gradient<rules>(v, gradient, line, std::apply(settle, made), given));
    } else {
      return mistake();
    }
  }
  /// Without the vertex: what to write.
  STG_INSTEAD_FOR((detail::NoVertex First, class... Arg), sizeof(First) == 0,
                  "stg: a layer of custom_gradient takes the vertex first: f(v, v(x), W)",
                  constexpr mistake operator()(const First&, const Arg&...) const)
};

/// A layer whose gradient you supply. `layer` takes the vertex and values, and gives one back, or several as a tuple;
/// `gradient` takes the vertex, a cotangent for each real value that the layer gives, and the values that it was given,
/// and gives for each real one of these its gradient, of the same space, shape and type; a number stands for a value of
/// that number. What the layer reads of real numbers it is given: features and parameters are passed. jax.custom_vjp.
///
///   constexpr auto rounded = custom_gradient([](auto, auto x) { return round(x); },
///                                            [](auto, auto d, auto) { return d; });
///   auto y = rounded(v, v(x));       // a straight-through estimator
template <class Layer, class Gradient>
constexpr auto custom_gradient(const Layer& layer, const Gradient& gradient, here called = here()) {
  return layer_with_gradient<Layer, Gradient>{layer, gradient, called.line};
}

#ifndef __CUDACC__  // where overloads of templates that take references are not told apart
/// Of a layer without its gradient: what to write.
template <class Layer> constexpr mistake custom_gradient(const Layer&) {
  constexpr bool has_gradient = sizeof(Layer) == 0;
  static_assert(
      has_gradient,
      "stg: custom_gradient takes a layer and its gradient: custom_gradient(f, [](auto v, auto d, auto x) ...)");
  return {};
}
#endif

/// The same value, through which no gradient may pass: training that would have to go through it does not compile, and
/// the sentence names it. detach(x) is what lets a gradient go round.
///
///   auto teacher = not_differentiable<"teacher">(gat(v));
template <fixed_string Name, class S, class Sh, scalar_type T> constexpr auto not_differentiable(expr<S, Sh, T> x) {
  static_assert(is_real(T), "stg: not_differentiable takes a real value; others have no gradient anyway");
  tracer& t = *x.trace;
  ir::statement own;
  own.code = ir::opcode::own_gradient;
  const sequence<ir::value_id> both{x.id, x.id};  // nvcc does not take the list itself
  own.operands[0] = ir::emit_arguments(t.program, both);
  own.set_callee(-1);
  own.set_outputs(1);
  const auto y = detail::result_of_step<expr<S, Sh, T>>(t, t.emit(own), 0);
  t.name(Name.view(), y.id);
  return y;
}

}  // namespace stg
