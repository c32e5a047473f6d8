// The twin of stored_as_degree.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return v(x) * v.in_degree();
};
auto compiled = stg::compile<model>();
