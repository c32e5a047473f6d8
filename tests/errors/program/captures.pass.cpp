// The twin of captures.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto scaled = [](auto v, double factor) {
  return v(x) * factor;
};
constexpr auto model = [](auto v) {
  return scaled(v, 0.5);
};
auto layer = stg::compile<model>();
