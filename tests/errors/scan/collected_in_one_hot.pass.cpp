// The twin of collected_in_one_hot.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", 16>);
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto body = [](auto v) {
  return tanh(v(x));
};
constexpr auto model = [](auto v) {
  auto y = mean(stg::scan<"T">(v, body), stg::all_steps);
  return sum(y, stg::axis<0>) * stg::one_hot<7>(v(label));
};
auto compiled = stg::compile<model>();
