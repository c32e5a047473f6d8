// The twin of softmax_of_vertex_value.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return softmax(v(x), stg::axis<0>);
};
auto compiled = stg::compile<model>();
