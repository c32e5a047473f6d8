// The gradients of a program as a program of their own, which can be differentiated once more: second derivatives for
// callers in other languages.
#pragma once

#include <memory>       // make_unique, unique_ptr
#include <string>       // string
#include <type_traits>  // remove_cvref_t
#include <utility>      // integer_sequence, make_integer_sequence
#include <vector>       // vector

#include <stg/door/program.hpp>  // recorder, training

namespace stg::door {

namespace detail {

template <class Y> constexpr auto sum_of_axes(Y y) {
  if constexpr (stg::detail::signature<Y>::dims::rank > 0) return sum_of_axes(sum(y, axis<0>));
  else return sum(y, all_vertices);
}
template <class Vertex, class X> constexpr auto read_at(Vertex v, X x) {
  if constexpr (stg::detail::is_edge<typename X::where>) return v.in_edges()(x);
  else return v(x);
}

/// What `backward` computes of F, a program with one result of vertices, for the cotangent: the gradient of each of
/// Wanted.
template <const auto& F, const auto& Cotangent, const auto&... Wanted>
inline constexpr auto backward_of = [](auto v) {
  const auto total = sum_of_axes(F(v) * v(Cotangent));
  if constexpr (sizeof...(Wanted) == 1) return gradient(total, read_at(v, Wanted)...);
  else return outputs(gradient(total, read_at(v, Wanted))...);
};

/// The inputs of a program that some result depends on differentiably, by entry.
template <class Ref, int... Chosen>
constexpr auto differentiable_entries(std::integer_sequence<int, Chosen...> chosen, std::integer_sequence<int>) {
  return chosen;
}
template <class Ref, int... Chosen, int First, int... Rest>
constexpr auto differentiable_entries(std::integer_sequence<int, Chosen...> chosen,
                                      std::integer_sequence<int, First, Rest...>) {
  constexpr auto rest = std::integer_sequence<int, Rest...>();
  constexpr auto found =
      stg::detail::find_gradient_mistake<Ref, stg::detail::all_real_outputs<Ref>>(std::integer_sequence<int, First>());
  if constexpr (found.what == stg::detail::gradient_finding::none)
    return differentiable_entries<Ref>(std::integer_sequence<int, Chosen..., First>(), rest);
  else return differentiable_entries<Ref>(chosen, rest);
}
template <class Ref>
using all_differentiable = decltype(differentiable_entries<Ref>(
    std::integer_sequence<int>(), std::make_integer_sequence<int, stg::canonical<Ref>::value.room.inputs>()));

signature named_gradients(signature s, const std::vector<std::string>& names);

}  // namespace detail

/// The gradients of F for the cotangent of its result, an input of the result's shape, as a program that records: its
/// results are the gradients of Wanted, by these names, and it is differentiable by all inputs that they depend on.
/// Error for an F with random numbers: a second program would draw them anew. Errors at compile time: those of
/// `gradient` in a lambda.
///
///   const auto slopes = stg::door::make_gradients<gat, d, h, el, er>();
///   const auto call = slopes->record({.plain = &graph}, {{"h", H}, {"el", L}, {"er", R}, {"d", D}});
template <const auto& F, const auto& Cotangent, const auto&... Wanted> std::unique_ptr<training> make_gradients() {
  using program = ref<detail::backward_of<F, Cotangent, Wanted...>>;
  using entries = detail::all_differentiable<program>;
  return std::make_unique<
      detail::recorder_of<program, false, trainer<program, stg::detail::all_real_outputs<program>, entries>, entries>>(
      detail::named_gradients(detail::described_of<program, entries>(),
                              {std::string(std::remove_cvref_t<decltype(Wanted)>::name::view())...}));
}

}  // namespace stg::door
