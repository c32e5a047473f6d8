// The degree of a vertex without its direction.
// build error: stg: a vertex has two degrees; write v\.in_degree\(\) or v\.out_degree\(\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return v(x) / v.degree();  // <- here
};
auto compiled = stg::compile<model>();
