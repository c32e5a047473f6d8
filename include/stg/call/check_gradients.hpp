// check_gradients: whether the gradients of a user's program are its derivatives, by central differences in double.
#pragma once

#include <cstdint>  // int64_t, uint64_t
#include <iosfwd>   // ostream
#include <span>     // span
#include <string>   // string
#include <vector>   // vector

#include <stg/call/bindings.hpp>     // STG_CHECK_BINDINGS
#include <stg/call/call_inputs.hpp>  // call_inputs
#include <stg/call/training.hpp>     // STG_CHECK_GRADIENTS, wanted_entries, all_real_outputs
#include <stg/runtime/binding.hpp>   // bound_input
#include <stg/runtime/graph.hpp>     // graph

namespace stg {

/// How gradients are compared with differences.
struct gradient_check_options {
  double step = 1e-5;                       // a number x is moved by step · max(1, |x|), up and down
  double absolute = 1e-6, relative = 1e-4;  // a gradient may be off by absolute + relative · |difference|
  std::int64_t places = 200;                // of each value, drawn; all if it has no more
  std::uint64_t seed = 0;                   // of places, of cotangents, and of the program's random numbers
};

/// The result of a comparison.
struct gradient_check {
  /// One number of an input: its place, its central difference, and the program's gradient. For an output that differs
  /// between a training step and the program as it was written: both numbers.
  struct place {
    std::string value{};
    std::vector<std::int64_t> index{};
    double expected = 0, found = 0;
    bool of_output = false;
  };
  place worst{};              // the place with the largest share of its tolerance
  double share = 0;           // of the worst: |found - expected| / (absolute + relative · |expected|); passes up to 1
  std::int64_t compared = 0;  // numbers of gradients
  std::int64_t wrong = 0;     // of them, and of outputs: numbers whose share is above 1, or NaN
  std::int64_t numbers = 0;   // all numbers of the values
  bool passed() const { return wrong == 0; }
  explicit operator bool() const { return passed(); }
};

/// One sentence: "gradient of W at (3, 1): found 0.5, central difference 1; 17 of 128 compared numbers are off".
std::string to_string(const gradient_check&);
std::ostream& operator<<(std::ostream&, const gradient_check&);

namespace detail {

/// Of a canonical program: gradients of the outputs `provided` for the inputs of these entries.
gradient_check compare_gradients(const ir::program& canonical, const graph& on, std::span<const bound_input> inputs,
                                 const sequence<int>& provided, const sequence<int>& entries,
                                 const gradient_check_options& how);

template <class Ref, class Entries, class... Arg>
gradient_check checked_gradients(const gradient_check_options& how, const graph& on, const Arg&... args) {
  using outputs = all_real_outputs<Ref>;
  constexpr gradient_mistake found_mistake = find_gradient_mistake<Ref, outputs>(Entries());
  STG_CHECK_GRADIENTS(found_mistake);
  if constexpr (found_mistake.what == gradient_finding::none) {
    call_inputs<Ref> inputs{};
    (inputs.take(args), ...);
    const sequence<int> entries = []<int... E>(std::integer_sequence<int, E...>) { return sequence<int>{E...}; }
    (Entries());
    return compare_gradients(canonical<Ref>::value.thaw(), on, {inputs.bound, static_cast<std::size_t>(inputs.count)},
                             outputs::list(), entries, how);
  } else {
    return {};
  }
}

}  // namespace detail

/// Compares the gradients of a program, as training takes them, with central differences: of Σ ⟨c, y⟩ over its real
/// outputs y, with c = 1 for one number of the graph, such as a loss, and c drawn from [-1, 1) otherwise. For all
/// trainable inputs, or for the given symbols: `stg::check_gradients<model, W, x>(…)`. The two programs of a training
/// step, and for differences the program as it was written, are interpreted in double, statement by statement, with
/// constant masks of dropout and with `detach(x)` as a constant; twice for each compared number: take a small graph.
/// Differences say nothing next to a kink, such as relu's at 0, and at a maximum of equal numbers. Errors: as in a
/// call; a step or tolerance that is not above 0; inputs on a device.
///
///   const auto check = stg::check_gradients<loss>(graph, x = X, label = Y, params);
///   if (!check) std::cerr << check << '\n';
///   stg::check_gradients<loss>({.step = 1e-4, .places = 20}, graph, x = X, label = Y, params);
template <const auto& F, const auto&... Wrt, class... Arg, class Finding = detail::finding_of<ref<F>, Arg...>>
STG_SAYS_BINDINGS(Finding)
gradient_check check_gradients(const gradient_check_options& how, const graph& on, const Arg&... args) {
#include <stg/call/look_into.inc>
  using Ref = ref<F>;
  using entries = typename detail::wanted_entries<Ref, std::remove_cvref_t<decltype(Wrt)>...>::type;
  STG_CHECK_BINDINGS(Finding);
  if constexpr (std::is_same_v<Finding, all_inputs_bound> && detail::is_right<Ref>)
    return detail::checked_gradients<Ref, entries>(how, on, args...);
  else return {};
}
template <const auto& F, const auto&... Wrt, class... Arg, class Finding = detail::finding_of<ref<F>, Arg...>>
gradient_check check_gradients(const graph& on, const Arg&... args) {
  return check_gradients<F, Wrt...>(gradient_check_options(), on, args...);
}

}  // namespace stg
