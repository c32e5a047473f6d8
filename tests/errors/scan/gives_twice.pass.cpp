// The twin of gives_twice.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", 8>);
constexpr auto h0 = stg::vertex_feature<"h0", 8>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto model = [](auto v) {
  auto [h, a, b] = stg::scan<"T">(
      v,
      [](auto v, auto h) {
        return stg::next(h + v(x)).gives(h, tanh(h));
      },
      v(h0));
  return outputs(a, b);
};
auto compiled = stg::compile<model>();
