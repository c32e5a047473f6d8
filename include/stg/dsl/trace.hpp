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
  if constexpr (is_expr<X>) return outputs(x);
  else return x;
}
/// The outputs of a lambda that returns X, void when it returns no value.
template <class X> constexpr auto listed_outputs() {
  if constexpr (is_expr<X> || is_output_list<X>) return std::type_identity<decltype(as_outputs(std::declval<X>()))>();
  else return std::type_identity<std::conditional_t<is_mistake<X>, output_list<>, void>>();
}

}  // namespace detail

/// The program of a lambda, at compile time or at run time: `ir::program p = stg::trace(gat);`.
template <class F> constexpr ir::program trace(const F& f) {
  tracer t;
  t.program.scopes_apart = true;
  const auto results = detail::as_outputs(f(vertex_view{&t}));
  for (int i = 0; i < results.count; ++i) t.program.outputs.push_back(results.values[i]);
  return t.program;
}

namespace stage {
/// What the lambda F does, and the types of what it returns.
template <const auto& F> struct traced {
  using given_back = std::remove_cvref_t<decltype(F(std::declval<vertex_view>()))>;
  using outputs = typename decltype(detail::listed_outputs<given_back>())::type;
  using results = std::conditional_t<std::is_void_v<outputs>, output_list<>, outputs>;
  static constexpr bool check() {  // a class whose static_assert fails is unusable in clang, a function is not
    static_assert(std::is_empty_v<std::remove_cvref_t<decltype(F)>>,
                  "stg: a program is a lambda without captures; pass what it needs as arguments of a layer function");
    static_assert(!detail::is_sparse<given_back>,
                  "stg: a program returns dense values; multiply the sparse feature: return matmul(v(x), W)");
    static_assert(!std::is_void_v<outputs> || detail::is_sparse<given_back>,
                  "stg: a program returns computed values; read a feature first: return v(x)");
    return true;
  }
  static constexpr ir::program make() {
    check();
    if constexpr (results::count != 0) return trace(F);
    else return ir::program();
  }
};
}  // namespace stage

/// The program of the lambda F as a constant.
template <const auto& F> struct traced : ir::stored<stage::traced<F>> {
  using results = typename stage::traced<F>::results;
};

/// A program as a type, named after the user's variable: ref<app::gat> stands in profiles and errors.
template <const auto& F> struct ref : traced<F> {};

/// The same in what a user calls. The lambda is checked first, so that no way through passes stands between the user's
/// line and a mistake in it.
template <const auto& F, bool Checked = stage::traced<F>::check()> using program_of = ref<F>;

}  // namespace stg
