// The twin of returns_a_tuple.fail.cpp.
#include <tuple>

#include <stg/stg.hpp>

constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", 8>);
inline constexpr auto h0 = stg::vertex_feature<"h0", 8>;
inline constexpr auto pair = [](auto v, auto h) {
  auto n = stg::tanh(v(x) + h);
  return std::tuple(n, 2.0 * n);
};
inline constexpr auto given = [](auto v, auto h) {
  auto n = stg::tanh(v(x) + h);
  return stg::next(n).gives(2.0 * n);
};
constexpr auto model = [](auto v) {
  auto [h, all] = stg::scan<"T">(v, given, v(h0));
  return stg::outputs(h, all);
};
auto compiled = stg::compile<model>();
