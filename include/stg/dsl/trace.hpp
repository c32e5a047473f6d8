// Tracing: calls a lambda once with a symbolic vertex and keeps what it did as a program.
#pragma once

#include <type_traits>  // is_empty_v, remove_cvref_t, type_identity
#include <utility>      // declval

#include <stg/dsl/outputs.hpp>  // output_list
#include <stg/dsl/vertex.hpp>   // vertex_view
#include <stg/ir/frozen.hpp>    // stored

namespace stg {

namespace detail {

template <class X> inline constexpr bool is_output_list = false;
template <class... O> inline constexpr bool is_output_list<output_list<O...>> = true;

template <class X> constexpr auto as_outputs(const X& x) {
  if constexpr (is_expr<X>)
    return outputs(x);
  else
    return x;
}
/// What a program may be, and the outputs of one that is.
template <class F> struct program_rules {
  static constexpr bool captures_nothing = std::is_empty_v<F>;
  static constexpr bool takes_vertex = requires(const F& f, vertex_view v) { f(v); };
  static constexpr auto outputs_of() {
    if constexpr (takes_vertex) {
      using X = std::remove_cvref_t<decltype(std::declval<const F&>()(std::declval<vertex_view>()))>;
      if constexpr (is_expr<X> || is_output_list<X>)
        return std::type_identity<decltype(as_outputs(std::declval<X>()))>();
      else
        return std::type_identity<std::conditional_t<is_mistake<X>, mistake, void>>();
    } else {
      return std::type_identity<mistake>();
    }
  }
  using given_back = typename decltype(outputs_of())::type;
  static constexpr bool returns_values = !std::is_void_v<given_back>;
  static constexpr bool ok = is_output_list<given_back>;
  using results = std::conditional_t<ok, given_back, output_list<>>;
};

}  // namespace detail

/// The program of a lambda, at compile time or at run time: `ir::program p = stg::trace(gat);`.
template <class F> constexpr ir::program trace(const F& f) {
  tracer t;
  t.program.scopes_apart = true;
  const auto results = detail::as_outputs(f(vertex_view{&t}));
  for (int i = 0; i < results.count; ++i) t.program.outputs.push_back(results.values[i]);
  return t.program;
}

/// The program of the lambda F as a constant.
template <const auto& F> struct traced {
  using rules = detail::program_rules<std::remove_cvref_t<decltype(F)>>;
  static_assert(rules::captures_nothing,
                "stg: a program is a lambda without captures; pass what it needs as arguments of a layer function");
  static_assert(rules::takes_vertex, "stg: a program is a lambda that takes a vertex: [](auto v) { return ...; }");
  static_assert(rules::returns_values, "stg: a program returns computed values; read a feature first: return v(x)");
  struct source {
    static constexpr ir::program make() {
      if constexpr (rules::ok)
        return trace(F);
      else
        return ir::program();
    }
  };
  using results = typename rules::results;
  static constexpr const auto& value = ir::stored<source>::value;
};

/// A program as a type, named after the user's variable: ref<app::gat> stands in profiles and errors.
template <const auto& F> struct ref : traced<F> {};

}  // namespace stg
