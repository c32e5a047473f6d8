// A new shape with another number of elements.
// build error: stg: reshape keeps the number of elements; the new shape has another
#include <stg/stg.hpp>

constexpr auto h = stg::vertex_feature<"h", 8, 16>;
constexpr auto model = [](auto v) {
  return reshape<8, 8>(v(h));  // <- here
};
auto compiled = stg::compile<model>();
