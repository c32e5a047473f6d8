// The parameters of a program as a set of tensors: made from the program, indexed by symbol, walked by name.
#pragma once

#include <cstdint>           // int64_t
#include <initializer_list>  // initializer_list
#include <string>            // string

#include <stg/base/error.hpp>            // error
#include <stg/codegen/results.hpp>       // trainable_entries, input_set
#include <stg/dsl/trace.hpp>             // ref
#include <stg/runtime/initialize.hpp>    // glorot_uniform, zeros
#include <stg/runtime/named_values.hpp>  // named_values
#include <stg/runtime/sizes.hpp>         // extent_size

namespace stg {

namespace detail {

// Entries of the trainable inputs that live in the graph space: what a user calls parameters.
template <class Ref> constexpr int parameter_count() {
  int n = 0;
  for (int k = 0; k < trainable_count<Ref>(); ++k)
    n += canonical<Ref>::value[statement_of_input<Ref>(trainable_entry<Ref>(k))].where == ir::space::graph;
  return n;
}
template <class Ref> constexpr int parameter_entry(int k) {
  for (int j = 0; j < trainable_count<Ref>(); ++j) {
    const int entry = trainable_entry<Ref>(j);
    if (canonical<Ref>::value[statement_of_input<Ref>(entry)].where == ir::space::graph && k-- == 0) return entry;
  }
  return -1;
}
template <class Ref, int... K> constexpr auto parameter_sequence(std::integer_sequence<int, K...>) {
  return std::integer_sequence<int, parameter_entry<Ref>(K)...>();
}
template <class Ref>
using parameter_entries = decltype(parameter_sequence<Ref>(std::make_integer_sequence<int, parameter_count<Ref>()>()));

template <class Ref, int Entry> dimensions parameter_shape(std::initializer_list<extent_size> sizes) {
  constexpr ir::statement s = input_statement<Ref, Entry>();
  std::int64_t list[ir::shape::max_rank + 1];
  for (int a = 0; a < s.dims.rank; ++a) {
    const ir::extent e = s.dims.axes[a];
    const ir::polynomial p = e.is_static() ? ir::polynomial(e.code) : canonical<Ref>::value.extents[-1 - e.code];
    list[a] = ir::evaluate(p, [&](const text& name) {
      for (const extent_size& known : sizes)
        if (known.name == name) return known.size;
      const std::string spelled(name.view());
      throw error("parameter '" + std::string(input_name<Ref, Entry>::view()) + "' needs the extent '" + spelled +
                  "'; add sized<\"" + spelled + "\">(n)");
    });
  }
  return dimensions(std::span<const std::int64_t>(list, static_cast<std::size_t>(s.dims.rank)));
}

template <class Ref, int... Entry, int... K>
auto make_parameters(std::initializer_list<extent_size> sizes, std::integer_sequence<int, Entry...> entries,
                     std::integer_sequence<int, K...>) {
  typename input_set<Ref, decltype(entries)>::type set;
  ((set.template get<K>() = std::remove_cvref_t<decltype(set.template get<K>())>(parameter_shape<Ref, Entry>(sizes))),
   ...);
  return set;
}

}  // namespace detail

/// Zero tensors for all parameters of a program, in the order in which it reads them: a named_values set. Run-time
/// extents are given by size. Error when a size is missing.
///
///   auto params = stg::parameters<loss>(sized<"F">(1433), sized<"C">(7));
///   stg::initialize(params, seed);
///   params[W1](0, 0) = 1;
template <const auto& F, class... Size> auto parameters(const Size&... sizes) {
  using Ref = program_of<F>;
  using entries = detail::parameter_entries<Ref>;
  return detail::make_parameters<Ref>({sizes...}, entries(),
                                      std::make_integer_sequence<int, static_cast<int>(entries::size())>());
}

/// The usual beginning: Glorot uniform for parameters with two axes or more, zeros for biases and scalars. Every
/// parameter draws from a seed of its own.
template <class... Named> void initialize(named_values<Named...>& parameters, std::uint64_t seed) {
  std::uint64_t position = 0;
  for_each(parameters, [&](std::string_view, auto& t) {
    if (t.rank() >= 2) glorot_uniform(t, seed * 1000003 + position);
    else zeros(t);
    ++position;
  });
}

}  // namespace stg
