// The twin of stored_as_output.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return exp(v(x));
};
auto compiled = stg::compile<model>();
