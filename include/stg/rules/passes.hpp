// Passes of the library as rules, to compare: docs/programs.md says why the pipeline runs the passes.
#pragma once

#include <stg/op/list.hpp>     // training, sum
#include <stg/rewrite.hpp>     // rewrite_rule, any_value
#include <stg/rules/sums.hpp>  // owner_out_of_in_edges

namespace stg::rules {

namespace detail {
template <class Limits> constexpr auto first_of(Limits of) {
  return rewrite_rule([](auto, auto a, auto b) { return training(a, b); }, [](auto, auto a, auto) { return a; }, of,
                      of);
}
}  // namespace detail

/// The rule of pass::training: training(a, b) → a, of values of any type.
inline constexpr auto chosen_in_training = [](const ir::program& p) {
  return examine::rewrite(p, detail::first_of(any_value), detail::first_of(any_value.of<i32>()),
                          detail::first_of(any_value.of<boolean>()));
};

/// The rules of pass::algebra for sums over edges: Σ -x → -Σ x, and an owner's value leaves the sum.
inline constexpr auto sign_out_of_in_edges =
    rewrite_rule([](auto, auto x) { return sum(-x); }, [](auto, auto x) { return -sum(x); }, any_value.on_in_edges());
inline constexpr auto sign_out_of_out_edges =
    rewrite_rule([](auto, auto x) { return sum(-x); }, [](auto, auto x) { return -sum(x); }, any_value.on_out_edges());
inline constexpr auto out_of_sums = [](const ir::program& p) {
  return examine::rewrite(p, sign_out_of_in_edges, sign_out_of_out_edges, owner_out_of_in_edges,
                          owner_out_of_out_edges);
};

}  // namespace stg::rules
