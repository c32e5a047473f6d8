// The twin of not.fail.cpp.
#include <stg/stg.hpp>

constexpr auto mask = stg::vertex_feature<"mask", stg::boolean, 16>;
constexpr auto model = [](auto v) {
  return !v(mask);
};
auto compiled = stg::compile<model>();
