// A scan that begins with fewer values than its body carries.
// build error: stg: a scan begins with a value for each that its body takes: scan<"T">\(v, body, zeros<16>\(v\)\)
#include <stg/stg.hpp>

constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", 16>);
constexpr auto model = [](auto v) {
  auto body = [](auto v, auto h, auto c) {
    return stg::next(tanh(v(x) + h), c + h);
  };
  auto [h, c] = stg::scan<"T">(v, body, stg::zeros<16>(v));  // <- here
  return h + c;
};
auto compiled = stg::compile<model>();
