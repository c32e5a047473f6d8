// The twin of two_beginnings.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto gain = stg::initialized(stg::parameter<"gain", 16>, stg::init::ones);
constexpr auto model = [](auto v) {
  return gain * tanh(gain * v(x));
};
auto compiled = stg::compile<model>();
