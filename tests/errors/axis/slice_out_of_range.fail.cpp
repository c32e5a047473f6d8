// A slice that ends beyond its axis.
// build error: stg: slice<begin, end> lies outside of the axis; 0 <= begin < end <= extent
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return slice<8, 20>(v(x));  // <- here
};
auto compiled = stg::compile<model>();
