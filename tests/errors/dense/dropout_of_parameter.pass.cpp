// The twin of dropout_of_parameter.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto model = [](auto v) {
  return matmul(dropout(v(x), 0.5), W);
};
auto compiled = stg::compile<model>();
