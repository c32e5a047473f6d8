// The twin of mask_for_delta.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto y = stg::vertex_feature<"y", 16>;
constexpr auto known = stg::vertex_feature<"known", stg::boolean>;
constexpr auto model = [](auto v) {
  return huber(v(x), v(y), 1.0, v(known));
};
auto compiled = stg::compile<model>();
