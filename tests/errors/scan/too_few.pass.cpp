// The twin of too_few.fail.cpp.
#include <stg/stg.hpp>

constexpr auto h0 = stg::vertex_feature<"h0", 8>;
constexpr auto g = stg::over<"T">(stg::graph_feature<"g">);
constexpr auto body = [](auto v, auto h, auto c) {
  return stg::next(h * v(g) + c, h);
};
constexpr auto model = [](auto v) {
  auto [h, c] = stg::scan<"T">(v, body, v(h0), v(h0));
  return h + c;
};
auto compiled = stg::compile<model>();
