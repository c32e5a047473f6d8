// A lambda without an argument.
// build error: stg: a program takes one argument, the vertex; write \[\]\(auto v\) \{ return \.\.\.; \}
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = []() {
  return x;
};
auto compiled = stg::compile<model>();  // <- here
