// A scan that does not say what it begins with.
// build error: stg: a scan begins with a value for each that its body takes: scan<"T">\(v, body, zeros<16>\(v\)\)
#include <stg/stg.hpp>

constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", 16>);
constexpr auto U = stg::parameter<"U", 16, 16>;
constexpr auto model = [](auto v) {
  auto body = [](auto v, auto h) {
    return tanh(v(x) + matmul(h, U));
  };
  return stg::scan<"T">(v, body);  // <- here
};
auto compiled = stg::compile<model>();
