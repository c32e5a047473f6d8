// The twin of reshape_by_numbers.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return stg::reshape<4, 4>(v(x));
};
auto compiled = stg::compile<model>();
