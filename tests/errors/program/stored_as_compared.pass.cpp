// The twin of stored_as_compared.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return v(x) - max(exp(v(x)), stg::all_vertices);
};
auto compiled = stg::compile<model>();
