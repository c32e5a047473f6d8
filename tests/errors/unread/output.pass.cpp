// The twin of output.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return outputs(relu(v(x)), v(x));
};
auto compiled = stg::compile<model>();
