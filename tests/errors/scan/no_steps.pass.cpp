// The twin of no_steps.fail.cpp.
#include <stg/stg.hpp>

constexpr auto h0 = stg::vertex_feature<"h0", 8>;
constexpr auto body = [](auto, auto h) {
  return stg::tanh(h);
};
constexpr auto model = [](auto v) {
  return stg::scan<12>(v, body, v(h0));
};
auto compiled = stg::compile<model>();
