// A group of programs whose kernels the library holds: the forms of their units, plainly and in training.
#pragma once

#include <stg/call/explain.hpp>  // training_with
#include <stg/stg.hpp>           // the language

#include <cstdint>  // uint64_t
#include <utility>  // integer_sequence
#include <vector>   // vector

namespace stg::kernels {

template <class... P> struct plans {};
template <class... P, class... Q> constexpr plans<P..., Q...> operator+(plans<P...>, plans<Q...>) { return {}; }

/// The plan of a program as compile runs it, and those of a loss as value_and_grad does.
template <const auto& F> using plain = plans<executable<inferred<ref<F>>>>;
template <const auto& Loss> struct step {
  using memory = typename stg::detail::training_with<cpu::backend, fixed_symbols<>, Loss>::memory;
  using both = plans<typename memory::F, typename memory::G>;
};
template <const auto& Loss> using trained = typename step<Loss>::both;
template <class... Plans> using group = decltype((plans<>() + ... + Plans()));

/// A unit's form, in words.
struct form_words {
  const std::uint64_t* at;
  int count;
};
template <class P, int Unit> void add_words(std::vector<form_words>& all) {
  constexpr const auto& unit = cpu::detail::cut<P, Unit>::value;
  if constexpr (cpu::has_kernel(P::plan.units[Unit])) all.push_back({unit.words, unit.sizes.words});
}
template <class P, int... Unit> void add_words_of(std::vector<form_words>& all, std::integer_sequence<int, Unit...>) {
  (add_words<P, Unit>(all), ...);
}
/// The forms of a group's units that have kernels, in the order of its programs.
template <class... P> std::vector<form_words> all_forms(plans<P...>) {
  std::vector<form_words> all;
  (add_words_of<P>(all, std::make_integer_sequence<int, P::plan.unit_count>()), ...);
  return all;
}

}  // namespace stg::kernels
