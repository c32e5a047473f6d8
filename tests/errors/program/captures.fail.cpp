// A lambda that captures: it is called during compilation, where there is nothing to capture.
// build error: stg: a program is a lambda without captures; pass what it needs as arguments of a layer function
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto scaled_by(double factor) {
  return [factor](auto v) {
    return v(x) * factor;
  };
}
constexpr auto model = scaled_by(0.5);
auto layer = stg::compile<model>();  // <- here
