// The twin of one_first_value_of_two.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", 16>);
constexpr auto model = [](auto v) {
  auto body = [](auto v, auto h, auto c) {
    return stg::next(tanh(v(x) + h), c + h);
  };
  auto [h, c] = stg::scan<"T">(v, body, stg::zeros<16>(v), stg::zeros<16>(v));
  return h + c;
};
auto compiled = stg::compile<model>();
