// The twin of cross_entropy_of_edges.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto mask = stg::vertex_feature<"mask", stg::boolean>;
constexpr auto model = [](auto v) {
  auto e = v.in_edges();
  return cross_entropy(sum(e.src(x)), v(label), v(mask));
};
auto compiled = stg::compile<model>();
