// The twin of numbers_and.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return select((v(x) != 0.0) & (v(x) != 1.0), v(x), 0.0);
};
auto compiled = stg::compile<model>();
