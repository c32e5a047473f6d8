// A probability of 1, which leaves nothing.
// build error: stg: dropout takes a probability of at least 0 and below 1; 1 would leave nothing
// names: dropout
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return dropout(v(x), 1.0);
};
auto compiled = stg::compile<model>();  // <- here
