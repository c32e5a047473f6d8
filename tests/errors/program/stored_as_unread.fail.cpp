// The rows of a feature that was not read, in two bytes a number.
// build error: stg: stored_as takes a value that is computed from a vertex's; inputs have their own type
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return sum(v.in_edges().src(exp(v(x)))) * stg::stored_as<stg::bf16>(x);  // <- here
};
auto compiled = stg::compile<model>();
