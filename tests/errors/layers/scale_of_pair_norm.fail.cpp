// The width of a value where eps belongs.
// build error: stg: eps is at least 0 and below 1, and no width: a norm takes its axis of the value, layer_norm\(h\)
// names: eps
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return stg::nn::pair_norm(v(x), 1, stg::nn::lengths::alone, 16);
};
auto compiled = stg::compile<model>();  // <- here
