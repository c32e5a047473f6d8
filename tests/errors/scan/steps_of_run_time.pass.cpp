// The twin of steps_of_run_time.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 8>;
constexpr int T = 12;
constexpr auto body = [](auto, auto h) {
  return stg::tanh(h);
};
constexpr auto model = [](auto v) {
  return stg::scan<T>(v, body, v(x));
};
auto compiled = stg::compile<model>();
