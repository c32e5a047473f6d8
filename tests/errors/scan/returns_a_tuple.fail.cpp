// A body that returns a tuple.
// build error: stg: the body of a scan returns no tuple; carried values are next\(h, c\), collected ones next\(h\)\.gives\(y\)
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
  auto [h, all] = stg::scan<"T">(v, pair, v(h0));  // <- here
  return stg::outputs(h, all);
};
auto compiled = stg::compile<model>();
