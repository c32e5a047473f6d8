// A layer where a program belongs: a program is given the vertex alone.
// build error: stg: a program takes one argument, the vertex; write \[\]\(auto v\) \{ return \.\.\.; \}
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto layer = [](auto v, auto h) {
  return mean(v.in_edges().src(h));
};
auto compiled = stg::compile<layer>();  // <- here
