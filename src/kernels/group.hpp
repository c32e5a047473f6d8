// A group of programs whose kernels the library holds: their units, plainly and in training, by key. Its files are
// compiled with STG_LIBRARY_KERNELS=0, since they have these kernels themselves.
#pragma once

#include <stg/codegen/explain.hpp>  // training_with
#include <stg/stg.hpp>              // the language

#include <cstdint>      // uint64_t
#include <type_traits>  // type_identity
#include <utility>      // integer_sequence
#include <vector>       // vector

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

template <class P, int Unit> constexpr std::uint64_t key_of() {
  if constexpr (cpu::has_kernel(P::plan.units[Unit])) return cpu::key_of_unit<P, Unit>;
  else return 0;
}
template <class P> struct keys {
  std::uint64_t of_unit[P::plan.unit_count + 1];
  template <int... Unit>
  explicit constexpr keys(std::integer_sequence<int, Unit...>) : of_unit{key_of<P, Unit>()..., 0} {}
};
template <class P> inline constexpr keys<P> keys_of{std::make_integer_sequence<int, P::plan.unit_count>()};

template <class P> constexpr int unit_with(std::uint64_t key) {
  for (int u = 0; u < P::plan.unit_count; ++u)
    if (keys_of<P>.of_unit[u] == key) return u;
  return -1;
}

template <std::uint64_t Key, class... P> struct form_with;
template <std::uint64_t Key, class First, class... Rest> struct form_with<Key, First, Rest...> {
  static constexpr int unit = unit_with<First>(Key);
  static constexpr auto find() {
    if constexpr (unit >= 0) return std::type_identity<cpu::form_of_unit<First, unit>>();
    else return std::type_identity<typename form_with<Key, Rest...>::type>();
  }
  using type = typename decltype(find())::type;
};
template <std::uint64_t Key> struct form_with<Key> {
  static_assert(Key == 0,
                "stg: library_keys.hpp is older than its programs or the passes; build the target library_keys");
};

/// The form that has a key, one of a group's.
template <std::uint64_t Key, class Group> struct form_in;
template <std::uint64_t Key, class... P> struct form_in<Key, plans<P...>> : form_with<Key, P...> {};

template <class... P> std::vector<std::uint64_t> all_keys(plans<P...>) {
  std::vector<std::uint64_t> all;
  const auto add = [&](const std::uint64_t* first, int count) {
    for (int u = 0; u < count; ++u)
      if (first[u] != 0) all.push_back(first[u]);
  };
  (add(keys_of<P>.of_unit, P::plan.unit_count), ...);
  return all;
}

}  // namespace stg::kernels
