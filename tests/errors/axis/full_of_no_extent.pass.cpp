// The twin of full_of_no_extent.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return v(x) * stg::full<16>(0.5);
};
auto compiled = stg::compile<model>();
