// The twin of gradient_of_a_lambda.fail.cpp.
#include <stg/stg.hpp>

#include <stg/differentiate.hpp>
#include <stg/examine.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto model = [](auto v) {
  return matmul(v(x), W);
};

auto gradient() { return stg::differentiate(stg::as_program<model>(), {0}); }
