// A number of hops that is not whole.
// build error: stg: propagate_times takes a whole number of hops: propagate_times\(v, h, 2\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return stg::nn::propagate_times(v, v(x), 1.5);  // <- here
};
auto compiled = stg::compile<model>();
