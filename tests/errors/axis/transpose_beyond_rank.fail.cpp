// A transpose of one axis.
// build error: stg: transpose<a, b> takes two of the value's feature axes; axis 0 is the first
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return stg::transpose<0, 1>(v(x));  // <- here
};
auto compiled = stg::compile<model>();
