// A message of a feature that was not read.
// build error: stg: a message has a value of the whole graph; reduce it first: sum\(x, all_vertices\)
#include <stg/dsl/messages.hpp>
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  stg::send<"h">(v, x, stg::at_rank(1));  // <- here
  return v(x);
};
auto compiled = stg::compile<model>();
