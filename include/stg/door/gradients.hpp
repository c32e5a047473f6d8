// The gradients of a program as a program of their own, which can be differentiated once more: second derivatives for
// callers in other languages.
#pragma once

#include <cstddef>      // size_t
#include <memory>       // make_unique, unique_ptr
#include <string>       // string
#include <tuple>        // tuple, tuple_element_t
#include <type_traits>  // remove_cvref_t
#include <utility>      // integer_sequence, make_integer_sequence
#include <vector>       // vector

#include <stg/door/program.hpp>  // recorder, training

namespace stg::door {

namespace detail {

template <class Y> constexpr auto total_of(Y y) {
  using of = stg::detail::signature<Y>;
  if constexpr (of::dims::rank > 0) return total_of(sum(y, axis<0>));
  else if constexpr (stg::detail::is_edge<typename of::where>) return sum(sum(y), all_vertices);
  else if constexpr (stg::detail::is_vertex<typename of::where>) return sum(y, all_vertices);
  else return y;
}
template <class Vertex, class X> constexpr auto read_at(Vertex v, X x) {
  if constexpr (stg::detail::is_edge<typename X::where>) return v.in_edges()(x);
  else return v(x);
}

/// The real results of a lambda, as values of the lambda around it: their signatures and how many there are.
template <class Result> struct real_results {
  static constexpr int count = 1;
  template <int K> static constexpr auto get(tracer*, const Result& only) { return only; }
};
template <class... Output> struct real_results<output_list<Output...>> {
  static constexpr int count = (0 + ... + (is_differentiable(Output::type) ? 1 : 0));
  static constexpr int position(int real) {
    constexpr bool is_real[] = {is_differentiable(Output::type)...};
    int at = 0;
    while (!is_real[at] || real-- > 0) ++at;
    return at;
  }
  template <int K> static constexpr auto get(tracer* t, const output_list<Output...>& all) {
    constexpr int at = position(K);
    using of = std::tuple_element_t<at, std::tuple<Output...>>;
    static_assert(of::over::rank == 0,
                  "stg: gradients of a program's results for each step are not made; leave them out");
    return expr<typename of::where, typename of::dims, of::type>{t, all.values[at].at};
  }
};

/// The symbol of a position.
template <int At, const auto&... Symbol>
using symbol_at = std::tuple_element_t<At, std::tuple<std::remove_cvref_t<decltype(Symbol)>...>>;

/// The sum of all results, each times its cotangent: the first of Symbol.
template <const auto&... Symbol, class Vertex, class Result, int... K>
constexpr auto total_with_cotangents(Vertex v, const Result& result, std::integer_sequence<int, K...>) {
  return (... +
          total_of(real_results<Result>::template get<K>(v.trace, result) * read_at(v, symbol_at<K, Symbol...>())));
}
template <int First, const auto&... Symbol, class Vertex, class Total, int... K>
constexpr auto gradients_of_total(Vertex v, Total total, std::integer_sequence<int, K...>) {
  if constexpr (sizeof...(K) == 1) return gradient(total, read_at(v, symbol_at<First, Symbol...>()));
  else return outputs(gradient(total, read_at(v, symbol_at<First + K, Symbol...>()))...);
}

/// What `backward` computes of F for cotangents of its real results, the first of Symbol: the gradient of each other.
template <const auto& F, const auto&... Symbol>
inline constexpr auto backward_of = [](auto v) {
  const auto result = F(v);
  constexpr int count = real_results<std::remove_cvref_t<decltype(result)>>::count;
  const auto total = total_with_cotangents<Symbol...>(v, result, std::make_integer_sequence<int, count>());
  return gradients_of_total<count, Symbol...>(v, total, std::make_integer_sequence<int, sizeof...(Symbol) - count>());
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

/// The names of F's cotangents, the first of Symbol: one for each real result.
template <const auto& F, const auto&... Symbol> std::vector<std::string> cotangents_of() {
  std::vector<std::string> names{std::string(std::remove_cvref_t<decltype(Symbol)>::name::view())...};
  names.resize(static_cast<std::size_t>(stg::detail::real_output_count<ref<F>>()));
  return names;
}

/// The gradients of F for cotangents of its real results as a program that records. Symbol: for each real result, of
/// vertices, edges or the graph, an input of its shape, the cotangent; then the inputs. Its results are the gradients
/// of these, by their names, and it is differentiable by all inputs that they depend on. Error for an F with random
/// numbers: a second program would draw them anew. Errors at compile time: those of `gradient` in a lambda.
///
///   const auto slopes = stg::door::make_gradients<gat, d, h, el, er>();
///   const auto call = slopes->record({.plain = &graph}, {{"h", H}, {"el", L}, {"er", R}, {"d", D}});
template <const auto& F, const auto&... Symbol> std::unique_ptr<training> make_gradients() {
  constexpr int cotangents = stg::detail::real_output_count<ref<F>>();
  constexpr bool has_inputs = sizeof...(Symbol) > cotangents;
  static_assert(has_inputs, "stg: gradients take a cotangent for each result, then inputs: m.gradients<f, d, x>(name)");
  if constexpr (has_inputs) {
    using program = ref<detail::backward_of<F, Symbol...>>;
    using entries = detail::all_differentiable<program>;
    std::vector<std::string> names{std::string(std::remove_cvref_t<decltype(Symbol)>::name::view())...};
    names.erase(names.begin(), names.begin() + cotangents);
    return std::make_unique<detail::recorder_of<
        program, false, trainer<program, stg::detail::all_real_outputs<program>, entries>, entries>>(
        detail::named_gradients(detail::described_of<program, entries>(), names));
  } else {
    return nullptr;
  }
}

}  // namespace stg::door
