// A parameter set that tests of optimisers train: two parameters in float, one in double.
#pragma once

#include <stg/runtime/named_values.hpp>  // named_values
#include <stg/runtime/tensor.hpp>        // tensor

#include <cmath>        // sin
#include <string_view>  // string_view
#include <type_traits>  // remove_cvref_t

namespace stg::test {

struct small_name {
  static constexpr std::string_view view() { return "small"; }
};
struct large_name {
  static constexpr std::string_view view() { return "large"; }
};
struct exact_name {
  static constexpr std::string_view view() { return "exact"; }
};
struct small_symbol {
  using name = small_name;
};

using trained_set = named_values<named_value<small_name, tensor<float>>, named_value<large_name, tensor<float>>,
                                 named_value<exact_name, tensor<double>>>;

/// A set of these names in any order, of these shapes, with values that repeat nowhere.
template <class Set>
Set filled_set(double phase, const dimensions& small, const dimensions& large, const dimensions& exact) {
  Set s;
  s.template get<Set::template position<small_name>()>() = tensor<float>(small);
  s.template get<Set::template position<large_name>()>() = tensor<float>(large);
  s.template get<Set::template position<exact_name>()>() = tensor<double>(exact);
  for_each(s, [&](std::string_view, auto& t) {
    using T = typename std::remove_cvref_t<decltype(t)>::value_type;
    for (std::int64_t i = 0; i < t.size(); ++i)
      t.data()[i] = static_cast<T>(std::sin(phase + 0.37 * static_cast<double>(i) + static_cast<double>(t.size())));
  });
  return s;
}

}  // namespace stg::test
