// The twin of concat.fail.cpp.
#include <stg/stg.hpp>

constexpr auto words = stg::sparse_feature<"words", 16>;
constexpr auto W = stg::parameter<"W", 16, 16>;
constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return stg::concat<stg::axis<0>>(matmul(v(words), W), v(x));
};
auto compiled = stg::compile<model>();
