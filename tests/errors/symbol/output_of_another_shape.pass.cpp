// The twin of output_of_another_shape.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto state = stg::vertex_feature<"state", 8>;
constexpr auto model = [](auto v) {
  return stg::outputs(v(x), state = stg::slice<0, 8>(v(x)));
};
auto compiled = stg::compile<model>();
