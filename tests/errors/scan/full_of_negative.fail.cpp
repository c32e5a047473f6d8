// A constant for each vertex, of an extent that is none.
// build error: stg: full takes a scalar type, if any, and then at most four extents: full<f64, 8, 16>\(v, 0\.5\)
#include <stg/stg.hpp>

constexpr auto h0 = stg::vertex_feature<"h0", 8>;
constexpr auto model = [](auto v) {
  return v(h0) + stg::full<-8>(v, 0.5);  // <- here
};
auto compiled = stg::compile<model>();
