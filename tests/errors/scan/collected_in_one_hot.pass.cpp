// The twin of collected_in_one_hot.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", 16>);
constexpr auto body = [](auto v) {
  return tanh(v(x));
};
constexpr auto model = [](auto v) {
  auto y = stg::scan<"T">(v, body);
  return stg::one_hot<7>(cast<stg::i32>(mean(y, stg::all_steps)));
};
auto compiled = stg::compile<model>();
