// A shape of five axes.
// build error: stg: reshape makes at most four axes; multiply some of them
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return stg::reshape<1, 2, 2, 2, 2>(v(x));  // <- here
};
auto compiled = stg::compile<model>();
