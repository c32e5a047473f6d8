// The twin of mask_in_condition.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto mask = stg::vertex_feature<"mask", stg::boolean>;
constexpr auto model = [](auto v) {
  return select((v(x) > 0.0) & v(mask), v(x), 0.0);
};
auto compiled = stg::compile<model>();
