// A body that carries two values and gives back one.
// build error: stg: the body of a scan gives back as many values as it carries: return next\(h, c\)
#include <stg/stg.hpp>

constexpr auto h0 = stg::vertex_feature<"h0", 8>;
constexpr auto g = stg::over<"T">(stg::graph_feature<"g">);
constexpr auto body = [](auto v, auto h, auto c) {
  return stg::next(h * v(g) + c);
};
constexpr auto model = [](auto v) {
  auto [h, c] = stg::scan<"T">(v, body, v(h0), v(h0));  // <- here
  return h + c;
};
auto compiled = stg::compile<model>();
