// A feature with five axes.
// build error: stg: a feature has at most four axes; multiply some of them
// instead of: rank_is_too_high
#include <stg/stg.hpp>

constexpr auto h = stg::vertex_feature<"h", 2, 2, 2, 2, 16>;  // <- here
constexpr auto model = [](auto v) {
  return relu(v(h));
};
auto compiled = stg::compile<model>();
