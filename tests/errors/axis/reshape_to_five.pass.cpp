// The twin of reshape_to_five.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return stg::reshape<2, 2, 2, 2>(v(x));
};
auto compiled = stg::compile<model>();
