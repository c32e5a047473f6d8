// The twin of number_of_vertex.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return v(x) * 2.0;
};
auto compiled = stg::compile<model>();
