// The twin of returns_function_of_numbers.fail.cpp.
#include <stg/stg.hpp>
#include <cmath>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return tanh(v(x));
};
auto compiled = stg::compile<model>();
