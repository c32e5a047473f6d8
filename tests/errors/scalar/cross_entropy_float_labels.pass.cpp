// The twin of cross_entropy_float_labels.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto mask = stg::vertex_feature<"mask", stg::boolean>;
constexpr auto model = [](auto v) {
  return cross_entropy(v(x), v(label), v(mask));
};
auto compiled = stg::compile<model>();
