// The twin of product_of_four_names.fail.cpp.
#include <stg/stg.hpp>

constexpr auto A = stg::extent<"A">;
constexpr auto B = stg::extent<"B">;
constexpr auto P = stg::extent<"P">;
constexpr auto x = stg::vertex_feature<"x", A * B * P>;
constexpr auto model = [](auto v) {
  return relu(v(x));
};
auto compiled = stg::compile<model>();
