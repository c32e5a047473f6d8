// The twin of width_of_graph_norm.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto a = stg::parameter<"a", 16>;
constexpr auto model = [](auto v) {
  return stg::nn::graph_norm(v(x), a);
};
auto compiled = stg::compile<model>();
