// An entry of a value that has no axis.
// build error: stg: x\[i\] takes a value with a feature axis, along which i counts
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return v(x)[0][1];  // <- here
};
auto compiled = stg::compile<model>();
