// The twin of of_another_value.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  auto h = 2.0 * v(x);
  auto total = sum(sum(tanh(h), stg::axis<0>), stg::all_vertices);
  return gradient(total, h);
};
auto compiled = stg::compile<model>();
