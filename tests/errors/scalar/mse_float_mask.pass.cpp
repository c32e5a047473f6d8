// The twin of mse_float_mask.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 8>;
constexpr auto y = stg::vertex_feature<"y", 8>;
constexpr auto mask = stg::vertex_feature<"mask", stg::boolean>;
constexpr auto model = [](auto v) {
  return mse(v(x), v(y), v(mask));
};
auto compiled = stg::compile<model>();
