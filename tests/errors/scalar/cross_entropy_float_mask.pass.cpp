// The twin of cross_entropy_float_mask.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto m = stg::vertex_feature<"m">;
constexpr auto model = [](auto v) {
  return cross_entropy(v(x), v(label), v(m) > 0.5);
};
auto compiled = stg::compile<model>();
