// fixed: a promise, at a binding of a tensor, that its contents stay the same from call to call.
#pragma once

#include <stg/base/standard.hpp>  // C++20

#include <type_traits>  // is_arithmetic_v, remove_cvref_t

namespace stg {

/// The result of fixed(X): a reference to X, and the promise in its type.
template <class T> struct fixed_reference {
  using value_type = T;
  const T& value;
};

/// Symbols by themselves, as explain and peak_bytes take them.
template <class... Symbol> struct fixed_symbols {};

/// Promises that the contents of a tensor, of edge values or of a parameter set do not change between the calls of a
/// step, trainer or model with this binding. Values that depend on fixed inputs and the graph alone are then computed
/// once, by the first call, and again when the graph, the tensor's memory or its shape is another. The tensor must
/// outlive these calls; after a change of its contents in place, call forget_fixed() of the step, trainer or model.
///
///   auto now = step(graph, x = stg::fixed(X), label = Y, params);
template <class T> constexpr fixed_reference<T> fixed(const T& value) { return fixed_reference<T>{value}; }
/// A number may be written at its binding; its value is compared.
template <class T> constexpr fixed_reference<T> fixed(const T&& value) {
  static_assert(std::is_arithmetic_v<T>, "stg: fixed refers to its tensor from call to call; give the tensor a name");
  return fixed_reference<T>{value};
}
/// The form in which some inputs are fixed: stg::explain<loss>(stg::fixed<x>()).
template <const auto&... S> constexpr auto fixed() { return fixed_symbols<std::remove_cvref_t<decltype(S)>...>(); }

}  // namespace stg
