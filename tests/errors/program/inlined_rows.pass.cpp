// The twin of inlined_rows.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 4>;
constexpr auto model = [](auto v) {
  return v(x) * sum(exp(v(x)), stg::all_vertices);
};
auto compiled = stg::compile<model>();
