// The twin of gelu_of_feature.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return gelu(v(x)) + 1.0;
};
auto compiled = stg::compile<model>();
