// A parameter that is declared twice, each time with another beginning.
// build error: stg: a parameter is declared twice, with two beginnings; declare it once: initialized\(p, init::ones\)
// names: gain
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto gain = stg::initialized(stg::parameter<"gain", 16>, stg::init::ones);
constexpr auto other = stg::initialized(stg::parameter<"gain", 16>, stg::init::constant(0.1));
constexpr auto model = [](auto v) {
  return gain * tanh(other * v(x));
};
auto compiled = stg::compile<model>();  // <- here
