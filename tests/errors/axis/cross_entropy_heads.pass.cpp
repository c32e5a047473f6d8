// The twin of cross_entropy_heads.fail.cpp.
#include <stg/stg.hpp>

constexpr auto h = stg::vertex_feature<"h", 8, 16>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto mask = stg::vertex_feature<"mask", stg::boolean>;
constexpr auto model = [](auto v) {
  return cross_entropy(mean(v(h), stg::axis<0>), v(label), v(mask));
};
auto compiled = stg::compile<model>();
