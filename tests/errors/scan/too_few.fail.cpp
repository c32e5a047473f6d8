// A body that carries two values and gives back one.
// build error: stg: the body of a scan gives back as many values as it carries: return next\(h, c\)
#include <stg/stg.hpp>

constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", 8>);
constexpr auto h0 = stg::vertex_feature<"h0", 8>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto model = [](auto v) {
  auto [h, c] = stg::scan<"T">(
      v,
      [](auto v, auto h, auto c) {
        return stg::next(h + c);
      },
      v(h0), v(h0));  // <- here
  return h + c;
};
auto compiled = stg::compile<model>();
